"""SuStaIn with one subtype, on mixtures of two normals: https://github.com/ucl-pond/pySuStaIn

Settings: startpoints, iterations.
"""
import json
import os

import matplotlib
import numpy
import pandas
from scipy.stats import norm

matplotlib.use("Agg")  # there is no screen
from pySuStaIn import MixtureSustain

task = json.load(open("task.json"))
settings = {"startpoints": 10, "iterations": 10000, **task["settings"]}
names = task["biomarkers"]
cohort = pandas.read_csv(task["cohort"], dtype={"participant": str})
values, diseased = cohort[names].to_numpy(float), cohort["diseased"].to_numpy(int)

# Densities before and after an event: of the healthy, and of the diseased that are not like them.
before, after = numpy.empty_like(values), numpy.empty_like(values)
for b in range(len(names)):
    healthy, ill = values[diseased == 0, b], values[diseased == 1, b]
    far = ill[abs(ill - healthy.mean()) > 2 * healthy.std()]
    far = far if len(far) > 9 else ill
    before[:, b] = norm.pdf(values[:, b], healthy.mean(), healthy.std())
    after[:, b] = norm.pdf(values[:, b], far.mean(), far.std())

os.mkdir("found")
sustain = MixtureSustain(after + 1e-250, before + 1e-250, names, settings["startpoints"], 1, settings["iterations"],
                         "found", "cohort", False, seed=task["seed"] % 2**32)
samples, _, _, _, stages, _, posterior = sustain.run_sustain_algorithm()

places = samples[0].argsort(axis=0)  # of each biomarker, in each sample
ranks = numpy.stack([(places == place).mean(axis=1) for place in range(len(names))], axis=1)
answer = {"order": [names[b] for b in places.mean(axis=1).argsort()],
          "stages": dict(zip(cohort["participant"], stages.flatten().astype(int).tolist())),
          "rank_posterior": dict(zip(names, ranks.tolist()))}
shares = posterior.reshape(len(cohort), -1)
if shares.shape[1] == len(names) + 1:
    answer["stage_posterior"] = dict(zip(cohort["participant"], (shares / shares.sum(1, keepdims=True)).tolist()))
json.dump(answer, open(task["answer"], "w"))
