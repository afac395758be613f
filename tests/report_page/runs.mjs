// Small runs to show in reports, each made once by the program itself.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

const experiment = ({ name, biomarkers, participants = 60, test, hypotheses, methods, extra = "" }) => `schema = 1
seed = 7
[experiment]
name = ${JSON.stringify(name)}
[cohorts]
biomarkers = ${JSON.stringify(biomarkers)}
participants = ${participants}
test = ${test}
${hypotheses.map((keys) => `[[hypothesis]]\n${keys}`).join("\n")}
${methods.map((keys) => `[[method]]\n${keys}`).join("\n")}
${extra}
`;

const studies = {
  // Everything a simulated study can have: a limit, trained models, posteriors, failures, warnings, evidence.
  full: () => ({
    name: "full", biomarkers: "five.toml", test: 4,
    hypotheses: ['plugin = "h1"', 'plugin = "h3"', 'plugin = "h6"'],
    methods: [
      'plugin = "debm_gmm"', 'plugin = "chance"', 'plugin = "sa_ebm"\niterations = 200',
      'plugin = "bayes"\niterations = 100', 'plugin = "probe"\nfails_on = "b0"\nwarns = true',
      'plugin = "learner"\ntrain_on = "each"',
    ],
  }),
  sweep: () => ({
    name: "sweep", biomarkers: "five.toml", test: 2, hypotheses: ['plugin = "h3"', 'plugin = "h6"'],
    methods: ['plugin = "debm_gmm"', 'plugin = "chance"'], extra: "[sweep]\n\"cohorts.participants\" = [40, 60]",
  }),
  single: () => ({ name: "single", biomarkers: "five.toml", test: 1, hypotheses: ['plugin = "h3"'], methods: ['plugin = "chance"'] }),
  all_failed: () => ({
    name: "all failed", biomarkers: "five.toml", test: 2, hypotheses: ['plugin = "h3"'],
    methods: ["b0", "b1", "b2", "b3", "b4"].map((name) => `id = "on-${name}"\nplugin = "probe"\nfails_on = "${name}"`).slice(0, 1),
  }),
  hundred: () => ({
    name: "hundred biomarkers", biomarkers: "synthetic-100", participants: 120, test: 1, hypotheses: ['plugin = "h3"'],
    methods: ['plugin = "debm_gmm"', 'plugin = "sa_ebm"\niterations = 60'],
  }),
  hostile: () => ({
    name: hostile.experiment, biomarkers: "hostile-names.toml", test: 2,
    hypotheses: [`id = ${JSON.stringify(hostile.hypothesis)}\nplugin = "h3"`, 'plugin = "h6"'],
    methods: [
      `id = ${JSON.stringify(hostile.method)}\nplugin = "sa_ebm"\niterations = 100`,
      'plugin = "learner"\ntrain_on = "each"', 'plugin = "debm_gmm"',
    ],
  }),
  large: () => ({
    name: "450 cohorts, 7 methods", biomarkers: "five.toml", participants: 20, test: 50,
    hypotheses: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((h) => `plugin = "h${h}"`),
    methods: ["a", "b", "c", "d", "e", "f", "g"].map((id) => `id = "${id}"\nplugin = "chance"`),
  }),
};
writeFileSync(join(folder, "five.toml"), table(["b0", "b1", "b2", "b3", "b4"]));
writeFileSync(join(folder, "hostile-names.toml"), table([hostile.biomarker, "plain", "a'b", "=1+2", "x|y"]));

/** The run folder of a study, and its report. */
export function run(id) {
  writeFileSync(join(folder, `${id}.toml`), experiment(studies[id]()));
  tempo("run", `${id}.toml`, "--out", id, "--jobs", "1");
  return { id, path: join(folder, id), report: join(folder, id, "report.html") };
}
