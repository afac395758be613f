"""A logistic course map of leaspy, which is made for repeated visits: https://github.com/aramis-lab/leaspy

A cohort has one visit each, and no ages. All visits get the same time here, and only the time shift says who is
farther. An event is where a biomarker's mean course passes one half.

Settings: n_iter.
"""
import json
import warnings

import numpy
import pandas
from leaspy.io.data import Data, Dataset
from leaspy.models import LogisticModel

warnings.filterwarnings("ignore")
task = json.load(open("task.json"))
names = task["biomarkers"]
cohort = pandas.read_csv(task["cohort"], dtype={"participant": str})
values, is_ill = cohort[names].to_numpy(float), cohort["diseased"].to_numpy(int) == 1

# From 0 at the mean of the healthy to 1 where one in twenty of the diseased is beyond.
start = values[~is_ill].mean(axis=0)
rises = values[is_ill].mean(axis=0) > start
end = numpy.where(rises, numpy.quantile(values[is_ill], 0.95, axis=0), numpy.quantile(values[is_ill], 0.05, axis=0))
scaled = ((values - start) / (end - start)).clip(0.001, 0.999)

# leaspy sorts by ID.
ids = [f"{j:08d}" for j in range(len(cohort))]
table = pandas.DataFrame(scaled, columns=[f"b{b:04d}" for b in range(len(names))]).assign(ID=ids, TIME=70.0)
data = Dataset(Data.from_dataframe(table))
model = LogisticModel(name="course", source_dimension=0, obs_models="gaussian-diagonal")
model.fit(data, "mcmc_saem", seed=task["seed"] % 2**31, n_iter=task["settings"].get("n_iter", 5000), progress_bar=False)
shift = model.personalize(data, "scipy_minimize", seed=0, progress_bar=False).to_dataframe()["tau"].to_numpy().ravel()

g = numpy.exp(numpy.asarray(model.parameters["log_g_mean"]).ravel())
v0 = numpy.exp(numpy.asarray(model.parameters["log_v0_mean"]).ravel())
event = numpy.log(g) * g / (v0 * (g + 1) ** 2)  # after the mean onset
now = float(numpy.mean(shift)) - shift  # time since the own onset, from that of the mean participant
json.dump({"order": [names[b] for b in event.argsort()],
           "stages": {name: int((event <= t).sum()) for name, t in zip(cohort["participant"], now)}},
          open(task["answer"], "w"))
