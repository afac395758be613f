// Puts the page of the report together: page.html with its style, libraries and code inlined.
//   node assemble.mjs NODE_MODULES OUT.html
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [, , modules, out] = process.argv;

/** Code as it may stand inside a <script> element. */
const inline = (code) =>
  code.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--").replace(/^\/\/# sourceMappingURL=.*$/gm, "");

const read = (...path) => readFileSync(join(here, ...path), "utf8");
const library = (name, file) => inline(readFileSync(join(modules, name, "build", file), "utf8"));

/** The licence of every package whose code is inlined, each text once. */
function licences() {
  const texts = new Map();
  for (const name of readdirSync(modules).sort()) {
    if (/^[.@]/.test(name)) continue; // @types holds no code
    const folder = join(modules, name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}`).join(`\n\n${"-".repeat(80)}\n\n`);
}

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const figures = ["common.js", ...readdirSync(join(here, "figures")).sort().map((file) => join("figures", file))];
const parts = {
  style: read("page.css"),
  vega: library("vega", "vega.min.js"),
  "vega-lite": library("vega-lite", "vega-lite.min.js"),
  "vega-embed": library("vega-embed", "vega-embed.min.js"),
  figures: inline(figures.map((file) => read(file)).join("\n")),
  page: inline(read("page.js")),
  licences: escaped(licences()),
};
// A function as replacement: `$&` in minified code means nothing.
writeFileSync(out, read("page.html").replace(/\{\{([a-z-]+)\}\}/g, (whole, name) => parts[name] ?? whole));
