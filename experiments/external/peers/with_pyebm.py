"""DEBM by the program of its authors: https://github.com/88vikram/pyebm

Settings: MixtureModel ("GMMvv2", ...).
"""
import json
from collections import namedtuple

import matplotlib
import pandas

matplotlib.use("Agg")  # there is no screen
from pyebm import debm

task = json.load(open("task.json"))
names = task["biomarkers"]
cohort = pandas.read_csv(task["cohort"], dtype={"participant": str})
table = cohort[names].assign(PTID=cohort["participant"], Diagnosis=cohort["diseased"].map({0: "CN", 1: "AD"}))

options = {"MixtureModel": "GMMvv2", "Bootstrap": 0, "PatientStaging": ["ml", "p"], **task["settings"]}
silence = {"Distributions": 0, "Ordering": 0, "PlotOrder": 0, "WriteBootstrapData": 0, "PatientStaging": 0}
model, participants, _ = debm.fit(
    table, MethodOptions=namedtuple("MethodOptions", options)(**options),
    VerboseOptions=namedtuple("VerboseOptions", silence)(**silence), Factors=[], Labels=["CN", "MCI", "AD"])

stages = participants[0].set_index("PTID")["Stages"]
json.dump({"order": [model.BiomarkerList[int(b)] for b in model.MeanCentralOrdering],
           "stages": {name: float(stages[name]) for name in cohort["participant"]}}, open(task["answer"], "w"))
