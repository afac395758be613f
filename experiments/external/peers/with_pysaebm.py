"""SA-EBM by the program of its authors: https://github.com/jpcca/pysaebm

Settings: those of pysaebm.run_ebm (algorithm, n_iter, burn_in, ...).
"""
import json

import pandas
from pysaebm import run_ebm

task = json.load(open("task.json"))
cohort = pandas.read_csv(task["cohort"], dtype={"participant": str})

# A row per measurement, and participants numbered from 0.
rows = cohort.assign(participant=range(len(cohort)), diseased=cohort["diseased"] == 1)
rows.melt(["participant", "diseased"], var_name="biomarker", value_name="measurement").to_csv("rows.csv", index=False)

settings = {"algorithm": "conjugate_priors", "n_iter": 2000, "burn_in": 500, **task["settings"]}
found = run_ebm(data_file="rows.csv", output_dir="found", seed=task["seed"], skip_heatmap=True, skip_traceplot=True,
                save_results=True, save_details=True, save_stage_post=True, **settings)

# The posterior of stages has B + 1 columns, stage 0 first, where the program gives as many.
shares = found["stage_likelihood_posterior"]
answer = {"ranks": found["order_with_highest_ll"],
          "stages": dict(zip(cohort["participant"], found["ml_stages"]))}
if shares and len(shares[0]) == len(task["biomarkers"]) + 1:
    answer["stage_posterior"] = {name: shares[j] for j, name in enumerate(cohort["participant"])}
json.dump(answer, open(task["answer"], "w"))
