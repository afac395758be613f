"use strict";
// What the figures share. A figure is a function from the report's data to a Vega-Lite specification, with
// words around it; it knows nothing of the page, so that Node.js can draw it into a file as well.

/**
 * All figures in the order of the page. Each has
 *   id, section, title
 *   choices(report)          the variants to choose from, [{label, ...}]; none: the run has no such figure
 *   caption(report, choice)  how to read it
 *   summary(report, choice)  what it shows, for those who cannot see it
 *   notes(report, choice)    what to beware of, a line each; may be absent
 *   table(report, choice)    its data: {columns: [...], rows: [[...]]}
 *   spec(report, choice, width)  Vega-Lite, for `width` pixels
 */
const figures = [];
const sections = ["Real cohort", "Performance", "Trained models", "Cost and limits", "Evidence", "A look inside"];

function addFigure(figure) {
  figures.push(figure);
}

/** The figures that a run has data for, by section. */
function figuresOf(report) {
  return figures
    .map((figure) => ({ ...figure, variants: figure.choices(report) }))
    .filter((figure) => figure.variants.length > 0)
    .sort((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section));
}

// ---- Data -------------------------------------------------------------------------------------

// Vega looks names up in plain objects, where `constructor` and the like stand for something else. Such names get a mark that prints as nothing.
const unseen = "\u2060";

/** The report's data of its text. */
const parsedReport = (text) =>
  JSON.parse(text, (key, value) => (typeof value === "string" && value in Object.prototype ? value + unseen : value));

/** A name as it was before parsedReport. */
const asGiven = (text) => (text.endsWith(unseen) && text.slice(0, -unseen.length) in Object.prototype ? text.slice(0, -unseen.length) : text);

/** What became of a fit, by the number that stands for it. */
const statuses = ["pending", "ok", "failed", "timed out", "out of memory", "not applicable", "bad answer"];
const isFailure = (status) => status !== "ok" && status !== "pending";

/** The fits as rows of results.csv, with names for numbers. */
function fitsOf(report) {
  if (report.rows) return report.rows;
  const f = report.fits;
  const rows = (f.cohort ?? []).map((cohort, i) => ({
    point: f.point[i],
    hypothesis: report.hypotheses[f.hypothesis[i]],
    cohort,
    method: report.methods[f.method[i]].id,
    trained_on: f.trained_on[i] === null ? "" : report.trained_on[f.trained_on[i]],
    in_distribution: f.in_distribution[i] === 1,
    status: statuses[f.status[i]],
    ...Object.fromEntries(report.metrics.map(({ name }) => [name, f[name][i]])),
  }));
  Object.defineProperty(report, "rows", { value: rows });
  return rows;
}

const methodIds = (report) => report.methods.map((method) => method.id);

/** Methods as figures list them: the best order first, as in the table at the top; those without a score last. */
function methodsByRank(report) {
  const ids = methodIds(report);
  const score = new Map(ids.map((id) => [id,
    mean(report.overall[report.ranked_by].filter((row) => row.method === id && row.mean !== null).map((row) => row.mean)) ?? Infinity]));
  return ids.sort((a, b) => (score.get(a) === score.get(b) ? 0 : score.get(a) - score.get(b)));
}
const metricOf = (report, name) => report.metrics.find((metric) => metric.name === name);

/** What axes and headings call a metric. */
const metricNames = {
  tau_distance: "Tau distance",
  stage_mae: "Staging MAE (stages)",
  sequence_mae: "Event-time error (stages)",
  seconds: "Seconds per cohort",
  matched_tau_distance: "Matched tau distance",
  assigned_tau_distance: "Assigned tau distance",
  subtype_score: "Subtype score (adjusted Rand index)",
  subtype_number_error: "Number of subtypes (found minus true)",
};
/** The same without a unit. */
const plainMetric = (metric) => metricNames[metric].replace(/ \(.*/, "");
/** What guessing scores; only of metrics where that is one number. */
const chance = { tau_distance: 0.5, assigned_tau_distance: 0.5, subtype_score: 0 };
/** Which way is better, in words. */
const betterIn = (report, metric) =>
  metric === "seconds" ? "Lower is cheaper" : { lower: "Lower is better", higher: "Higher is better", neither: "0 is right" }[metricOf(report, metric).better];
/** The least that there can be. */
const leastOf = (report, metric) => metricOf(report, metric).least ?? -Infinity;

/** Hypotheses whose events have times on a scale of their own, and those whose events have ranks; no others, of which that is not known. */
function kindsOfEvents(report, hypotheses) {
  const about = new Map((report.about.hypotheses ?? []).map((each) => [each.id, each.events_have_times]));
  return { timed: hypotheses.filter((id) => about.get(id) === true), ranked: hypotheses.filter((id) => about.get(id) === false) };
}

/** The number of biomarkers of cohorts at these points of a sweep, which only posteriors of ranks tell; undefined where they do not, or differ. */
function biomarkersAt(report, points) {
  const at = report.rank_posteriors.filter(({ sweep }) => points.some((values) => values.every((value, axis) => value === sweep[axis])));
  const counts = [...new Set(at.map(({ biomarkers }) => biomarkers.length))];
  return counts.length === 1 ? counts[0] : undefined;
}

/** What guessing scores under each of these hypotheses; undefined where that is not one number, or not known. */
function chanceAt(report, metric, hypotheses, points) {
  const count = biomarkersAt(report, points);
  if (metric !== "sequence_mae" || count === undefined) return chance[metric];
  // The mean distance of two places among 1 to B, drawn independently.
  return hypotheses.length > 0 && kindsOfEvents(report, hypotheses).ranked.length === hypotheses.length ? (count * count - 1) / (3 * count) : undefined;
}

/** What to know of scores under several hypotheses before they are compared, a line each. */
function scaleNotes(report, metric, hypotheses, points) {
  const { timed, ranked } = metric === "sequence_mae" ? kindsOfEvents(report, hypotheses) : { timed: [], ranked: [] };
  if (timed.length === 0 || ranked.length === 0) return [];
  const guess = chanceAt(report, metric, ranked, points);
  const named = (ids) => listed(ids.map((id) => shortened(id)));
  return [
    `Compare errors within one kind of hypothesis only: those with ranks (${named(ranked)}), or those with times (${named(timed)}). ` +
      `Guessing gives (B² - 1) / 3B${guess === undefined ? "" : ` = ${number(guess, 2)}`} for ranks, and another value for times. ` +
      "Means and boxes over both kinds only compare methods with each other.",
  ];
}

/** A swept path without what goes without saying. */
const shortAxis = (axis) => axis.replace(/^(cohorts|method|hypothesis)\./, "");
/** `participants = 100`, of a point of a sweep. */
const pointLabel = (report, values) => report.axes.map((axis, i) => `${shortAxis(axis)} = ${values[i]}`).join(", ");
/** The same of a row that names its point. */
const sweepLabel = (report, { sweep }) => pointLabel(report, report.axes.map((axis) => sweep[axis]));

/** A choice per point of the sweep; one without a label where there is no sweep. */
function pointChoices(report) {
  return report.points.map((values, point) => ({ point, values, label: pointLabel(report, values) }));
}

/** Each choice of `list` for each point of the sweep for which `has` holds. */
function choicesPerPoint(report, list, has = () => true) {
  return pointChoices(report).flatMap((at) =>
    list
      .map((item) => ({ ...at, ...item, label: [at.label, item.label].filter(Boolean).join(": ") }))
      .filter(has),
  );
}

/** Whether a row of a summary (`tempo results --format json`) belongs to a point of the sweep. */
function isAt(report, choice) {
  return (row) => report.axes.every((axis, i) => row.sweep[axis] === choice.values[i]);
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const mean = (values) => (values.length ? sum(values) / values.length : null);

/** The value below which a share of sorted values lies, interpolated. */
function quantile(sorted, share) {
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

// ---- Words ------------------------------------------------------------------------------------

/** Within a sentence: `staging MAE`. */
const lowered = (text) => text[0].toLowerCase() + text.slice(1);
const number = (value, decimals) => (value === null || value === undefined ? "–" : value.toFixed(decimals));
const counted = (count, noun) =>
  count === 1 ? `1 ${noun}` : `${count} ${noun.endsWith("is") ? `${noun.slice(0, -2)}es` : `${noun}s`}`;
const shortened = (text, length = 40) => {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join("")}…` : text;
};

/** `a, b and c` */
function listed(items) {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

// ---- Doubt ------------------------------------------------------------------------------------

/** As tables in a terminal mark the names of fits and biomarkers in doubt. */
const mark = " *";
const fitName = (row) => (row.trained_on ? `${row.method} on ${row.trained_on}` : row.method);

/** What report_data says of the real cohort that a row of a table is of. */
const saidOf = (report, row) =>
  (report.analysis?.cohorts ?? []).find((each) =>
    (row.cohort === undefined || each.cohort === row.cohort) && report.axes.every((axis) => each.sweep[axis] === row.sweep[axis]));

/**
 * The same with names for fits, and with nothing where a run says nothing.
 * @param row  of a table of that cohort
 * @param name  what the figure calls a fit
 * @return {leftOut: names of fits that do not count over fits, refuted: those of them whose hypothesis is, overFits: lines on them, disagreements: lines on methods that should agree, doubts: Map of names of fits to reasons, notSeparating: [names] or null where nobody can say, why, groupsOrdered, withoutTimes}
 */
function cautionOf(report, row, name = fitName) {
  const found = saidOf(report, row);
  return {
    doubts: new Map((found?.doubts ?? []).map((fit) => [name(fit), fit.why])),
    notSeparating: found?.not_separating ?? null,
    why: found?.why_not_separating,
    groupsOrdered: found?.groups_ordered,
    leftOut: (found?.left_out ?? []).map(name),
    refuted: (found?.left_out ?? []).filter((fit) => fit.refuted).map(name),
    disagreements: found?.disagreements ?? [],
    overFits: (found?.over_fits ?? []).map((line) => line.trim()).map((line) => line[0].toUpperCase() + line.slice(1)),
    withoutTimes: (found?.without_times ?? []).map(({ fits, why }) => ({ fits: fits.map(name), why })),
  };
}

/** A name with its mark, if it has one. */
const marked = (name, marks) => (marks.includes(name) ? name + mark : name);

/** What the marks of these names mean, a line each. @param doubts  Map of names to reasons */
const notesOf = (doubts, names) =>
  [...doubts].filter(([name]) => names.includes(name)).map(([name, reasons]) => `* ${name}: ${reasons.join("; ")}`);

/** What the trainings of a method's models warned of, by what they learned from. */
const warningsByModel = (report, method) =>
  new Map(report.models.filter((model) => model.method === method && model.warnings.length > 0).map((model) => [model.trained_on, model.warnings]));

/** Those of these methods that have a model whose training warned. */
const warnedMethods = (report, methods) => methods.filter((method) => warningsByModel(report, method).size > 0);
/** A method's name within a sentence, with its mark, if it has one. */
const called = (report, method) => shortened(method) + (warnedMethods(report, [method]).length > 0 ? mark : "");

/** What trainings of a method's models warned of; the first in full where there are several. @param names  what the models learned from */
function saidByTraining(report, method, names) {
  const [first, ...others] = names;
  const reasons = warningsByModel(report, method).get(first).join("; ");
  return others.length === 0 ? `: ${reasons}` : `; on ${first}: ${reasons}; all reasons are under Failures and warnings of the report`;
}

/** Why these methods are marked, a line each. */
const trainingNotes = (report, methods) => warnedMethods(report, methods).map((method) => {
  const names = [...warningsByModel(report, method).keys()];
  return `* ${method}: its training on ${listed(names)} warned${saidByTraining(report, method, names)}`;
});

/** Marks names on an axis or in a legend; those of them that are long are cut before their mark. */
const markedLabels = (marks, length) => (marks.length === 0 ? {} : {
  labelExpr: `indexof(${JSON.stringify(marks)}, datum.value) >= 0 ? truncate(datum.label, ${length}) + ${JSON.stringify(mark)} : datum.label`,
});

// ---- Looks ------------------------------------------------------------------------------------

/** Okabe & Ito's colours, told apart by the colour-blind; those of most contrast first. */
const okabeIto = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8a8a8a", "#b8a800"];
const shapes = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"];

/** The same colour and shape for a name in every figure; after eight, colours come again with other shapes. */
function colourScale(names) {
  return { domain: names, range: names.map((_, i) => okabeIto[i % okabeIto.length]) };
}
function shapeScale(names) {
  return { domain: names, range: names.map((_, i) => shapes[(i + Math.floor(i / shapes.length)) % shapes.length]) };
}

/** From faint to strong, told apart without hue; faint is what is close to the page. */
const heat = {
  light: ["#f1f6fb", "#c6dbef", "#7fb2d9", "#3a7fbd", "#0b4a8f", "#06234a"],
  dark: ["#20303f", "#1f4d78", "#2f74ad", "#5ba1d6", "#a2cdf0", "#e6f3ff"],
};
/** Texts on these colours. */
const onHeat = (field, middle) => ({
  condition: { test: `datum[${JSON.stringify(field)}] > ${middle}`, value: { expr: "inkOnStrong" } },
  value: { expr: "inkOnFaint" },
});

const fonts = 'system-ui, "Segoe UI", Roboto, "Liberation Sans", Helvetica, Arial, sans-serif';

/** Vega-Lite's config for a light or dark page. */
function themeConfig(dark, font = fonts) {
  const ink = dark ? "#e7eaee" : "#1d2530";
  const soft = dark ? "#aab4c0" : "#4d5a68";
  const line = dark ? "#3a444f" : "#d8dee5";
  return {
    background: null,
    font,
    range: { heatmap: dark ? heat.dark : heat.light, ramp: dark ? heat.dark : heat.light },
    params: [
      { name: "inkOnStrong", value: dark ? "#0b1622" : "#ffffff" }, { name: "inkOnFaint", value: dark ? "#eef4fa" : "#10202f" },
      { name: "paper", value: dark ? "#1a2129" : "#ffffff" }, { name: "ink", value: ink },
    ],
    aria: false, // the page gives each figure its text alternative
    view: { stroke: null },
    axis: {
      labelColor: ink, titleColor: soft, gridColor: line, domainColor: line, tickColor: line,
      labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelLimit: 170, titlePadding: 8, labelFlush: false,
    },
    header: { labelColor: ink, titleColor: soft, labelFontSize: 12, labelLimit: 200 },
    legend: { labelColor: ink, titleColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 500, labelLimit: 240 },
    title: { color: ink, subtitleColor: soft, fontSize: 13, fontWeight: 600, subtitleFontSize: 11, subtitlePadding: 2, anchor: "start", limit: 260 },
    text: { color: ink },
    rule: { color: soft },
    style: {
      chance: { stroke: soft, strokeDash: [5, 4] }, "chance-label": { fill: soft, fontSize: 11 },
      middle: { color: ink }, interval: { color: soft }, // of all marks of a row together, beside coloured ones
    },
  };
}

/** The columns of a legend of names that fills its rows evenly. */
function legendColumns(names, width) {
  const each = 36 + 7 * Math.min(20, Math.max(...names.map((name) => [...name].length), 0));
  const most = Math.max(1, Math.floor((width - 60) / each));
  return Math.ceil(names.length / Math.ceil(names.length / most));
}

/** Room for the names, with their marks, on the left of a plot of `width` pixels. */
const nameRoom = (names, width, most = 190) =>
  Math.min(most, width * 0.4, 22 + 7.6 * Math.max(...names.map((name) => [...name].length), 4));

/** An axis of names, cut where they are long. @param marks  names to mark */
const nameAxis = (room, marks = []) => ({
  title: null, labelLimit: room - 10, ticks: false, domain: false, labelPadding: 8, ...markedLabels(marks, Math.floor((room - 10) / 7.6) - mark.length),
});

/** A dashed line where guessing is, with its name above the plot. */
function chanceLine(value) {
  if (value === undefined) return [];
  const data = { values: [{ value, label: "chance" }] };
  return [
    { data, mark: { type: "rule", style: "chance" }, encoding: { x: { field: "value", type: "quantitative" } } },
    {
      data,
      mark: { type: "text", style: "chance-label", align: "right", baseline: "bottom", dx: 3, y: -4 },
      encoding: { x: { field: "value", type: "quantitative" }, text: { field: "label" } },
    },
  ];
}

// ---- Files ------------------------------------------------------------------------------------

/** A name as part of a file's name, of at most so many characters. */
const plainName = (text, most = 60) => [...text].slice(0, most).join("").replace(/[^\p{L}\p{N}_.-]+/gu, "-").replace(/^[-.]+|-+$/g, "") || "figure";

/** A drawing with its title, and in words what it shows, how to read it and what to beware of. */
function described(svg, report, figure, choice) {
  const escaped = (text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = choice.label ? `${figure.title} (${choice.label})` : figure.title;
  const words = [figure.summary(report, choice), figure.caption(report, choice), ...(figure.notes?.(report, choice) ?? [])].join("\n");
  return svg.replace(/^<svg[^>]*>/, (start) => `${start}<title>${escaped(title)}</title><desc>${escaped(words)}</desc>`);
}

/** The name of a figure's file, without its ending. What a choice shows, such as values that stay, is cut last. */
function fileName(report, figure, choice) {
  const most = [60, 60, 110];
  return [report.name, figure.id, choice.label].map((text, i) => (text ? plainName(text, most[i]) : "")).filter(Boolean).join(".");
}
