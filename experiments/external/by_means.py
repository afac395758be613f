"""Orders events by how far the groups' means lie apart, in standard deviations of the healthy."""
import csv
import json
import statistics
import sys

task = json.load(open("task.json"))
cohort = list(csv.DictReader(open(task["cohort"], encoding="utf-8")))
values = {name: {group: [float(row[name]) for row in cohort if row["diseased"] == group] for group in "01"}
          for name in task["biomarkers"]}
if min(len(groups["0"]) for groups in values.values()) < 2:
    sys.exit(3)  # not applicable: there is no standard deviation
mean = {name: {group: statistics.mean(groups[group]) for group in "01"} for name, groups in values.items()}
shift = {name: abs(mean[name]["1"] - mean[name]["0"]) / statistics.stdev(values[name]["0"]) for name in values}

def stage(row):  # how many values are nearer to the mean of the diseased
    return sum(abs(float(row[name]) - mean[name]["1"]) < abs(float(row[name]) - mean[name]["0"]) for name in values)

json.dump({"order": sorted(values, key=shift.get, reverse=True),
           "stages": {row["participant"]: stage(row) for row in cohort}}, open(task["answer"], "w"))
