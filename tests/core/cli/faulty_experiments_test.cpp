// Every fault of an experiment is named where it stands, all at once, before anything runs.

#include <fmt/format.h>

#include <algorithm>

#include "program.hpp"

namespace tempo::test {
namespace {

/// The small experiment with one passage replaced, and word for word what `tempo run` says of it.
/// {searched} stands for the folders searched for plugins, {methods} and so on for the ids found.
struct FaultyExperiment {
  std::string what;
  std::string from;
  std::string to;
  std::string report;
  std::string options = "";
};

constexpr const char* kFaultyTable = R"(schema = 1
name = "faulty"
[[biomarker]]
name = "a"
pre_event = { mean = 1.0, sd = 0.0 }
post_event = { mean = "high", sd = 1.0 }
)";

// clang-format off
const std::vector<FaultyExperiment> kFaulty{
    {"not TOML: text without quotes",
     R"(plugin = "h3")", "plugin = h3",
     R"(e.toml:8:10: not valid TOML (in: value): could not determine value type; text needs quotes: "h3")"},
    {"not TOML: a quote that is not closed",
     R"("five.toml")", R"("five.toml)",
     "e.toml:4:24: not valid TOML: text on one line needs a closing quote, and holds no control characters"},
    {"a key twice",
     "seed = 7", R"(seed = 7
seed = 8)",
     "e.toml:3:8: a key or [table] may be given only once, but there is an earlier integer 'seed'"},
    {"a table twice",
     "[[method]]", R"([cohorts]
[[method]])",
     "e.toml:15:1: a key or [table] may be given only once, but there is an earlier table 'cohorts'"},
    {"no schema",
     R"(schema = 1
)", "",
     "e.toml:1:1: missing key 'schema' in the experiment; expected an integer"},
    {"a schema to come",
     "schema = 1", "schema = 2",
     "e.toml:1:10: 'schema' must be 1, not 2: this tempo reads only that layout"},
    {"a schema that is text",
     "schema = 1", R"(schema = "1")",
     "e.toml:1:10: 'schema' must be an integer, not a string"},
    {"no seed",
     R"(seed = 7
)", "",
     "e.toml:1:1: missing key 'seed' in the experiment; expected an integer >= 0"},
    {"a seed below 0",
     "seed = 7", "seed = -7",
     "e.toml:2:8: 'seed' must be an integer >= 0, not -7"},
    {"a seed that is no whole number",
     "seed = 7", "seed = 7.5",
     "e.toml:2:8: 'seed' must be an integer >= 0, not 7.5"},
    {"an unknown key",
     "seed = 7", R"(seed = 7
sede = 8)",
     "e.toml:3:1: unknown key 'sede' in the experiment; expected 'schema', 'seed', 'experiment', 'cohorts', 'hypothesis', 'method', 'analysis', 'cluster', 'sweep' or 'versions'; did you mean 'seed'?"},
    {"a table with a slip in its name",
     "[cohorts]", "[cohort]",
     R"(e.toml:1:1: missing table [cohorts]
e.toml:3:2: unknown key 'cohort' in the experiment; expected 'schema', 'seed', 'experiment', 'cohorts', 'hypothesis', 'method', 'analysis', 'cluster', 'sweep' or 'versions'; did you mean 'cohorts'?)"},
    {"a list for the table of cohorts",
     "[cohorts]", "[[cohorts]]",
     "e.toml:3:1: 'cohorts' must be a table, not a list"},
    {"no method",
     R"([[method]]
plugin = "probe"
)", "",
     R"(e.toml:1:1: no [[method]]: expected at least one, such as plugin = "bebms")"},
    {"no hypothesis",
     R"([[hypothesis]]
plugin = "h3"
[[hypothesis]]
id = "late"
plugin = "composed"
event_times = "permutation"
stage_prior = { plugin = "beta", alpha = 8.0, beta = 2.0 }
measurement_model = "ebm_normal"
)", "",
     R"(e.toml:1:1: no [[hypothesis]]: expected at least one, such as plugin = "h1")"},
    {"[method] for [[method]]",
     "[[method]]", "[method]",
     "e.toml:15:1: 'method' must be given as [[method]], not as a table"},
    {"a name that is no folder",
     "schema = 1", R"(experiment.name = "a/b"
schema = 1)",
     "e.toml:1:19: 'name' must be usable as the name of a folder, not 'a/b'"},
    {"an unknown key of [experiment]",
     "schema = 1", R"(experiment.nam = "a"
schema = 1)",
     "e.toml:1:12: unknown key 'nam' in [experiment]; expected 'name', 'description', 'folder' or 'stage_posteriors'; did you mean 'name'?"},
    {"a switch that is no boolean",
     "schema = 1", R"(experiment.stage_posteriors = "yes"
schema = 1)",
     "e.toml:1:31: 'stage_posteriors' must be true or false, not a string"},
    {"no biomarker table",
     R"(biomarkers = "five.toml"
)", "",
     "e.toml:3:1: missing key 'biomarkers' in [cohorts]; expected a string"},
    {"an unknown biomarker table",
     R"("five.toml")", R"("adni12")",
     "e.toml:4:14: unknown biomarker table 'adni12'; expected 'adni-12' or 'synthetic-100', or the path of a file that ends in .toml; did you mean 'adni-12'?"},
    {"a biomarker table that is not there",
     R"("five.toml")", R"("tables/six.toml")",
     "e.toml:4:14: no such file 'tables/six.toml' (a path is relative to the file that names it); shipped tables: adni-12, synthetic-100"},
    {"a biomarker table with faults of its own",
     R"("five.toml")", R"("faulty.toml")",
     R"(faulty.toml:5:32: 'sd' must be a number > 0, not 0
faulty.toml:6:23: 'mean' must be a finite number, not a string)"},
    {"a biomarker table that is no TOML",
     R"("five.toml")", R"("notes.toml")",
     "notes.toml:1:4: not valid TOML (in: key-value pair): expected '=', saw 'd'"},
    {"participants out of range",
     "participants = 60", "participants = 0",
     "e.toml:5:16: 'participants' must be an integer in [1, 10000000], not 0"},
    {"participants that are text",
     "participants = 60", R"(participants = "60")",
     "e.toml:5:16: 'participants' must be an integer in [1, 10000000], not a string"},
    {"participants in halves",
     "participants = 60", "participants = 60.5",
     "e.toml:5:16: 'participants' must be an integer in [1, 10000000], not 60.5"},
    {"nobody diseased",
     "participants = 60", R"(participants = 60
healthy_ratio = 1.0)",
     "e.toml:6:17: 'healthy_ratio' must be a number in [0, 1), not 1"},
    {"no cohorts",
     "test = 3", "test = 0",
     "e.toml:6:8: 'test' must be an integer in [1, 1000000], not 0"},
    {"an unknown source",
     "test = 3", R"(test = 3
source = "simulated")",
     "e.toml:7:10: 'source' must be 'simulate', 'folder' or 'table', not 'simulated'; did you mean 'simulate'?"},
    {"an unknown key of [cohorts]",
     "participants = 60", "participant = 60",
     "e.toml:5:1: unknown key 'participant' in [cohorts]; expected 'source', 'biomarkers', 'participants', 'healthy_ratio' or 'test'; did you mean 'participants'?"},
    {"an unknown hypothesis",
     R"(plugin = "h3")", R"(plugin = "h33")",
     "e.toml:8:10: unknown hypothesis 'h33'; expected {hypotheses}; did you mean 'h3'? (searched {searched})"},
    {"an unknown method",
     R"(plugin = "probe")", R"(plugin = "prope")",
     "e.toml:16:10: unknown method 'prope'; expected {methods}; did you mean 'probe'? (searched {searched})"},
    {"a hypothesis for a method",
     R"(plugin = "probe")", R"(plugin = "h3")",
     "e.toml:16:10: 'h3' is a hypothesis, expected a method: {methods}"},
    {"no plugin",
     R"(plugin = "probe")", R"(id = "probe")",
     "e.toml:15:1: missing key 'plugin' in [[method]]; expected a string"},
    {"a plugin that is a number",
     R"(plugin = "probe")", "plugin = 3",
     "e.toml:16:10: 'plugin' must be a string, not an integer"},
    {"two hypotheses of one name",
     R"(id = "late")", R"(id = "h3")",
     R"(e.toml:9:1: hypothesis 'h3' is already defined at e.toml:7:1; give one of them another id = "...")"},
    {"two methods of one name",
     "[[method]]", R"([[method]]
plugin = "probe"
[[method]])",
     R"(e.toml:17:1: method 'probe' is already defined at e.toml:15:1; give one of them another id = "...")"},
    {"an id with a dot",
     R"(id = "late")", R"(id = "la.te")",
     "e.toml:10:6: 'id' must be usable in paths of settings and folders, without dots and slashes, not 'la.te'"},
    {"a setting of the wrong type",
     R"(plugin = "probe")", R"(plugin = "probe"
shift = "much")",
     "e.toml:17:9: 'shift' must be a finite number, not a string"},
    {"a setting out of range",
     R"(plugin = "probe")", R"(plugin = "probe"
noise = -1)",
     "e.toml:17:9: 'noise' must be a number >= 0, not -1"},
    {"an unknown setting",
     R"(plugin = "probe")", R"(plugin = "probe"
warn = true)",
     "e.toml:17:1: unknown key 'warn' in [[method]] 'probe'; expected 'shift', 'noise', 'waits_for', 'fails_on', 'warns' or 'log'; did you mean 'warns'?"},
    {"a setting of a plugin without any",
     R"(plugin = "h3")", R"(plugin = "h3"
alpha = 2.0)",
     "e.toml:9:1: unknown key 'alpha' in [[hypothesis]] 'h3'; expected no keys"},
    {"an unknown column order",
     R"(plugin = "probe")", R"(plugin = "probe"
column_order = "trueth")",
     "e.toml:17:16: 'column_order' must be 'random', 'alphabetical' or 'truth', not 'trueth'; did you mean 'truth'?"},
    {"an unknown part",
     R"(plugin = "beta")", R"(plugin = "betta")",
     "e.toml:13:26: unknown stage_prior 'betta'; expected {stage_priors}; did you mean 'beta'? (searched {searched})"},
    {"a part of another kind",
     R"("ebm_normal")", R"("beta")",
     "e.toml:14:21: 'beta' is a stage_prior, expected a measurement_model: {measurement_models}"},
    {"an unknown setting of a part",
     "beta = 2.0 }", "beta = 2.0, gamma = 1.0 }",
     "e.toml:13:59: unknown key 'gamma' in [[hypothesis]] 'late' stage_prior; expected 'alpha' or 'beta'"},
    {"a setting of a part out of range",
     "alpha = 8.0", "alpha = 0.0",
     "e.toml:13:42: 'alpha' must be a number > 0, not 0"},
    {"a part without a name",
     R"(plugin = "beta", )", "",
     R"(e.toml:13:15: 'stage_prior' must be the id of a stage_prior or a table with plugin = "...", not a table without an id)"},
    {"a sweep that is no table",
     "seed = 7", R"(seed = 7
sweep = 3)",
     "e.toml:3:9: 'sweep' must be a table, not an integer"},
    {"a sweep of one value that is no list",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participants" = 30
)",
     "e.toml:18:26: [sweep] 'cohorts.participants' must be a list of values, not an integer"},
    {"a sweep of no values",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participants" = []
)",
     "e.toml:18:26: [sweep] 'cohorts.participants' must list at least one value"},
    {"a sweep of a key that nobody reads, said once",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participant" = [30, 60]
)",
     "e.toml:18:1: unknown key 'participant' in [cohorts]; expected 'source', 'biomarkers', 'participants', 'healthy_ratio' or 'test'; did you mean 'participants'?"},
    {"a sweep over an unknown table",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohort.participants" = [30, 60]
)",
     "e.toml:18:1: unknown key 'cohort' in the experiment; expected 'schema', 'seed', 'experiment', 'cohorts', 'hypothesis', 'method', 'analysis', 'cluster', 'sweep' or 'versions'; did you mean 'cohorts'?"},
    {"a sweep over the settings of an unknown method",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"method.prob.shift" = [1.0, 2.0]
)",
     "e.toml:18:1: 'method.prob.shift' leads nowhere: expected method.ID.KEY with ID 'probe'; did you mean 'probe'?"},
    {"a sweep that ends at an entry",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"method.probe" = [1, 2]
)",
     "e.toml:18:1: 'method.probe' leads nowhere: expected method.ID.KEY with ID 'probe'"},
    {"a sweep through a number",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.test.x" = [1, 2]
)",
     "e.toml:18:1: 'cohorts.test.x' leads nowhere: 'test' is an integer, not a table"},
    {"a sweep with an empty name in its path",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts..test" = [1, 2]
)",
     "e.toml:18:1: 'cohorts..test' is no path; expected names with dots between them, such as cohorts.participants"},
    {"a swept value out of range, at its own place",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participants" = [30, 0]
)",
     "e.toml:18:31: 'participants' must be an integer in [1, 10000000], not 0"},
    {"a swept value given twice",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participants" = [30, 30]
)",
     "e.toml:18:31: [sweep] 'cohorts.participants' takes the value 30 twice"},
    {"a path given twice",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"cohorts.participants" = [30]
cohorts.participants = [60]
)",
     "e.toml:19:9: [sweep] 'cohorts.participants' is given twice"},
    {"a sweep over names",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"experiment.name" = ["a", "b"]
)",
     "e.toml:18:1: [sweep] 'experiment.name' says what things are called; it is no setting to vary"},
    {"a sweep over ids",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"method.probe.id" = ["a", "b"]
)",
     "e.toml:18:1: [sweep] 'method.probe.id' says what things are called; it is no setting to vary"},
    {"a sweep over methods' plugins",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"method.probe.plugin" = ["probe", "debm"]
)",
     "e.toml:18:1: [sweep] 'method.probe.plugin' would leave one plugin's settings to another; list each plugin as a [[method]] of its own"},
    {"a sweep over parts' plugins",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
"hypothesis.late.stage_prior.plugin" = ["beta", "uniform"]
)",
     R"(e.toml:18:1: [sweep] 'hypothesis.late.stage_prior.plugin' would leave one plugin's settings to another; vary 'hypothesis.late.stage_prior' instead, with values such as { plugin = "beta" })"},
    {"zip of unequal lengths",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1, 2]
"cohorts.test" = [1, 2, 3]
zip = [["seed", "cohorts.test"]]
)",
     "e.toml:20:17: [sweep] zipped lists must have one length: 'seed' has 2 values, 'cohorts.test' has 3"},
    {"zip of an unknown key",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1, 2]
"cohorts.test" = [1, 2]
zip = [["seed", "cohorts.tests"]]
)",
     "e.toml:20:17: [sweep] 'zip' names 'cohorts.tests', expected a key of [sweep] that is in no other group: 'seed' or 'cohorts.test'; did you mean 'cohorts.test'?"},
    {"zip of a key with itself",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1, 2]
zip = [["seed", "seed"]]
)",
     "e.toml:19:17: [sweep] 'zip' names 'seed', expected a key of [sweep] that is in no other group: 'seed'; did you mean 'seed'?"},
    {"zip of one key",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1, 2]
zip = [["seed"]]
)",
     "e.toml:19:8: [sweep] each entry of 'zip' must be a list of two or more keys"},
    {"zip that is no list",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1, 2]
zip = "seed"
)",
     "e.toml:19:7: [sweep] 'zip' must be a list of lists of keys, not a string"},
    {"two groups that share a key",
     R"(plugin = "probe"
)", R"(plugin = "probe"
[sweep]
seed = [1]
"cohorts.test" = [1]
"cohorts.participants" = [9]
zip = [["seed", "cohorts.test"], ["seed", "cohorts.participants"]]
)",
     "e.toml:21:35: [sweep] 'zip' names 'seed', expected a key of [sweep] that is in no other group: 'seed', 'cohorts.test' or 'cohorts.participants'; did you mean 'seed'?"},
    {"--set without a value",
     "", "",
     "--set seed: expected key=value, as in --set cohorts.participants=300", "--set seed"},
    {"--set without a path",
     "", "",
     "--set =3: expected key=value, as in --set cohorts.participants=300", "--set =3"},
    {"--set of a key that nobody reads",
     "", "",
     "--set cohorts.participant=30: unknown key 'participant' in [cohorts]; expected 'source', 'biomarkers', 'participants', 'healthy_ratio' or 'test'; did you mean 'participants'?", "--set cohorts.participant=30"},
    {"--set of a wrong type",
     "", "",
     "--set cohorts.participants=many: 'participants' must be an integer in [1, 10000000], not a string", "--set cohorts.participants=many"},
    {"--set for an unknown method",
     "", "",
     "--set method.prob.shift=1.0: 'method.prob.shift' leads nowhere: expected method.ID.KEY with ID 'probe'; did you mean 'probe'?", "--set method.prob.shift=1.0"},
    {"--set of a file that is not there",
     "", "",
     "--set cohorts.biomarkers=six.toml: no such file 'six.toml' (a path is relative to the current folder); shipped tables: adni-12, synthetic-100", "--set cohorts.biomarkers=six.toml"},
    {"cohorts from no folder",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
)",
     "e.toml:3:1: missing key 'path' in [cohorts]; expected a string"},
    {"cohorts from a folder that is not there",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "nowhere"
)",
     "e.toml:5:8: no such folder 'nowhere' (a path is relative to the file that names it)"},
    {"cohorts from a folder without any",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "empty"
)",
     "empty: has no hypotheses; expected folders such as exp1 with files *_m0.csv, *_m1.csv, ..."},
    {"no cohorts of a hypothesis",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "cohorts"
)",
     "e.toml:6:1: 'cohorts' has no cohorts of hypothesis 'h3'; it has 'h5' or 'late'; did you mean 'h5'?"},
    {"numbers of cohorts that are no numbers",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "cohorts"
datasets = "0-"
)",
     R"(e.toml:6:12: 'datasets' must be a list of numbers such as "0-19" or "0,2,5-7", not '0-'
e.toml:7:1: 'cohorts' has no cohorts of hypothesis 'h3'; it has 'h5' or 'late'; did you mean 'h5'?)"},
    {"numbers of cohorts that are not there",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "cohorts"
datasets = "7"
)",
     R"(e.toml:6:12: 'datasets' names 7, which no hypothesis in the folder has
e.toml:7:1: 'cohorts' has no cohorts of hypothesis 'h3'; it has 'h5' or 'late'; did you mean 'h5'?)"},
    {"settings of simulation with cohorts from files",
     R"(biomarkers = "five.toml"
participants = 60
test = 3
)", R"(source = "folder"
path = "cohorts"
participants = 60
)",
     R"(e.toml:6:1: unknown key 'participants' in [cohorts]; expected 'source', 'path', 'datasets' or 'biomarkers'
e.toml:7:1: 'cohorts' has no cohorts of hypothesis 'h3'; it has 'h5' or 'late'; did you mean 'h5'?)"},
    {"what to train on, for a method that is not trained",
     R"(plugin = "probe")", R"(plugin = "probe"
train_on = "each")",
     "e.toml:17:12: 'train_on' is for methods that are trained, and this one is not"},
    {"what to train on, for a method that is not there",
     R"(plugin = "probe")", R"(plugin = "lerner"
train_on = "each")",
     "e.toml:16:10: unknown method 'lerner'; expected {methods}; did you mean 'learner'? (searched {searched})"},
    {"training on hypotheses that are not there, or twice",
     R"(plugin = "probe")", R"(plugin = "learner"
train_on = ["h3", "lat", "h3", 3])",
     R"(e.toml:17:19: 'train_on' names 'lat', which is no hypothesis of this experiment; expected 'h3' or 'late'; did you mean 'late'?
e.toml:17:26: 'train_on' names 'h3' twice
e.toml:17:32: 'train_on' must hold ids of hypotheses, not an integer)"},
    {"training on nothing",
     R"(plugin = "probe")", R"(plugin = "learner"
train_on = [])",
     R"(e.toml:17:12: 'train_on' names no hypothesis; expected "each", "all" or a list of ids of hypotheses)"},
    {"training on one hypothesis that is no list",
     R"(plugin = "probe")", R"(plugin = "learner"
train_on = "h3")",
     R"(e.toml:17:12: 'train_on' must be "each", "all" or a list of ids of hypotheses, not 'h3'; for one hypothesis write ["h3"])"},
    {"a slip in what to train on",
     R"(plugin = "probe")", R"(plugin = "learner"
train_on = "eech")",
     R"(e.toml:17:12: 'train_on' must be "each", "all" or a list of ids of hypotheses, not 'eech'; did you mean 'each'?)"},
    {"training on a number",
     R"(plugin = "probe")", R"(plugin = "learner"
train_on = 3)",
     R"(e.toml:17:12: 'train_on' must be "each", "all" or a list of ids of hypotheses, not an integer)"},
    {"a hypothesis that is called as all of them",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
biomarkers = "five.toml"
[[hypothesis]]
id = "all"
plugin = "h3"
[[method]]
plugin = "learner"
)",
     "e.toml:9:10: a hypothesis with the id 'all' could not be told from a model that learned from all of them: give it another id"},
    {"nothing to simulate training cohorts from",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
source = "folder"
path = "cohorts"
[[method]]
plugin = "learner"
)",
     R"(e.toml:6:1: [[method]] 'learner' is trained on hypotheses: say what their parameters are beside source = "folder", with biomarkers = "adni-12" (or a table of your own) in [cohorts])"},
    {"a hypothesis of a folder that nobody can simulate",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
source = "folder"
path = "cohorts"
biomarkers = "five.toml"
[[method]]
plugin = "learner"
)",
     "e.toml:7:1: [[method]] 'learner' is trained on 'late', and no plugin of that name is found: add a [[hypothesis]] with this id and the plugin to simulate, or leave it out of train_on"},
    {"a hypothesis to assume, for a method that assumes none",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
biomarkers = "five.toml"
[[hypothesis]]
plugin = "h1"
[[method]]
plugin = "debm"
assume = "h1"
)",
     "e.toml:9:10: 'assume' is for methods that infer under a hypothesis, and this one does not"},
    {"a hypothesis to assume that nobody has",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
biomarkers = "five.toml"
[[hypothesis]]
plugin = "h1"
[[method]]
plugin = "bayes"
assume = "h11"
)",
     "e.toml:9:10: unknown hypothesis 'h11'; expected {hypotheses}; did you mean 'h1'? (searched {searched})"},
    {"what to simulate, with nothing to train",
     kExperiment, R"(schema = 1
seed = 7
[cohorts]
source = "folder"
path = "cohorts"
biomarkers = "five.toml"
[[method]]
plugin = "probe"
)",
     R"(e.toml:6:14: 'biomarkers' beside source = "folder" is what methods are trained on or infer from, but no [[method]] here does)"},
    {"an empty list of methods",
     kExperiment, R"(schema = 1
seed = 7
method = []
[cohorts]
biomarkers = "five.toml"
[[hypothesis]]
plugin = "h3"
)",
     R"(e.toml:3:10: no [[method]]: expected at least one, such as plugin = "bebms")"},
    {"methods that are numbers",
     kExperiment, R"(schema = 1
seed = 7
method = [3]
[cohorts]
biomarkers = "five.toml"
[[hypothesis]]
plugin = "h3"
)",
     "e.toml:3:11: 'method' must hold tables, not an integer"},
    {"nearly nothing",
     kExperiment, R"(x = 1
)",
     R"(e.toml:1:1: missing key 'schema' in the experiment; expected an integer
e.toml:1:1: missing key 'seed' in the experiment; expected an integer >= 0
e.toml:1:1: missing table [cohorts]
e.toml:1:1: no [[hypothesis]]: expected at least one, such as plugin = "h1"
e.toml:1:1: no [[method]]: expected at least one, such as plugin = "bebms"
e.toml:1:1: unknown key 'x' in the experiment; expected 'schema', 'seed', 'experiment', 'cohorts', 'hypothesis', 'method', 'analysis', 'cluster', 'sweep' or 'versions')"},
    {"nothing",
     kExperiment, R"(# to do
)",
     "e.toml: is empty: it sets no key"},
    {"faults everywhere, in the order of the lines",
     kExperiment, R"(seed = "seven"
extra = true
[[method]]
plugin = "probe"
shift = true
[cohorts]
biomarkers = "faulty.toml"
participants = -1
[[hypothesis]]
plugin = "h3"
x = 1
[sweep]
seed = 3
)",
     R"(e.toml:1:1: missing key 'schema' in the experiment; expected an integer
e.toml:1:8: 'seed' must be an integer >= 0, not a string
e.toml:2:1: unknown key 'extra' in the experiment; expected 'schema', 'seed', 'experiment', 'cohorts', 'hypothesis', 'method', 'analysis', 'cluster', 'sweep' or 'versions'
e.toml:5:9: 'shift' must be a finite number, not a boolean
e.toml:8:16: 'participants' must be an integer in [1, 10000000], not -1
e.toml:11:1: unknown key 'x' in [[hypothesis]] 'h3'; expected no keys
e.toml:13:8: [sweep] 'seed' must be a list of values, not an integer
faulty.toml:5:32: 'sd' must be a number > 0, not 0
faulty.toml:6:23: 'mean' must be a finite number, not a string)"},
};
// clang-format on

/// Puts what depends on the machine and on the plugins of this build into a report.
std::string completed(std::string report, const Program& program) {
  const auto user_folder = program.path() / "tempo" / "plugins";
  const Registry registry({{TEMPO_PROBES, "test", true}, {TEMPO_TEST_PLUGINS, "build", true}});
  auto methods = registry.usable_ids(InterfaceKind::inference_method);
  for (const auto& id : registry.usable_ids(InterfaceKind::trainable_method)) methods.push_back(id);
  std::sort(methods.begin(), methods.end());
  const std::vector<std::pair<std::string, std::string>> names{
      {"{searched}",
       fmt::format("{}, {}, {}", TEMPO_PROBES, user_folder.string(), TEMPO_TEST_PLUGINS)},
      {"{hypotheses}", one_of(registry.usable_ids(InterfaceKind::generative_process))},
      {"{methods}", one_of(methods)},
      {"{stage_priors}", one_of(registry.usable_ids(InterfaceKind::stage_prior))},
      {"{measurement_models}", one_of(registry.usable_ids(InterfaceKind::measurement_model))}};
  for (const auto& [name, value] : names)
    if (const auto at = report.find(name); at != std::string::npos)
      report.replace(at, name.size(), value);
  return report;
}

}  // namespace

TEST_CASE("faulty experiments are refused word for word", "[cli][faults]") {
  const Program program;
  program.write("faulty.toml", kFaultyTable);
  program.write("notes.toml", "to do: find numbers\n");
  program.experiment(edited("\"h3\"", "\"h5\""));
  REQUIRE(program.tempo("simulate e.toml --out cohorts --set cohorts.test=1").code == 0);
  std::filesystem::create_directory(program.path() / "empty");

  for (const auto& faulty : kFaulty) {
    INFO(faulty.what);
    program.experiment(edited(faulty.from, faulty.to));
    const auto outcome = program.tempo("run e.toml " + faulty.options);
    const auto problems = std::count(faulty.report.begin(), faulty.report.end(), '\n') + 1;
    REQUIRE(outcome.errors ==
            completed(faulty.report, program) +
                fmt::format("\n{}; nothing was run.\n",
                            problems == 1 ? "1 problem" : fmt::format("{} problems", problems)));
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.output.empty());
    REQUIRE(!program.has("runs"));
  }
}

TEST_CASE("validate and plan say the same as run", "[cli][faults]") {
  const Program program;
  program.experiment(edited("test = 3", "test = 0"));
  for (const auto* command : {"run", "validate", "plan"}) {
    const auto outcome = program.tempo(std::string(command) + " e.toml");
    REQUIRE(outcome.code == 2);
    REQUIRE(outcome.errors ==
            "e.toml:6:8: 'test' must be an integer in [1, 1000000], not 0\n1 problem; nothing was "
            "run.\n");
  }
  REQUIRE(program.tempo("validate none.toml").code == 2);
}

TEST_CASE("a path to the experiment is part of every place", "[cli][faults]") {
  const Program program;
  program.write("deep/e.toml", edited("\"five.toml\"", "\"../six.toml\""));
  REQUIRE(
      program.tempo("validate deep/e.toml").errors ==
      "deep/e.toml:4:14: no such file 'six.toml' (a path is relative to the file that names it); "
      "shipped tables: adni-12, synthetic-100\n1 problem; nothing was run.\n");
}

}  // namespace tempo::test
