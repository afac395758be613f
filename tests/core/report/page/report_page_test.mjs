// The report as a reader meets it: in a browser, offline, from a file.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { folder, hostile, run, tempo } from "./runs.mjs";

const require = createRequire(join(process.env.TEMPO_BROWSER_MODULES, "x.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const screenshots = process.env.TEMPO_SCREENSHOTS; // a folder; for looking at them

let browser;
before(async () => {
  // No sandbox: the tests may run as root. The page comes from a file and fetches nothing.
  browser = await chromium.launch({ executablePath: process.env.TEMPO_BROWSER, args: ["--no-sandbox"] });
});
after(() => browser.close());
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

/** Opens a report and waits for its figures. What the console says against it, and what it asks of a network, is kept. */
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asks for ${request.url()}`); });
  const start = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.tempoReport && document.querySelector(".plot svg, #main section"));
  const opened = performance.now() - start;
  await page.evaluate(() => window.tempoReport.drawn);
  const drawn = performance.now() - start;
  return { page, complaints, opened, drawn };
}

/** The figures of a page with how many marks each has drawn: shapes of data, not of axes. */
const marks = (page) => page.evaluate(() =>
  Object.fromEntries([...window.tempoReport.shown].map(([id, { plot }]) =>
    [id, plot.querySelectorAll("svg .mark-symbol path, svg .mark-rect path, svg .mark-line path, svg .mark-rule line").length])));

/** All data that marks of a kind were drawn from, with where they were put. */
const drawnItems = (page, figure, name) => page.evaluate(([figure, name]) => {
  const found = [];
  const visit = (item) => {
    if (item.marktype && (item.name ?? "").includes(name) && item.marktype !== "group")
      found.push(...item.items.map(({ datum, x }) => ({ ...datum, x })));
    for (const child of item.items ?? []) visit(child);
  };
  visit(window.tempoReport.shown.get(figure).view.scenegraph().root);
  return found.map((item) => JSON.parse(JSON.stringify(item)));
}, [figure, name]);

/** All texts in a figure's drawing. */
const textsIn = (page, figure) => page.evaluate((figure) =>
  [...window.tempoReport.shown.get(figure).plot.querySelectorAll("svg text")].map((text) => text.textContent), figure);

/** What a figure says to beware of. */
const notesOf = (page, figure) => page.locator(`#${figure}-title`).locator("xpath=ancestor::article").locator(".notes li").allInnerTexts();

/** The lines below the tables that a terminal shows: why names are marked. */
const linesOnMarks = (text) => text.split("\n").filter((line) => line.startsWith("* "));

async function accessibility(page) {
  await page.evaluate(axe);
  // What is inside the drawings is hidden from readers of the page; their colours are the figures' own.
  const { violations } = await page.evaluate(() => window.axe.run({ exclude: [[".plot svg"]] }, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

/** A table that the program prints as CSV, as objects. */
function csv(text) {
  const rows = [[""]];
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const row = rows.at(-1);
    if (quoted && text[i] === '"' && text[i + 1] === '"') { row[row.length - 1] += '"'; ++i; }
    else if (text[i] === '"') quoted = !quoted;
    else if (!quoted && text[i] === ",") row.push("");
    else if (!quoted && text[i] === "\n") rows.push([""]);
    else row[row.length - 1] += text[i];
  }
  const [head, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(row.map((field, i) => [head[i], field])));
}

/** Checks that points are drawn where their values are: x is a straight line of the value. */
function assertPlaced(items, value) {
  const [low, high] = [items.reduce((a, b) => (b[value] < a[value] ? b : a)), items.reduce((a, b) => (b[value] > a[value] ? b : a))];
  assert.ok(high[value] > low[value]);
  for (const item of items) {
    const expected = low.x + ((item[value] - low[value]) / (high[value] - low[value])) * (high.x - low.x);
    assert.ok(Math.abs(item.x - expected) < 0.01, `${value} ${item[value]} is drawn at ${item.x}, expected ${expected}`);
  }
}

async function assertSound(file, options) {
  const { page, complaints } = await open(file, options);
  assert.deepEqual(complaints, []);
  for (const [figure, count] of Object.entries(await marks(page))) assert.ok(count > 0, `${figure} has no marks`);
  return page;
}

/** Sentences of captions, in every variant of a figure, that are long; and the average of all. The same limits as pages of docs/ have. */
async function assertReadable(page) {
  const texts = await page.evaluate(() => [
    ...[...window.tempoReport.shown.values()].flatMap(({ figure }) => figure.variants.map((choice) => figure.caption(window.tempoReport.report, choice))),
    ...[...document.querySelectorAll(".headline .caption, .headline .words li")].map((item) => item.textContent),
  ]);
  const sentences = [...new Set(texts)].flatMap((text) => text.split(/(?<=[.!?])\s+/)).map((text) => ({ text, words: text.split(/\s+/).filter((word) => /\w/.test(word)).length }));
  assert.ok(sentences.length > 5);
  for (const { text, words } of sentences) assert.ok(words <= 40, `${words} words: ${text}`);
  const average = sentences.reduce((total, { words }) => total + words, 0) / sentences.length;
  assert.ok(average <= 16, `${average.toFixed(1)} words a sentence on average; longest: ${sentences.sort((a, b) => b.words - a.words).slice(0, 5).map(({ text }) => text).join("\n")}`);
}

async function screenshot(page, name) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

describe("a run with everything", { timeout: 600000 }, () => {
  let study;
  before(() => { study = run("full"); });

  test("has every figure, with marks and no complaint", async () => {
    const page = await assertSound(study.report);
    assert.deepEqual(Object.keys(await marks(page)).sort(), [
      "calibration", "calibration-tenths", "cost", "cross-event-times", "cross-staging", "cross-tau-distance", "design", "event-times", "event-times-by-hypothesis",
      "limit-staging", "limit-tau-distance", "ranks", "staging", "staging-by-hypothesis", "status", "tau-distance",
      "tau-distance-by-hypothesis", "training",
    ]);
    const text = await page.innerText("body");
    for (const passage of ["the last epoch was no better", "cannot start with b0", "first column is", "content key", "Licences of the software"])
      assert.ok(text.includes(passage), passage);
  });

  test("draws the numbers of the store, where they belong", async () => {
    const { page } = await open(study.report);
    for (const [figure, metric] of [["tau-distance-by-hypothesis", "tau_distance"], ["staging-by-hypothesis", "stage_mae"], ["event-times-by-hypothesis", "sequence_mae"]]) {
      const expected = csv(tempo("results", study.path, "--metric", metric, "--format", "csv")).filter((row) => row.mean !== "");
      const items = await drawnItems(page, figure, "means_");
      assert.equal(items.length, expected.length);
      for (const row of expected) {
        const item = items.find((each) => each.hypothesis === row.hypothesis && each.method === row.method);
        assert.equal(item.mean, Number(row.mean));
        assert.equal(item.half_width_95, Number(row.half_width_95));
      }
      assertPlaced(items, "mean");
    }
    const fits = csv(readFileSync(join(study.path, "results.csv"), "utf8"))
      .filter((row) => row.status === "ok" && (row.trained_on === "" || row.trained_on === row.hypothesis));
    const dots = await drawnItems(page, "tau-distance", "dots");
    assert.deepEqual(dots.map(({ method, hypothesis, cohort, value }) => [hypothesis, String(cohort), method, value]),
      fits.map((row) => [row.hypothesis, row.cohort, row.method, Number(row.tau_distance)]));
    assertPlaced(dots, "value");
    const cross = csv(tempo("results", study.path, "--table", "cross", "--metric", "stage_mae", "--format", "csv"))
      .filter((row) => row.trained_on && row.hypothesis);
    const cells = (await drawnItems(page, "cross-staging", "cells")).map(({ trained_on, tested_on, mean }) => [trained_on, tested_on, mean]);
    assert.deepEqual(cells, cross.map((row) => [row.trained_on, row.hypothesis, Number(row.mean)]));
    const calibration = csv(tempo("results", study.path, "--table", "calibration", "--format", "csv")).filter((row) => row.posterior === "ranks");
    const shares = await drawnItems(page, "calibration", "means_");
    assert.deepEqual(shares.map(({ hypothesis, method, mean }) => `${hypothesis} ${method} ${mean}`).sort(),
      calibration.map((row) => `${row.hypothesis} ${row.method} ${Number(row.inside_90)}`).sort());
    const [{ method: shown }] = await page.evaluate(() => [window.tempoReport.shown.get("calibration-tenths").choice]);
    const tenths = await drawnItems(page, "calibration-tenths", "tenths_");
    assert.deepEqual(tenths.map(({ tenth, share }) => `${tenth} ${share}`).sort(),
      calibration.filter((row) => row.method === shown).flatMap((row) => Array.from({ length: 10 }, (_, i) => `${i + 1} ${Number(row[`tenth_${i + 1}`])}`)).sort());
    const against = csv(tempo("results", study.path, "--against", "bayes", "--format", "csv")).filter((row) => row.mean !== "");
    const gaps = await drawnItems(page, "limit-tau-distance", "means_");
    assert.deepEqual(gaps.map(({ hypothesis, method, mean }) => `${hypothesis} ${method} ${mean}`).sort(),
      against.map((row) => `${row.hypothesis} ${row.method} ${Number(row.mean)}`).sort());
  });

  test("says how to read a figure in short sentences", async () => {
    for (const id of ["full", "sweep", "real"]) await assertReadable((await open(run(id).report)).page);
  });

  test("names the best of each hypothesis, and says where none can be told", async () => {
    const { page } = await open(study.report);
    const summary = (rows) => page.evaluate((rows) => {
      const { figure, choice } = window.tempoReport.shown.get("tau-distance-by-hypothesis");
      const report = { ...window.tempoReport.report, hypotheses: ["h1", "h3"], models: [], summaries: { tau_distance: rows.map((row) => ({ ...row, sweep: {} })) } };
      return figure.summary(report, choice);
    }, rows);
    const tied = [["a", 0.2, true], ["b", 0.1, true], ["c", 0.5, false], ["bayes", 0, false]].map(([method, mean, best]) => ({ hypothesis: "h1", method, mean, best }));
    const undecided = [["a", 0.2], ["b", 0.1]].map(([method, mean]) => ({ hypothesis: "h3", method, mean, best: false }));
    assert.match(await summary([...tied, ...undecided]), /^Best, or tied with the best, by hypothesis: h1: b \(0\.10*\) and a \(0\.20*\); h3: none can be told from the best\.$/);
  });

  test("exports a figure's data and pictures", async () => {
    const { page, complaints } = await open(study.report, { colorScheme: "dark" });
    const save = async (format, title) => {
      await page.waitForTimeout(150);  // Chromium drops what is above ten downloads in a second: faster than anybody clicks
      const [download] = await Promise.all([
        page.waitForEvent("download").catch(() => assert.fail(`no ${format} of ${title}: ${complaints}`)),
        page.getByRole("button", { name: `${format}: ${title}`, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    for (const [id, title] of await page.evaluate(() => [...window.tempoReport.shown].map(([id, { figure }]) => [id, figure.title]))) {
      const table = await save("CSV", title);
      assert.ok(table.name.startsWith(`full.${id}`) && table.name.endsWith(".csv"), table.name);
      const rows = csv(table.bytes.toString());
      assert.ok(rows.length > 0, id);
      const svg = (await save("SVG", title)).bytes.toString();
      assert.match(svg, /^<svg[^]*<path[^]*<\/svg>$/, id);
      const png = (await save("PNG", title)).bytes;
      assert.equal(png.subarray(1, 4).toString(), "PNG");
      assert.ok(png.length > 5000, id);
    }
    const { bytes } = await save("CSV", "The order of events, hypothesis by hypothesis");
    const expected = csv(tempo("results", study.path, "--format", "csv"));
    assert.deepEqual(csv(bytes.toString()).map(({ hypothesis, method, mean }) => [hypothesis, method, Number(mean)]),
      expected.map(({ hypothesis, method, mean }) => [hypothesis, method, Number(mean)]));
    assert.deepEqual(complaints, []);
  });

  test("can be used by keyboard, and by those who see badly or not", async () => {
    for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["dark", 400]]) {
      const { page } = await open(study.report, { colorScheme, viewport: { width, height: 900 } });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width} px`);
      await screenshot(page, `full-${colorScheme}-${width}`);
      await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
      await page.waitForFunction(() => document.querySelectorAll(".tools details .scroll").length === window.tempoReport.shown.size);
      // Rows are alike, and axe takes its time for each.
      await page.evaluate(() => { for (const row of document.querySelectorAll("tbody tr:nth-child(n+4)")) row.remove(); });
      assert.deepEqual(await accessibility(page), [], `${colorScheme}, ${width} px`);
    }
    const { page } = await open(study.report);
    const figure = page.locator("#tau-distance-title").locator("xpath=ancestor::article");
    assert.match(await figure.locator(".plot").getAttribute("aria-label"), /Medians over cohorts: .*debm_gmm 0\.\d+/);
    await figure.locator("summary").focus();
    await page.keyboard.press("Enter");
    await figure.locator("td").first().waitFor();
    const rows = await figure.locator("tbody tr").count();
    assert.equal(rows, (await drawnItems(page, "tau-distance", "dots")).length);
  });

  test("shows another variant of a figure when asked", async () => {
    const { page, complaints } = await open(study.report);
    const figure = page.locator("#ranks-title").locator("xpath=ancestor::article");
    const before = await figure.locator(".caption").innerText();
    const option = await figure.locator("option").nth(1).innerText();
    await figure.locator("select").selectOption({ index: 1 });
    assert.notEqual(await figure.locator(".caption").innerText(), before);
    assert.ok(option.includes("h1"));
    assert.deepEqual(complaints, []);
  });

  test("marks the true place of each event, by a ring and in words", async () => {
    const { page, complaints } = await open(study.report);
    tempo("simulate", "full.toml", "--out", "simulated");
    const truth = JSON.parse(readFileSync(join(folder, "simulated", "exp1", "true_order_and_stages.json"), "utf8"));
    const order = Object.entries(Object.entries(truth).find(([name]) => name.endsWith("_m0"))[1].true_order);
    const rings = await drawnItems(page, "ranks", "truth");
    assert.deepEqual(rings.map(({ biomarker, place }) => `${biomarker} ${place}`).sort(), order.map(([name, rank]) => `${name} ${rank}`).sort());
    assertPlaced(rings, "place");
    assert.ok((await textsIn(page, "ranks")).includes("true place"));
    const figure = page.locator("#ranks-title").locator("xpath=ancestor::article");
    assert.match(await figure.locator(".caption").innerText(), /A ring is at the true place/);
    const names = order.sort((a, b) => a[1] - b[1]).map(([name]) => name);
    assert.ok((await figure.locator(".plot").getAttribute("aria-label")).includes(`The true order: ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`));
    const table = await page.evaluate(() => { const { figure, choice } = window.tempoReport.shown.get("ranks"); return figure.table(window.tempoReport.report, choice); });
    const column = table.columns.indexOf("true_rank");
    assert.deepEqual(table.rows.map((row) => [row[0], row[column]]).sort(), order.sort());
    assert.deepEqual(complaints, []);
  });

  test("marks models whose training warned", async () => {
    const { page } = await open(study.report);
    assert.match(await page.innerText(".headline"), /learner \*[^]*\* learner: its training on h1, h3 and h6 warned/);
    assert.ok((await textsIn(page, "cross-tau-distance")).includes("h3 *"));
    assert.match((await notesOf(page, "cross-tau-distance")).join(), /h1, h3 and h6: the training warned/);
    for (const figure of ["tau-distance", "staging", "event-times", "tau-distance-by-hypothesis", "staging-by-hypothesis", "event-times-by-hypothesis", "cost", "limit-tau-distance", "limit-staging", "status"]) {
      const shown = (await textsIn(page, figure)).filter((text) => text.endsWith(" *"));
      assert.deepEqual([...new Set(shown)], ["learner *"], figure);
      assert.match((await notesOf(page, figure)).join(), /^\* learner: its training on h1, h3 and h6 warned; on h1: the last epoch was no better/, figure);
    }
    assert.ok((await textsIn(page, "training")).includes("learner on h6 *"));
    assert.ok((await notesOf(page, "training")).includes("* learner on h6: the last epoch was no better"));
  });

  test("is printed on white, whatever the page looks like", async () => {
    const { page } = await open(study.report, { colorScheme: "dark" });
    const ink = () => page.evaluate(() => document.querySelector("#tau-distance-title").closest("article").querySelector("svg text[fill]").getAttribute("fill"));
    assert.equal(await ink(), "#e7eaee");
    await page.emulateMedia({ media: "print" });
    await page.waitForFunction(() => document.querySelector("#tau-distance-title").closest("article").querySelector("svg text[fill]").getAttribute("fill") === "#1d2530");
    assert.ok(!(await page.getByRole("button").first().isVisible()));
    const variant = await page.evaluate(() => window.tempoReport.shown.get("ranks").choice.label);
    assert.ok((await page.locator("#ranks-title").locator("xpath=ancestor::article").innerText()).includes(variant)); // the menu is not printed
    const pdf = await page.pdf({ format: "A4", margin: { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" }, path: screenshots && join(screenshots, "full.pdf") });
    assert.ok(pdf.length > 50000);
  });

  test("gives every figure as a file, without a browser", () => {
    const out = join(folder, "figures");
    const said = tempo("report", study.path, "--figures", out);
    const files = readdirSync(out).filter((name) => name.endsWith(".svg"));
    assert.ok(said.includes(`${files.length} figures in ${out}`), said);
    for (const id of ["tau-distance", "design", "training", "ranks", "limit-staging", "cross-event-times"])
      assert.ok(files.some((name) => name.startsWith(`full.${id}.`)), id);
    for (const name of files) assert.match(readFileSync(join(out, name), "utf8"), /^<svg[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>[^]*<path[^]*<\/svg>$/, name);
    // What is said below a figure is in its file.
    assert.match(readFileSync(join(out, "full.training.svg"), "utf8"), /<desc>[^<]*\* learner on h6: the last epoch was no better/);
    for (const id of ["tau-distance", "staging-by-hypothesis", "cost", "limit-tau-distance", "cross-event-times.learner"])
      assert.match(readFileSync(join(out, `full.${id}.svg`), "utf8"), /<desc>[^<]*\* [^<]* warned; on h1: the last epoch was no better[^<]*<\/desc>[^]*(learner|h1) \*<\/text>/, id);
    assert.match(readFileSync(join(out, files.find((name) => name.startsWith("full.ranks.h1"))), "utf8"), /<desc>[^<]*The true order: /);
  });
});

test("a panel per subtype has the places of its table", { timeout: 600000 }, async () => {
  const study = run("subtypes");
  const page = await assertSound(study.report);
  const rows = csv(tempo("results", study.path, "--table", "subtypes", "--format", "csv"));
  for (const subtype of ["1", "2"]) {
    const items = await drawnItems(page, "subtypes", `subtype_${subtype}`);
    assert.deepEqual(items.map(({ biomarker, place }) => `${biomarker} ${place}`).sort(),
      rows.filter((row) => row.subtype === subtype).map((row) => `${row.biomarker} ${Number(row.place)}`).sort());
    assert.ok(items.length > 2);
  }
});

test("scores of subtypes are shown where cohorts have several orders", { timeout: 600000 }, async () => {
  const study = run("split");
  const page = await assertSound(study.report);
  const rows = csv(readFileSync(join(study.path, "results.csv"), "utf8"));
  for (const [figure, metric] of [["matched-tau-distance", "matched_tau_distance"], ["subtype-score", "subtype_score"], ["subtype-number", "subtype_number_error"]]) {
    const dots = await drawnItems(page, figure, "dots");
    assert.deepEqual(dots.map(({ method, value }) => `${method} ${value.toFixed(4)}`).sort(),
      rows.filter((row) => row[metric] !== "").map((row) => `${row.method} ${Number(row[metric]).toFixed(4)}`).sort(), figure);
  }
  // One too few is no long bar.
  const cell = (method, column) => page.locator(".headline tbody tr", { has: page.getByRole("rowheader", { name: method }) }).locator("td").nth(column);
  const heads = await page.locator(".headline thead th").allInnerTexts();
  const at = heads.findIndex((head) => /number of subtypes/i.test(head)) - 1;
  assert.ok(at > 0, heads.join());
  assert.match(await cell("two", at).innerText(), /^-1/);
  assert.equal(await cell("two", at).locator(".bar").evaluate((bar) => bar.getBoundingClientRect().width), 0);
  assert.ok(await cell("four", at).locator(".bar").evaluate((bar) => bar.getBoundingClientRect().width) > 10);
  const caption = await page.locator(".headline .caption").innerText();
  assert.match(caption, /The best orders of subtypes come first\..*in Subtype score higher is and in Number of subtypes 0 is right/);
});

test("cohorts with one order and with several are ranked by what all have", { timeout: 600000 }, async () => {
  const page = await assertSound(run("split-and-whole").report);
  assert.match(await page.locator(".headline .caption").innerText(), /The best order comes first\./);
});

describe("a real cohort", { timeout: 600000 }, () => {
  let study;
  before(() => { study = run("real"); });

  test("shows what its analysis says, number by number", async () => {
    const page = await assertSound(study.report);
    assert.deepEqual(Object.keys(await marks(page)).sort(), [
      "agreement", "consensus", "design", "distributions", "evidence-differences", "positional-variance", "ranks-of-fits", "stages", "staging-by-diagnosis", "timeline", "training",
    ]);
    const groups = csv(tempo("results", study.path, "--table", "groups", "--format", "csv"));
    const key = ({ method, trained_on, diagnosis, mean }) => `${method} ${trained_on} ${diagnosis} ${Number(mean)}`;
    const items = await drawnItems(page, "staging-by-diagnosis", "means");
    assert.deepEqual(items.map(key).sort(), groups.map(key).sort());
    assertPlaced(items, "mean");
    const places = csv(tempo("results", study.path, "--table", "positional-variance", "--format", "csv"))
      .filter((row) => row.kind === "across" && Number(row.share) >= 0.005);
    const cells = await drawnItems(page, "positional-variance", "cells");
    assert.deepEqual(cells.map(({ biomarker, place, share }) => `${biomarker} ${place} ${share}`).sort(),
      places.map((row) => `${row.biomarker} ${Number(row.place)} ${Number(row.share)}`).sort());
    // A bar per stage, of its whole width at the first and last, and as high as its share.
    const bars = await page.evaluate(() => {
      const { view, choice } = window.tempoReport.shown.get("stages");
      const found = [];
      const visit = (item) => {
        if (item.marktype === "rect" && (item.name ?? "").includes("shares_")) found.push(...item.items.map(({ datum, width, height }) => ({ ...datum, width, height })));
        for (const child of item.items ?? []) visit(child);
      };
      visit(view.scenegraph().root);
      return { found: JSON.parse(JSON.stringify(found)), rows: choice.rows };
    });
    assert.deepEqual(bars.found.map(({ diagnosis, stage, participants }) => `${diagnosis} ${stage} ${participants}`),
      bars.rows.map(({ diagnosis, stage, participants }) => `${diagnosis} ${stage} ${participants}`));
    const tallest = bars.found.reduce((a, b) => (b.share > a.share ? b : a));
    for (const bar of bars.found) {
      assert.ok(Math.abs(bar.width - tallest.width) < 0.01, `stage ${bar.stage} is ${bar.width} wide`);
      assert.ok(Math.abs(bar.height - (bar.share / tallest.share) * tallest.height) < 0.01, `${bar.share} is ${bar.height} high`);
    }
    const evidence = csv(tempo("results", study.path, "--table", "evidence", "--format", "csv"));
    const differences = await drawnItems(page, "evidence-differences", "differences");
    assert.deepEqual(differences.map((item) => `${item.assumed} ${item.mean_difference} ${item.difference_se}`).sort(),
      evidence.map((row) => `${row.method} ${Number(row.mean_difference)} ${Number(row.difference_se)}`).sort());
    assertPlaced(differences, "mean_difference");
    assert.match(await page.innerText(".tiles"), /Participants\s+150\s+CN 31, /);
    assert.deepEqual(await accessibility(page), []);
    await screenshot(page, "real");
    await page.close();
    const dark = await assertSound(study.report, { colorScheme: "dark" });
    assert.deepEqual(await accessibility(dark), []);
  });

  test("marks what a terminal marks, and says why in the same words", async () => {
    const { page, complaints } = await open(study.report);
    const lines = linesOnMarks(tempo("results", study.path, "--table", "ranks"));
    const marked = lines.map((line) => line.slice(2, line.indexOf(":")));
    assert.ok(marked.includes("learner on h3") && marked.some((name) => name.startsWith("bayes on")), lines.join("\n"));
    assert.ok(lines.at(-1).includes("do not tell healthy from diseased"), lines.at(-1));
    const biomarkers = marked.at(-1).split(", "), fits = marked.slice(0, -1);
    for (const figure of ["ranks-of-fits", "positional-variance"])
      assert.deepEqual(linesOnMarks((await notesOf(page, figure)).join("\n")), lines, figure);
    for (const [figure, names] of [
      ["ranks-of-fits", [...biomarkers, ...fits]], ["positional-variance", biomarkers], ["timeline", [...biomarkers, ...fits.filter((fit) => fit.endsWith("h9"))]],
      ["staging-by-diagnosis", fits], ["agreement", fits], ["evidence-differences", fits.filter((fit) => fit.startsWith("bayes")).map((fit) => fit.replace(" on ", " under "))],
    ]) {
      const shown = (await textsIn(page, figure)).filter((text) => text.endsWith(" *")).map((text) => text.slice(0, -2));
      assert.deepEqual([...new Set(shown)].sort(), [...names].sort(), figure);
    }
    // A figure of one fit has the mark beside its name, and its reasons alone.
    const stages = page.locator("#stages-title").locator("xpath=ancestor::article");
    assert.deepEqual(await notesOf(page, "stages"), []);
    await stages.locator("select").selectOption({ label: "learner on h3 *" });
    assert.deepEqual(await notesOf(page, "stages"), lines.filter((line) => line.startsWith("* learner on h3:")));
    // The same in the data: what a terminal's CSV has.
    const expected = csv(tempo("results", study.path, "--table", "timeline", "--format", "csv"));
    const table = await page.evaluate(() => { const { figure, choice } = window.tempoReport.shown.get("timeline"); return figure.table(window.tempoReport.report, choice); });
    const column = Object.fromEntries(table.columns.map((name, i) => [name, i]));
    assert.ok(table.rows.length > 0);
    for (const row of table.rows) {
      const same = expected.find((each) => ["method", "trained_on", "kind", "biomarker"].every((name) => each[name] === row[column[name]]));
      assert.deepEqual([row[column.doubts], row[column.separates]].map((value) => String(value ?? "")), [same.doubts, same.separates]);
    }
    assert.deepEqual(complaints, []);
  });

  test("shows the groups' values and what was fitted to them", async () => {
    const { page, complaints } = await open(study.report);
    const found = await page.evaluate(() => window.tempoReport.report.analysis.distributions);
    assert.equal(found.length, 12);
    const texts = await textsIn(page, "distributions");
    const lines = linesOnMarks((await notesOf(page, "distributions")).join("\n"));
    const marked = lines.filter((line) => line.includes("do not tell healthy")).flatMap((line) => line.slice(2, line.indexOf(":")).split(", "));
    assert.ok(marked.length > 0);
    for (const [i, { biomarker, healthy, diseased, low, high, post_share, pre_event, post_event }] of found.entries()) {
      assert.ok(texts.includes(marked.includes(biomarker) ? `${biomarker} *` : biomarker), biomarker);
      const bars = await drawnItems(page, "distributions", `bars_${i}_marks`);
      assert.deepEqual(bars.map(({ shown }) => shown), [...healthy, ...diseased]);
      for (const group of ["healthy", "diseased"]) {
        const area = bars.filter((bar) => bar.group === group).reduce((total, { density }) => total + density * (high - low) / healthy.length, 0);
        assert.ok(Math.abs(Math.abs(area) - 1) < 1e-9, `${group} of ${biomarker}: ${area}`);
      }
      // The healthy above the line, the diseased and what is fitted to them below it.
      assert.ok(bars.every(({ group, density }) => (group === "healthy" ? density >= 0 : density <= 0)));
      const curves = await page.evaluate(([i, low, high]) => {
        const { figure, choice } = window.tempoReport.shown.get("distributions");
        return figure.spec(window.tempoReport.report, choice, 900).concat[i].layer.at(-1).data.values;
      }, [i, low, high]);
      const at = (part) => curves.filter((point) => point.key === part)[50];
      const normal = ({ mean, sd }, x) => Math.exp(-((x - mean) ** 2) / (2 * sd * sd)) / (sd * Math.sqrt(2 * Math.PI));
      const { x } = at("healthy before its event");
      assert.ok(Math.abs(at("healthy before its event").y - normal(pre_event, x)) < 1e-12);
      const mixture = -(1 - post_share) * normal(pre_event, x) - post_share * normal(post_event, x);
      assert.ok(Math.abs(at("diseased both together").y - mixture) < 1e-12);
    }
    assert.deepEqual(complaints, []);
  });

  test("says that a direction looks wrong where it does", async () => {
    const { page } = await open(study.report);
    const note = await page.evaluate(() => {
      const { figure, choice } = window.tempoReport.shown.get("distributions");
      const { report } = window.tempoReport;
      const [row] = choice.rows;
      const odd = { ...choice, rows: [{ ...row, direction_is_odd: true, mean_difference: -1, pre_event: { mean: 0, sd: 1 }, post_event: { mean: 2, sd: 1 } }] };
      return [row.biomarker, figure.notes(report, odd).at(-1), JSON.stringify(figure.spec(report, odd, 900).concat[0].title.text)];
    });
    assert.equal(note[1], `* ${note[0]}: its direction looks wrong. By the fit it rises with its event, but the diseased have lower values than the healthy, by mean and median`);
    assert.equal(note[2], JSON.stringify(`${note[0]} *`));
  });

  test("shows the consensus order, and what does not count in it", async () => {
    const { page, complaints } = await open(study.report);
    const rows = csv(tempo("results", study.path, "--table", "consensus", "--format", "csv"));
    const items = await drawnItems(page, "consensus", "marks");
    assert.deepEqual(items.map(({ name, kind, at }) => `${name} ${kind} ${at}`).sort(), [
      ...rows.filter((row) => row.kind === "kemeny").map((row) => `${row.biomarker} place (Kemeny) ${row.place}`),
      ...rows.filter((row) => row.kind === "borda").map((row) => `${row.biomarker} mean rank (Borda) ${Number(row.value)}`),
    ].sort());
    assertPlaced(items, "at");
    const notes = await notesOf(page, "consensus");
    const said = tempo("results", study.path, "--table", "consensus");
    assert.ok(said.includes("2 of 5 fits do not count in what is said over fits"), said);
    for (const line of ["2 of 5 fits do not count in what is said over fits (--fits FIT counts them):", "2, since the training of the model warned: learner on h3, learner on h9"])
      assert.ok(notes.includes(line), notes.join("\n"));
    await page.locator("#consensus-title").locator("xpath=ancestor::article").locator("select").selectOption({ index: 1 });
    const distances = rows.filter((row) => row.kind === "kemeny distance" && row.method);
    await page.waitForFunction(() => window.tempoReport.shown.get("consensus").plot.textContent.includes("does not count"));
    const drawn = await drawnItems(page, "consensus", "marks");
    assert.deepEqual(drawn.map(({ name, kind, at }) => `${name} ${kind} ${at}`).sort(),
      distances.map((row) => `${row.method}${row.trained_on ? ` on ${row.trained_on}` : ""} ${row.counts === "true" ? "counts" : "does not count"} ${Number(row.value)}`).sort());
    assert.deepEqual(complaints, []);
  });

  test("says which fits a timeline leaves out", async () => {
    const { page } = await open(study.report);
    const notes = await notesOf(page, "timeline");
    assert.ok(notes.includes("Left out, since under their hypotheses events have ranks, and no times: learner on h3"), notes.join("\n"));
    assert.ok(notes.includes("Left out, since they give no times of events: debm_gmm and bayes on h3"), notes.join("\n"));
    assert.match(tempo("results", study.path, "--table", "timeline"), /1 fit is left out: under their hypotheses events have ranks, and no times/);
    const shown = await drawnItems(page, "timeline", "fits");
    assert.deepEqual([...new Set(shown.map(({ fit }) => fit))].sort(), ["bayes on h9", "learner on h9"]);
  });
});

describe("runs at the edges", { timeout: 600000 }, () => {
  test("a sweep: scores along it; each other figure shows a point, and the next when asked", async () => {
    const study = run("sweep");
    const page = await assertSound(study.report);
    const expected = csv(tempo("results", study.path, "--format", "csv")).filter((row) => row.mean !== "");
    const along = (await drawnItems(page, "sweep", "means_")).filter((item) => item.hypothesis !== null);
    assert.deepEqual(along.map((item) => `${item.hypothesis} ${item.method} ${item.at} ${item.mean}`).sort(),
      expected.map((row) => `${row.hypothesis} ${row.method} ${row["cohorts.participants"]} ${Number(row.mean)}`).sort());
    for (const panel of ["h3", "h6"]) assertPlaced(along.filter((item) => item.hypothesis === panel), "at");
    // Two that are best at equally many points are both named.
    assert.match(await page.innerText(".tiles"), /Best order\s+debm_gmm and twin\s+each best or tied at 2 of 2 points of the sweep/i);
    const select = page.locator("#tau-distance-by-hypothesis-title").locator("xpath=ancestor::article").locator("select");
    for (const [index, participants] of [[0, "40"], [1, "60"]]) {
      await select.selectOption({ index });
      await page.waitForTimeout(300);
      const items = await drawnItems(page, "tau-distance-by-hypothesis", "means_");
      assert.deepEqual(items.map(({ mean }) => mean).sort(),
        expected.filter((row) => row["cohorts.participants"] === participants).map((row) => Number(row.mean)).sort());
    }
  });

  test("a sweep over two keys: one stays, or has a plot per value; steps are those of the table", async () => {
    const study = run("grid");
    const page = await assertSound(study.report);
    const labels = await page.evaluate(() => window.tempoReport.shown.get("sweep").figure.variants.map(({ label }) => label));
    for (const label of ["tau distance by participants, healthy_ratio = 0.25", "tau distance by participants for each healthy_ratio", "tau distance by healthy_ratio for each participants"])
      assert.ok(labels.includes(label), labels.join("\n"));
    // 40, 80, 160 go up by a factor: they stand at equal distances.
    const along = await drawnItems(page, "sweep", "means_");
    const [first, second, third] = [40, 80, 160].map((at) => along.find((item) => item.at === at).x);
    assert.ok(Math.abs(third - second - (second - first)) < 0.01, `${first} ${second} ${third}`);
    const steps = csv(tempo("results", study.path, "--table", "curve", "--format", "csv")).filter((row) => row.from !== "" && row["cohorts.healthy_ratio"] === "0.25");
    assert.equal(steps.length, 4);
    assert.deepEqual((await drawnItems(page, "sweep-steps", "means_")).map((item) => `${item.method} ${item.from} ${item.at} ${item.change} ${item.half}`).sort(),
      steps.map((row) => `${row.method} ${row.from} ${row["cohorts.participants"]} ${Number(row.change)} ${Number(row.change_half_width_95)}`).sort());
    assert.match((await notesOf(page, "sweep-steps")).join(), /the same true order at all points/);

    const out = join(folder, "grid-figures");
    tempo("report", study.path, "--figures", out);
    const alone = readFileSync(join(out, "grid.sweep.tau-distance-by-participants-healthy_ratio-0.25.svg"), "utf8");
    assert.ok(alone.includes(">healthy_ratio = 0.25<"));
    const facets = readFileSync(join(out, "grid.sweep.tau-distance-by-participants-for-each-healthy_ratio.svg"), "utf8");
    for (const panel of [">healthy_ratio = 0.25<", ">healthy_ratio = 0.5<"]) assert.ok(facets.includes(panel), panel);
  });

  test("says which cells are empty on purpose, and why", async () => {
    const { page } = await open(run("sweep").report);
    const note = "8 fits not applicable: h3_only under h6, h9: its 'hypotheses' leave it out";
    assert.ok((await page.innerText(".headline")).includes(note));
    assert.ok((await notesOf(page, "tau-distance-by-hypothesis")).includes(note));
  });

  test("errors of ranks and of times are told apart, and have chance where it is known", async () => {
    const { page } = await open(run("sweep").report);
    const note = "Compare errors within one kind of hypothesis only: those with ranks (h3 and h6), or those with times (h9).";
    for (const figure of ["event-times", "event-times-by-hypothesis"])
      assert.ok((await notesOf(page, figure)).some((line) => line.startsWith(note) && line.includes("(B² - 1) / 3B = 1.60 for ranks")), figure);
    assert.ok((await page.innerText(".headline")).includes(note));
    assert.ok(!(await notesOf(page, "tau-distance")).join().includes(note));
    // Dashed lines, by the plots that have one.
    const lines = await page.evaluate(() =>
      window.tempoReport.shown.get("event-times-by-hypothesis").plot.querySelectorAll("svg .mark-rule line[stroke-dasharray='5,4']").length);
    assert.equal(lines, 2);
    const named = async (figure) => (await textsIn(page, figure)).filter((text) => text === "chance").length;
    assert.equal(await named("tau-distance"), 2); // the method, and the line
    assert.equal(await named("event-times"), 1); // of ranks and times together there is no one value
  });

  test("one cohort, one method", async () => {
    const page = await assertSound(run("single").report);
    assert.deepEqual(await accessibility(page), []);
  });

  test("shows names in place of ids, and ids in CSV; marks what is from outside", async () => {
    const study = run("named");
    writeFileSync(join(folder, "mine.csv"), "hypothesis,cohort,method,tau_distance\nh3,0,mine,0.25\n");
    tempo("report", study.path, "--with", "mine.csv", "--out", "with_mine.html");
    const page = await assertSound(join(folder, "with_mine.html"));
    const rows = await page.evaluate(() => [...document.querySelectorAll(".headline tbody tr")].map((row) => row.querySelector("th").textContent));
    assert.deepEqual(rows.sort(), ['Ranks & "uniform" stages', "chance", "mineoutside"].sort());
    assert.ok((await textsIn(page, "tau-distance-by-hypothesis")).some((text) => text.startsWith("Ranks & ")));
    const [download] = await Promise.all([
      page.waitForEvent("download"), page.getByRole("button", { name: "CSV: All methods at a glance", exact: true }).click(),
    ]);
    const methods = csv(readFileSync(await download.path()).toString()).map(({ method }) => method);
    assert.deepEqual([...new Set(methods)].sort(), ["chance", "debm_gmm", "mine"]);
    const names = 'Ranks & "uniform" stages';
    const cells = await page.evaluate((name) => withIds({ columns: ["hypothesis", "method", "biomarker"], rows: [[name, name, name]] }), names);
    assert.deepEqual(cells, [["h3", "debm_gmm", names]]);
  });

  test("says which experiments were joined", async () => {
    run("single"), run("named");
    tempo("merge", "named", "single", "--out", "joined");
    const page = await assertSound(join(folder, "joined", "report.html"));
    const facts = await page.innerText("section:last-of-type .facts");
    assert.match(facts, /joined: named/);
    assert.match(facts, /joined: single/);
    const lock = await page.evaluate(() => [...document.querySelectorAll("pre")].map((text) => text.textContent).join());
    assert.ok(lock.includes("# ---- named.lock.toml") && lock.includes("# ---- single.lock.toml"));
  });

  test("a real cohort with one fit that knows an order only", async () => {
    const page = await assertSound(run("lone").report);
    assert.deepEqual(Object.keys(await marks(page)).sort(), ["distributions", "positional-variance", "ranks-of-fits", "stages", "staging-by-diagnosis"]);
    assert.ok((await notesOf(page, "ranks-of-fits")).includes("There is no timeline beside this, since no fit gives times of events."));
    assert.deepEqual(await accessibility(page), []);
  });

  test("100 biomarkers", async () => {
    const page = await assertSound(run("hundred").report);
    assert.equal(await page.evaluate(() => window.tempoReport.shown.get("ranks").choice.posterior.biomarkers.length), 100);
    await screenshot(page, "hundred");
  });

  test("names that are no names are text", async () => {
    const study = run("hostile");
    const page = await assertSound(study.report);
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.innerText("h1"), hostile.experiment);
    assert.equal(await page.evaluate(() => document.querySelectorAll("img, main b, main script").length), 0);
    assert.ok((await page.innerText(".headline")).includes(hostile.method.trim()));
    const shown = await page.evaluate(() => {
      const { figure, choice } = window.tempoReport.shown.get("ranks");
      return figure.table(window.tempoReport.report, choice).rows.map((row) => row[0]);
    });
    assert.ok(shown.includes(hostile.biomarker));
    // Names that mean something else in JavaScript are drawn, and are themselves in files.
    const csvOfRanks = await page.evaluate(() => {
      const { figure, choice } = window.tempoReport.shown.get("ranks");
      return csvOf(figure.table(window.tempoReport.report, choice));
    });
    for (const name of ["constructor", "__proto__"]) assert.ok(csv(csvOfRanks).some((row) => row.biomarker === name), name);
    assert.deepEqual(await accessibility(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await screenshot(page, "hostile");
    const out = join(folder, "hostile-figures");
    tempo("report", study.path, "--figures", out);
    assert.ok(readdirSync(out).length > 5);
    const isSound = await page.evaluate((texts) => texts.map((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror") === null),
      readdirSync(out).map((name) => readFileSync(join(out, name), "utf8")));
    assert.ok(isSound.every(Boolean));
    assert.ok((await page.locator("option").allInnerTexts()).some((text) => text.endsWith("… *"))); // a mark is not cut off with a long name
  });

  test("450 cohorts and 7 methods weigh less than 6 MB", async (context) => {
    const { report } = run("large");
    const megabytes = statSync(report).size / 1e6;
    assert.ok(megabytes < 6, `${megabytes} MB`);
    const { page, complaints, opened, drawn } = await open(report);
    assert.deepEqual(complaints, []);
    context.diagnostic(`${megabytes.toFixed(2)} MB, first figure after ${Math.round(opened)} ms, all after ${Math.round(drawn)} ms`);
    assert.equal((await drawnItems(page, "tau-distance", "dots")).length, 3150);
    await screenshot(page, "large");
  });

  test("plots of nine hypotheses fit a page of paper, three by three", () => {
    const out = join(folder, "large-figures");
    tempo("report", run("large").path, "--figures", out);
    for (const metric of ["tau-distance", "staging", "event-times"]) {
      const svg = readFileSync(join(out, `450-cohorts-7-methods.${metric}-by-hypothesis.svg`), "utf8");
      const [, width, height] = svg.match(/^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/).map(Number);
      const cm = 96 / 2.54;
      assert.ok(width <= 17 * cm && height <= 24 * cm, `${metric}: ${width} x ${height}`);
    }
  });
});
