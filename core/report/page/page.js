"use strict";
// The page: shows the figures, and what is no figure, in a browser.

const report = parsedReport(document.getElementById("report").textContent);
const shown = new Map(); // figure id -> {figure, choice, view, plot, draw}

/** An element with properties and children; texts are only ever texts. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && !key.startsWith("aria")) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// ---- Light and dark ---------------------------------------------------------------------------

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const printing = matchMedia("print");
let wanted = "auto";
const isDark = () => !printing.matches && (wanted === "auto" ? prefersDark.matches : wanted === "dark");

function applyTheme() {
  const dark = isDark();
  if (document.documentElement.hasAttribute("data-dark") === dark) return;
  document.documentElement.toggleAttribute("data-dark", dark);
  for (const entry of shown.values()) if (entry.view) entry.draw();
}

for (const button of document.querySelectorAll(".theme button"))
  button.addEventListener("click", () => {
    wanted = button.dataset.theme;
    for (const other of document.querySelectorAll(".theme button"))
      other.setAttribute("aria-pressed", String(other === button));
    applyTheme();
  });
prefersDark.addEventListener("change", applyTheme);
printing.addEventListener("change", () => {
  applyTheme();
  if (printing.matches) for (const entry of shown.values()) if (!entry.view) entry.draw();
});

// ---- Tables -----------------------------------------------------------------------------------

const isNumber = (value) => typeof value === "number";
const cellText = (value) =>
  value === null || value === undefined ? "" : isNumber(value) && !Number.isInteger(value) ? String(Number(value.toPrecision(6))) : String(value);

/** A table in a box of its own that scrolls, by keyboard too. */
function tableOf({ columns, rows }, title) {
  const numeric = columns.map((_, i) => rows.some((row) => isNumber(row[i])) && rows.every((row) => row[i] === null || isNumber(row[i])));
  const cellClass = (i) => (numeric[i] ? "number" : "text");
  const head = make("tr", {}, ...columns.map((column, i) => make("th", { scope: "col", className: numeric[i] ? "number" : "" }, column)));
  const body = rows.map((row) =>
    make("tr", {}, ...row.map((value, i) =>
      i === 0 ? make("th", { scope: "row" }, cellText(value)) : make("td", { className: cellClass(i) }, cellText(value)))));
  return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": title },
    make("table", {}, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...body)));
}

const csvField = (value) => {
  const text = value === null || value === undefined ? "" : asGiven(String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
/** Columns of ids, and the kind of what has these. */
const kindOfIds = new Map([
  ...["method", "other_method"].map((column) => [column, "methods"]),
  ...["hypothesis", "trained_on", "other_trained_on", "tested_on"].map((column) => [column, "hypotheses"]),
]);
/** Of names that are shown in place of ids the ids: programs know things by these. */
const withIds = ({ columns, rows }) => {
  const ids = columns.map((column) => report.names[kindOfIds.get(column)] ?? {});
  return rows.map((row) => row.map((cell, i) => (typeof cell === "string" && Object.hasOwn(ids[i], cell) ? ids[i][cell] : cell)));
};
const csvOf = (table) => [table.columns, ...withIds(table)].map((row) => row.map(csvField).join(",")).join("\n") + "\n";

// ---- Files ------------------------------------------------------------------------------------

function download(href, name) {
  make("a", { href, download: name }).click();
}
function downloadText(text, type, name) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  download(href, name);
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** A figure on white paper, whatever the page looks like. */
function paperView(figure, choice) {
  const spec = vegaLite.compile(figure.spec(report, choice, 900), { config: { ...themeConfig(false), background: "#ffffff", padding: 12 } }).spec;
  return new vega.View(vega.parse(spec), { renderer: "none" });
}

const exporters = {
  CSV: async (figure, choice, name) => downloadText(csvOf(figure.table(report, choice)), "text/csv", `${name}.csv`),
  SVG: async (figure, choice, name) => downloadText(described(await paperView(figure, choice).toSVG(), report, figure, choice), "image/svg+xml", `${name}.svg`),
  PNG: async (figure, choice, name) => download(await paperView(figure, choice).toImageURL("png", 3), `${name}.png`),
};

// ---- Figures ----------------------------------------------------------------------------------

/** Draws what comes into sight first, and the rest when there is time. */
const waiting = new Set();
const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) drawWaiting(shown.get(target.dataset.figure));
}, { rootMargin: "300px" });

function drawWaiting(entry) {
  if (!waiting.delete(entry)) return null;
  inSight.unobserve(entry.plot);
  return (entry.drawn = entry.draw());
}

async function drawTheRest() {
  for (const entry of [...waiting]) {
    await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve, { timeout: 100 }));
    await drawWaiting(entry);
  }
  await Promise.all([...shown.values()].map(({ drawn }) => drawn));  // those in sight began by themselves
}

/** A label that fits a menu; a mark of doubt in what is cut off is kept. */
function menuText(label) {
  const text = shortened(label, 80);
  return text !== label && label.includes(mark) && !text.includes(mark) ? text + mark : text;
}

/** What to beware of, a line each. */
const notesList = (lines) => make("ul", { className: "notes", hidden: lines.length === 0 }, ...lines.map((line) => make("li", {}, line)));

function figureCard(figure) {
  const heading = make("h3", { id: `${figure.id}-title` }, figure.title);
  const drawing = make("div");
  const plot = make("div", { className: "plot", role: "img", tabIndex: 0 }, drawing);
  plot.dataset.figure = figure.id;
  const caption = make("p", { className: "caption", id: `${figure.id}-caption` });
  let notes = notesList([]);
  const variant = make("p", { className: "variant" });
  const data = make("details", {}, make("summary", {}, "Data"));
  const tools = make("div", { className: "tools" }, data);
  const entry = { figure, choice: figure.variants[0], plot, view: null, width: 0 };

  entry.draw = async () => {
    entry.width = plot.clientWidth || 900;
    const spec = figure.spec(report, entry.choice, entry.width);
    const { view } = await vegaEmbed(drawing, spec, {
      mode: "vega-lite", actions: false, renderer: "svg", config: themeConfig(isDark()), tooltip: { theme: isDark() ? "dark" : "light" },
    });
    entry.view = view;
    for (const name of ["role", "aria-label", "aria-roledescription"]) drawing.removeAttribute(name);  // the plot has better ones
    drawing.querySelector("svg").setAttribute("aria-hidden", "true");
  };
  const say = () => {
    caption.textContent = figure.caption(report, entry.choice);
    variant.textContent = entry.choice.label;
    const list = notesList(figure.notes?.(report, entry.choice) ?? []);
    notes.replaceWith(list);
    notes = list;
    plot.setAttribute("aria-label", `${figure.title} ${figure.summary(report, entry.choice)}`);
    data.querySelector(".scroll")?.remove();
    if (data.open) showData();
  };
  const showData = () => data.append(tableOf(figure.table(report, entry.choice), `Data: ${figure.title}`));
  data.addEventListener("toggle", () => { if (data.open && !data.querySelector(".scroll")) showData(); });

  const head = make("div", { className: "head" }, heading);
  if (figure.variants.length > 1) {
    const select = make("select", {}, ...figure.variants.map((choice, i) => make("option", { value: i }, menuText(choice.label))));
    select.addEventListener("change", () => {
      entry.choice = figure.variants[Number(select.value)];
      say();
      entry.draw();
    });
    head.append(make("label", {}, "Show", select));
  }
  for (const [format, write] of Object.entries(exporters)) {
    const button = make("button", { type: "button", "aria-label": `${format}: ${figure.title}` }, format);
    button.addEventListener("click", () => write(figure, entry.choice, fileName(report, figure, entry.choice)));
    tools.append(button);
  }
  say();
  shown.set(figure.id, entry);
  waiting.add(entry);
  inSight.observe(plot);
  return make("article", { className: "card", "aria-labelledby": heading.id }, head, variant, plot, caption, notes, tools);
}

// ---- What is no figure ------------------------------------------------------------------------

/** Whether the run did not fit a method: its scores were added. */
const isOutside = (id) => report.methods.some((method) => method.id === id && method.outside);

/** Methods over all hypotheses, the best first. */
function headline(choice) {
  const rows = Object.fromEntries(report.metrics.map(({ name }) => [name, report.overall[name].filter(isAt(report, choice))]));
  const of = (metric, method) => rows[metric].find((row) => row.method === method);
  const order = (method) => of(report.ranked_by, method)?.mean ?? Infinity;
  // Scores from outside may lack seconds.
  const counts = (method) => ["seconds", ...report.metrics.map(({ name }) => name)].map((name) => of(name, method)).find((row) => row?.planned > 0);
  const methods = methodIds(report).filter(counts).sort((a, b) => order(a) - order(b) || 0);
  const metrics = report.metrics.filter(({ name }) => rows[name].some((row) => row.mean !== null));
  const doubtful = warnedMethods(report, methods);
  const highest = (metric) => Math.max(...rows[metric].map((row) => row.mean ?? 0));
  const cell = ({ name, decimals }, method) => {
    const row = of(name, method);
    if (!row || row.mean === null) return make("td", { className: "number" }, "–");
    const interval = row.half_width_95 === null ? null : make("span", { className: "interval" }, ` ± ${number(row.half_width_95, decimals)}`);
    const bar = make("span", { className: "bar", "aria-hidden": "true" });
    bar.style.width = `${highest(name) > 0 ? Math.max(0, (100 * row.mean) / highest(name)) : 0}%`;
    return make("td", { className: row.best ? "number best" : "number" }, number(row.mean, decimals), interval, bar);
  };
  const head = make("tr", {}, make("th", { scope: "col" }, "Method"), make("th", { scope: "col" }, "Labels"),
    ...metrics.map(({ name }) => make("th", { scope: "col", className: "number" }, plainMetric(name))),
    make("th", { scope: "col", className: "number" }, report.cohorts.length ? "Fits" : "Scored"));
  const body = methods.map((method) => {
    const { scored, planned, labels } = counts(method);
    return make("tr", {}, make("th", { scope: "row" }, marked(method, doubtful), method === report.about.limit ? make("span", { className: "tag" }, "limit") : null, isOutside(method) ? make("span", { className: "tag" }, "outside") : null), make("td", {}, labels), ...metrics.map((metric) => cell(metric, method)),
      make("td", { className: scored < planned ? "number bad" : "number" }, `${scored} of ${planned}`));
  });
  return make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Methods over all hypotheses" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function headlineCard() {
  const choices = pointChoices(report);
  const place = make("div", {}, headline(choices[0]));
  const head = make("div", { className: "head" }, make("h3", { id: "headline-title" }, "All methods at a glance"));
  if (choices.length > 1) {
    const select = make("select", {}, ...choices.map((choice, i) => make("option", { value: i }, shortened(choice.label, 80))));
    select.addEventListener("change", () => place.replaceChildren(headline(choices[Number(select.value)])));
    head.append(make("label", {}, "Show", select));
  }
  const table = () => ({
    columns: [...report.axes, "method", "labels", "metric", "mean", "half_width_95", "scored", "planned"],
    rows: report.metrics.flatMap(({ name }) => report.overall[name].map((row) =>
      [...report.axes.map((axis) => row.sweep[axis]), row.method, row.labels, name, row.mean, row.half_width_95, row.scored, row.planned])),
  });
  const button = make("button", { type: "button", "aria-label": "CSV: All methods at a glance" }, "CSV");
  button.addEventListener("click", () => downloadText(csvOf(table()), "text/csv", `${plainName(report.name)}.headline.csv`));
  return make("article", { className: "card headline", "aria-labelledby": "headline-title" }, head, place,
    make("p", { className: "caption" }, headlineCaption()),
    report.cohorts.length ? null : make("details", { className: "words" }, make("summary", {}, "What the columns mean"), notesList(headlineWords())),
    notesList([
      ...trainingNotes(report, methodIds(report)),
      ...report.misfits,
      ...(report.metrics.some(({ name }) => name === "sequence_mae") ? scaleNotes(report, "sequence_mae", report.hypotheses, report.points) : []),
    ]),
    make("div", { className: "tools" }, button));
}

/** Whether cohorts have several orders. */
const hasSubtypes = () => Boolean(metricOf(report, "subtype_score"));
/** Whether any method is better than another. */
const metricsWithBest = () => report.metrics.some(({ name }) => report.overall[name].some((row) => row.best));

function headlineCaption() {
  if (report.cohorts.length)
    return "Nobody knows the true order and stages of a real cohort, so there are no scores. The figures above show what methods found in it, and how far they agree.";
  const shown = report.metrics.filter(({ name }) => report.overall[name].some((row) => row.mean !== null));
  const otherwise = shown.filter(({ name, better }) => better !== "lower" && name !== "seconds")
    .map(({ name, better }) => (better === "higher" ? `in ${plainMetric(name)} higher is` : `in ${plainMetric(name)} 0 is right`));
  return "Each number is a mean ± its 95\u00a0% interval (Student's t) over all scored cohorts of all hypotheses. " +
    (report.ranked_by === "tau_distance" ? "The best order comes first. " : "The best orders of subtypes come first. ") +
    (otherwise.length ? `Lower is better but in ${otherwise.length === 1 ? "one column" : "some columns"}: ${listed(otherwise)}.` : "Lower is better in every column.");
}

/** What the columns and marks of the headline mean, a line each. */
function headlineWords() {
  const { limit } = report.about;
  const planned = new Set(report.overall.seconds.map((row) => row.planned));
  return [
    "Labels: what a method does with the diagnosis. It does not look at it (none), uses it to fit (fit), or also to stage (infer).",
    hasSubtypes()
      ? "Tau distance: the share of pairs of events in the wrong order. Where cohorts have subtypes, it compares the consensus of their orders. Guessing gives 0.5."
      : "Tau distance: the share of pairs of events in the wrong order. Guessing gives 0.5.",
    "Staging MAE: how many stages participants are off.",
    "Event-time error: how many stages events are off. Ranks count as places in the order, times on the scale 0 to B.",
    ...(hasSubtypes() ? [
      "Matched tau distance: the same, over the true orders, each beside the found one that it is matched with.",
      "Assigned tau distance: the same, over the diseased, each with the order of the subtype that it is given to. Guessing gives 0.5.",
      "Subtype score: the adjusted Rand index over the diseased. 1 is perfect, and guessing gives 0.",
      "Number of subtypes: how many were found, minus the true number.",
    ] : []),
    metricsWithBest() ? "Coloured numbers are the best, or cannot be told from the best on the same cohorts." : "",
    limit ? `${limit} knows the hypothesis behind each cohort. It is the limit of all others, and does not compete.` : "",
    report.methods.some((method) => method.outside) ? "Methods with the mark outside are no methods of this run: another program got their scores on the same cohorts." : "",
    report.trained_on.length > 0 ? "A trained method counts here where it was trained on the cohort's hypothesis, or on all." : "",
    planned.size > 1 ? "Methods with fewer cohorts are averaged over other hypotheses than the rest. Compare them hypothesis by hypothesis, below." : "",
  ].filter(Boolean);
}

function tiles() {
  const fits = fitsOf(report);
  const done = fits.filter((fit) => fit.status === "ok").length;
  const failed = fits.filter((fit) => isFailure(fit.status)).length;
  const tile = (title, value, note) =>
    make("div", { className: "tile" }, make("dt", {}, title), make("dd", {}, value), note ? make("dd", { className: "note" }, note) : null);
  const fitTile = tile("Fits", String(done), failed ? `${failed} failed` : done < fits.length ? `${fits.length - done} to go` : "none failed");
  return make("dl", { className: "tiles" }, ...(report.cohorts.length ? realTiles(tile) : simulatedTiles(tile)), fitTile);
}

function simulatedTiles(tile) {
  const cohorts = new Set(fitsOf(report).map((fit) => JSON.stringify([fit.point, fit.hypothesis, fit.cohort]))).size;
  const limitOf = (metric, { sweep }) =>
    report.overall[metric].find((row) => row.method === report.about.limit && report.axes.every((axis) => row.sweep[axis] === sweep[axis]));
  const nameOf = (method) => marked(shortened(method, 24), warnedMethods(report, [method]).map((id) => shortened(id, 24)));
  /** Ties are ties; a point of a sweep is compared with no other. */
  const bestTile = (title, metric) => {
    const best = report.overall[metric].filter((row) => row.best);
    if (best.length === 0) return null;
    const { decimals } = metricOf(report, metric);
    const methods = [...new Set(best.map((row) => row.method))];
    const names = (list) => (list.length > 3 ? counted(list.length, "method") : listed(list.map(nameOf)));
    if (report.axes.length) {
      const points = (method) => best.filter((row) => row.method === method).length;
      const most = Math.max(...methods.map(points));
      const first = methods.filter((method) => points(method) === most);
      return tile(title, names(first), `${first.length > 1 ? "each " : ""}best or tied at ${most} of ${counted(report.points.length, "point")} of the sweep`);
    }
    const lowest = best.reduce((a, b) => (b.mean < a.mean ? b : a));
    const limit = limitOf(metric, lowest);
    return tile(title, names(methods), [
      methods.length > 1 ? "cannot be told apart" : "",
      `${lowered(plainMetric(metric))} ${number(lowest.mean, decimals)}`,
      limit?.mean == null ? "" : `limit ${number(limit.mean, decimals)}`,
    ].filter(Boolean).join("; "));
  };
  return [
    bestTile("Best order", report.ranked_by), bestTile("Best staging", "stage_mae"),
    tile("Cohorts", String(cohorts), `${counted(report.hypotheses.length, "hypothesis")}, ${counted(report.methods.length, "method")}`),
  ];
}

function realTiles(tile) {
  const { groups, ranks, agreement } = report.analysis ?? {};
  const tilesOf = [];
  if (report.cohorts.length > 1) tilesOf.push(tile("Real cohorts", String(report.cohorts.length)));
  else if (groups?.diagnosis) {
    const sizes = new Map(groups.diagnosis.map((diagnosis, i) => [diagnosis, groups.participants[i]]));
    tilesOf.push(tile("Participants", String(sum([...sizes.values()])), [...sizes].map(([name, size]) => `${shortened(name, 16)} ${size}`).join(", ")));
  }
  if (ranks?.biomarker) tilesOf.push(tile("Biomarkers", String(new Set(ranks.biomarker).size)));
  const taus = (agreement?.kendall_tau ?? []).filter((tau) => tau !== null);
  if (taus.length)
    tilesOf.push(tile("Agreement on the order", number(mean(taus), 2), `mean Kendall's tau, ${number(Math.min(...taus), 2)} to ${number(Math.max(...taus), 2)}`));
  const resampled = new Set(fitsOf(report).map((fit) => JSON.stringify([fit.point, fit.hypothesis, fit.cohort]))).size - report.cohorts.length;
  if (resampled > 0) tilesOf.push(tile("Resampled cohorts", String(resampled), "of the same participants"));
  return tilesOf;
}

/** A table without a column in which every row has nothing. */
const withoutEmpty = ({ columns, rows }, at) =>
  (rows.some((row) => row[at]) ? { columns, rows } : { columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) });

/** @param trainings  models, with what was said of them */
function remarks(list, title, none, trainings = []) {
  // Failures have a name, or are failures; warnings are of fits that went well.
  const named = (item) => (statuses[item.status] === "ok" || statuses[item.status] === "failed" ? null : statuses[item.status] ?? null);
  const ofTrainings = trainings.flatMap((model) => model.warnings.map((text) => [model.method, null, null, `training on ${model.trained_on}`, null, text]));
  const rows = [...ofTrainings, ...list.map((item) => [
    item.methods.join(", "), item.fits, item.replicates,
    `${item.hypothesis} cohort ${item.cohort}${item.trained_on ? `, ${report.cohorts.length ? "with" : "trained on"} ${item.trained_on}` : ""}`, named(item), item.text,
  ])];
  return make("article", { className: "card" }, make("h3", {}, title),
    rows.length ? tableOf(withoutEmpty(withoutEmpty({ columns: ["methods", "fits", "replicates", "first", "status", "text"], rows }, 4), 2), title) : make("p", {}, none));
}

function provenance() {
  const { about } = report;
  const facts = [
    ["experiment", report.name],
    ["tempo", [about.tempo ?? report.tempo, about.build].filter(Boolean).join(", ")],
    ["seed", about.joined ? undefined : about.seed],
    ["cohorts", about.cohorts && (about.cohorts.source === "simulate"
      ? `simulated: ${about.cohorts.participants} participants, share of healthy ${about.cohorts.healthy_ratio}, biomarkers ${about.cohorts.biomarkers}`
      : `${about.cohorts.source} ${about.cohorts.path}${about.cohorts.content ? `, content key of its bytes ${about.cohorts.content}` : ""}`)],
    ["content key", `${report.content} (of plugin versions, settings, seed, biomarkers and the bytes of cohorts: equal keys, equal numbers)`],
  ].filter(([, value]) => value !== undefined && value !== "");
  for (const { name, seed, fits, tempo, description } of about.joined ?? [])
    facts.push([`joined: ${name}`, [description, `${counted(fits, "planned fit")}, seed ${seed}, tempo ${tempo}`].filter(Boolean).join("; ")]);
  const card = make("article", { className: "card" }, make("h3", {}, "Where these numbers come from"),
    make("dl", { className: "facts" }, ...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))])));
  const folded = (title, content) => card.append(make("details", {}, make("summary", {}, title), content));
  if (about.plugins)
    folded("Plugins", tableOf({
      columns: ["plugin", "kind", "version", "content key of the file", "file"],
      rows: about.plugins.map((plugin) => [plugin.id, plugin.kind, plugin.version, plugin.content ?? "", plugin.file ?? ""]),
    }, "Plugins"));
  if (report.models.length)
    folded("Models", tableOf({
      columns: ["model", "method", "trained on", "epochs", "seconds", "warnings"],
      rows: report.models.map((model) => [model.name, model.method, model.trained_on, model.epochs.length, model.seconds, model.warnings.join("; ")]),
    }, "Models"));
  for (const { name, intake } of report.cohorts)
    if (intake) folded(`What became of whom in ${shortened(name, 80)}`, make("pre", { tabIndex: 0 }, intake));
  if (report.lock)
    folded("The experiment in full (experiment.lock.toml)", make("pre", { tabIndex: 0 }, report.lock));
  return card;
}

// ---- All together -----------------------------------------------------------------------------

const main = document.getElementById("main");
const contents = make("ul");
function addSection(title, ...cards) {
  const id = `section-${title.toLowerCase().replaceAll(" ", "-")}`;
  main.append(make("section", { "aria-labelledby": id }, make("h2", { id }, title), ...cards));
  contents.append(make("li", {}, make("a", { href: `#${id}` }, title)));
}

document.title = `${report.name}: tempo report`;
document.getElementById("name").textContent = report.name;
document.getElementById("summary").textContent = [
  report.cohorts.length ? counted(report.cohorts.length, "real cohort") : counted(report.hypotheses.length, "hypothesis"),
  counted(report.methods.length, "method"), report.axes.length ? counted(report.points.length, "sweep point") : "",
].filter(Boolean).join(" · ");
document.getElementById("description").textContent = report.about.description ?? "";
document.documentElement.toggleAttribute("data-dark", isDark());
main.append(tiles());
const available = figuresOf(report);
for (const section of sections) {
  const cards = available.filter((figure) => figure.section === section).map(figureCard);
  if (section === "Performance") cards.unshift(headlineCard());
  if (cards.length) addSection(section === "Performance" && report.cohorts.length ? "Methods" : section, ...cards);
}
addSection("Failures and warnings",
  remarks(report.failures, "Failed fits", "No fit failed."), remarks(report.warnings, "Warnings", "No method had anything to warn of.", report.models));
addSection("Provenance", provenance());
document.getElementById("contents").append(contents);
if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();

let resizing;
new ResizeObserver(() => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    for (const entry of shown.values()) if (entry.view && entry.plot.clientWidth !== entry.width) entry.draw();
  }, 150);
}).observe(main);

/** For tests and the curious: the figures as they stand, and a promise that all are drawn. */
window.tempoReport = { report, shown, drawn: drawTheRest() };
