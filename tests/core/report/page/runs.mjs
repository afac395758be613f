// Small runs to show in reports, each made once by the program itself.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const folder = mkdtempSync(join(tmpdir(), "tempo-report-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** What the program prints; a run with failed fits leaves with 1. */
export function tempo(...call) {
  const environment = { ...process.env, XDG_DATA_HOME: folder, TEMPO_PLUGIN_PATH: process.env.TEMPO_PROBES };
  try {
    return execFileSync(process.env.TEMPO_TEST_PROGRAM, call, { cwd: folder, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status !== 1 || call[0] !== "run") throw new Error(`tempo ${call.join(" ")}: ${error.stderr ?? error}`);
    return error.stdout;
  }
}

/** Names that would break a page which took them for anything but text. */
export const hostile = {
  experiment: `<script>window.broken = 1<script> & "quotes" 'single' \u{1f9e0}`,
  hypothesis: `<img src=x onerror="window&#46;broken=2">`,
  method: `"quoted" <b>bold<b> \u{1f9e0} {{report}} $& `.padEnd(200, "long "),
  biomarker: `</script><!-- "a,b" \u{1f9ec} ${"x".repeat(180)}`,
};

const table = (names) => `schema = 1
name = "made"
biomarker = [
${names.map((name, b) => `  { name = ${JSON.stringify(name)}, pre_event = { mean = 0.0, sd = 1.0 }, post_event = { mean = ${b % 2 ? 3 : -3}.0, sd = 1.${b} } },`).join("\n")}
]
`;

const simulated = (biomarkers, test, participants = 60) =>
  `biomarkers = ${JSON.stringify(biomarkers)}\nparticipants = ${participants}\ntest = ${test}`;

const experiment = ({ name, cohorts, hypotheses, methods, extra = "" }) => `schema = 1
seed = 7
[experiment]
name = ${JSON.stringify(name)}
[cohorts]
${cohorts}
${hypotheses.map((keys) => `[[hypothesis]]\n${keys}`).join("\n")}
${methods.map((keys) => `[[method]]\n${keys}`).join("\n")}
${extra}
`;

const studies = {
  // Everything a simulated study can have: a limit, trained models, posteriors, failures, warnings, evidence.
  full: () => ({
    name: "full", cohorts: simulated("five.toml", 4),
    hypotheses: ['plugin = "h1"', 'plugin = "h3"', 'plugin = "h6"'],
    methods: [
      'plugin = "debm_gmm"', 'plugin = "chance"', 'plugin = "sa_ebm"\niterations = 200',
      'plugin = "bayes"\niterations = 100', 'plugin = "probe"\nfails_on = "b0"\nwarns = true',
      'plugin = "learner"\ntrain_on = "each"\nwarns = true',
    ],
  }),
  sweep: () => ({
    name: "sweep", cohorts: simulated("five.toml", 2), hypotheses: ['plugin = "h3"', 'plugin = "h6"', 'plugin = "h9"'],
    methods: ['plugin = "debm_gmm"', 'id = "twin"\nplugin = "debm_gmm"', 'plugin = "chance"', 'id = "h3_only"\nplugin = "chance"\nhypotheses = ["h3"]'], extra: "[sweep]\n\"cohorts.participants\" = [40, 60]",
  }),
  grid: () => ({
    name: "grid", cohorts: 'biomarkers = "five.toml"\ntest = 3', hypotheses: ['plugin = "h3"'], methods: ['plugin = "debm_gmm"', 'plugin = "chance"'],
    extra: '[sweep]\n"cohorts.participants" = [40, 80, 160]\n"cohorts.healthy_ratio" = [0.25, 0.5]',
  }),
  single: () => ({ name: "single", cohorts: simulated("five.toml", 1), hypotheses: ['plugin = "h3"'], methods: ['plugin = "chance"'] }),
  // Names that people read in place of ids; a method and a hypothesis may share one.
  named: () => ({
    name: "named", cohorts: simulated("five.toml", 1), hypotheses: ['plugin = "h3"\nname = "Ranks & \\"uniform\\" stages"'],
    methods: ['plugin = "debm_gmm"\nname = "Ranks & \\"uniform\\" stages"', 'plugin = "chance"'],
  }),
  hundred: () => ({
    name: "hundred biomarkers", cohorts: simulated("synthetic-100", 1, 120), hypotheses: ['plugin = "h3"'],
    methods: ['plugin = "debm_gmm"', 'plugin = "sa_ebm"\niterations = 60'],
  }),
  hostile: () => ({
    name: hostile.experiment, cohorts: simulated("hostile-names.toml", 2),
    hypotheses: [`id = ${JSON.stringify(hostile.hypothesis)}\nplugin = "h3"`, 'plugin = "h6"'],
    methods: [
      `id = ${JSON.stringify(hostile.method)}\nplugin = "sa_ebm"\niterations = 100`,
      'plugin = "learner"\ntrain_on = "each"', 'plugin = "debm_gmm"',
    ],
  }),
  // Nobody knows the truth: events in time by a model, posteriors, resampled participants.
  real: () => ({
    name: "real", cohorts: 'source = "table"\npath = "clinic.toml"\nbiomarkers = "estimate"', hypotheses: ['plugin = "h3"', 'plugin = "h9"'],
    methods: ['plugin = "debm_gmm"', 'plugin = "bayes"\niterations = 60\nburn_in = 20\nbootstrap = false', 'plugin = "learner"\ntrain_on = "each"\nwarns = true'],
    extra: "[analysis]\nbootstrap = 3",
  }),
  subtypes: () => ({
    name: "subtypes", cohorts: 'source = "table"\npath = "clinic.toml"', hypotheses: [], methods: ['plugin = "bebms"\nsubtypes = 2\niterations = 100'],
  }),
  // Cohorts with several orders, and, in the second one, beside those with one.
  split: () => ({
    name: "split", cohorts: simulated("five.toml", 2, 80), hypotheses: ['id = "three"\nplugin = "mixture"\nhypothesis = "h3"\nsubtypes = { number = 3, least = 5 }'],
    methods: ['id = "two"\nplugin = "sustain"\nsubtypes = 2', 'id = "four"\nplugin = "sustain"\nsubtypes = 4', 'plugin = "debm_gmm"', 'plugin = "chance"'],
  }),
  "split-and-whole": () => ({
    name: "split and whole", cohorts: simulated("five.toml", 2, 80),
    hypotheses: ['id = "three"\nplugin = "mixture"\nhypothesis = "h3"\nsubtypes = { number = 3, least = 5 }', 'plugin = "h3"'],
    methods: ['id = "two"\nplugin = "sustain"\nsubtypes = 2', 'plugin = "debm_gmm"'],
  }),
  lone: () => ({
    name: "lone", cohorts: 'source = "table"\npath = "clinic.toml"', hypotheses: [], methods: ['plugin = "debm_gmm"'],
  }),
  large: () => ({
    name: "450 cohorts, 7 methods", cohorts: simulated("five.toml", 50, 20),
    hypotheses: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((h) => `plugin = "h${h}"`),
    methods: ["a", "b", "c", "d", "e", "f", "g"].map((id) => `id = "${id}"\nplugin = "chance"`),
  }),
};
writeFileSync(join(folder, "five.toml"), table(["b0", "b1", "b2", "b3", "b4"]));
writeFileSync(join(folder, "hostile-names.toml"), table([hostile.biomarker, "constructor", "__proto__", "=1+2", "x|y"]));

/** The run folder of a study, and its report. */
export function run(id) {
  if (studies[id]().cohorts.includes("clinic.toml") && !existsSync(join(folder, "clinic.toml"))) {
    tempo("synthesize-adnimerge", "--out", "ADNIMERGE.csv", "--participants", "150");
    writeFileSync(join(folder, "clinic.toml"), 'file = "ADNIMERGE.csv"\npreset = "adnimerge"\n');
  }
  writeFileSync(join(folder, `${id}.toml`), experiment(studies[id]()));
  tempo("run", `${id}.toml`, "--out", id, "--jobs", "1");
  return { id, path: join(folder, id), report: join(folder, id, "report.html") };
}
