"""The event-based model with kernel densities by the program of its authors: https://github.com/ucl-pond/kde_ebm

Settings: mixtures ("kde" or "gmm"), n_iter, greedy_n_iter, greedy_n_init.
"""
import json

import numpy
import pandas
from kde_ebm import mcmc, mixture_model

task = json.load(open("task.json"))
settings = {"mixtures": "kde", "n_iter": 10000, "greedy_n_iter": 1000, "greedy_n_init": 10, **task["settings"]}
names = task["biomarkers"]
cohort = pandas.read_csv(task["cohort"], dtype={"participant": str})
values, diseased = cohort[names].to_numpy(float), cohort["diseased"].to_numpy(int)

numpy.random.seed(task["seed"] % 2**32)
fit = {"kde": mixture_model.fit_all_kde_models, "gmm": mixture_model.fit_all_gmm_models}[settings.pop("mixtures")]
mixtures = fit(values, diseased)
samples = mcmc.mcmc(values, mixtures, plot=False, **settings)
best = max(samples, key=lambda sample: sample.score)
stages, likelihoods = best.stage_data(mixture_model.get_prob_mat(values, mixtures))

ranks = numpy.zeros((len(names), len(names)))  # how often a biomarker has a place
for sample in samples:
    ranks[sample.ordering, numpy.arange(len(names))] += 1 / len(samples)
totals = likelihoods.sum(axis=1, keepdims=True)
answer = {"order": [names[b] for b in best.ordering],
          "stages": dict(zip(cohort["participant"], stages.tolist())),
          "rank_posterior": dict(zip(names, ranks.tolist()))}
if (totals > 0).all():  # products of many densities may vanish
    answer["stage_posterior"] = dict(zip(cohort["participant"], (likelihoods / totals).tolist()))
json.dump(answer, open(task["answer"], "w"))
