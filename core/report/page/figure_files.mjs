// Draws every figure of a finished report into a file, without a browser.
//   node figure_files.mjs REPORT.html FOLDER svg|png|pdf
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const [, , page, folder, format] = process.argv;
const html = readFileSync(page, "utf8");

/** The text of a <script> of the page. */
function script(id) {
  const start = html.indexOf(">", html.indexOf(`id="${id}"`)) + 1;
  return html.slice(start, html.indexOf("</script", start));
}
for (const id of ["vega", "vega-lite"]) runInThisContext(script(id), { filename: `${id}.js` });
const { vega, vegaLite } = globalThis;
const { described, figuresOf, fileName, parsedReport, themeConfig } = runInThisContext(
  `(() => { ${script("figures")}\n return { described, figuresOf, fileName, parsedReport, themeConfig }; })()`, { filename: "figures.js" });

// Vega guesses the widths of texts where there is no browser; this is Helvetica's, near enough.
const widths = new Map([..."ijl|'.,:;!"].map((c) => [c, 0.25]).concat([..."frtI()[]/ -\"*"].map((c) => [c, 0.32]),
  [..."mM%W@—"].map((c) => [c, 0.87]), [..."ABCDEFGHKNOPQRSTUVXYZ&w+=<>~"].map((c) => [c, 0.68])));
vega.textMetrics.width = (item, text) =>
  [...(text ?? "").toString()].reduce((total, c) => total + (widths.get(c) ?? 0.54), 0) * (item.fontSize ?? 11);

/** 17 cm at 96 dots per inch: the text width of an A4 page. */
const width = 640;
const config = { ...themeConfig(false, "Helvetica, Arial, Liberation Sans, sans-serif"), background: "white", padding: 6 };
const converted = format !== "svg";
const report = parsedReport(script("report"));
const used = new Set();
let written = 0;
for (const figure of figuresOf(report))
  for (const choice of figure.variants) {
    const spec = vegaLite.compile(figure.spec(report, choice, width), { config, logger: vega.logger(vega.Error) }).spec;
    const svg = await new vega.View(vega.parse(spec), { renderer: "none", logLevel: vega.Error }).toSVG();
    let name = fileName(report, figure, choice);
    for (let copy = 2; used.has(name); ++copy) name = `${fileName(report, figure, choice)}-${copy}`;
    used.add(name);
    const file = join(folder, `${name}.svg`);
    writeFileSync(file, described(svg, report, figure, choice));
    if (converted) {
      const out = join(folder, `${name}.${format}`);
      const scale = format === "png" ? ["--zoom", "3"] : [];
      const { error, status, stderr } = spawnSync("rsvg-convert", ["--format", format, ...scale, "--output", out, file]);
      rmSync(file);
      if (error?.code === "ENOENT") {
        console.error(`${format} files are made by rsvg-convert, which is not here (Debian: apt install librsvg2-bin); --format svg needs nothing more`);
        process.exit(1);
      }
      if (status !== 0) {
        console.error(`rsvg-convert could not make ${out}: ${error ?? stderr}`);
        process.exit(1);
      }
    }
    ++written;
  }
console.log(written === 1 ? `1 figure in ${folder}` : `${written} figures in ${folder}`);
