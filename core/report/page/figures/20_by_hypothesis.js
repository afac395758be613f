// Means with intervals, a small plot per hypothesis.

/** What a hypothesis assumes, in lines of so many characters where its parts allow it; nothing where that is not known. */
function assumptionsOf(report, hypothesis, length) {
  const about = (report.about.hypotheses ?? []).find((each) => each.id === hypothesis);
  if (!about?.stages) return [];
  return [about.event_times, about.stages, about.measurements].reduce((lines, part) => {
    const longer = [lines.at(-1), part].filter(Boolean).join(" · ");
    return longer.length <= length ? [...lines.slice(0, -1), longer] : [...lines, part];
  }, []);
}

/** How many plots of names fit side by side, and how wide each is. A page of paper takes three. */
function gridOf(names, plots, width) {
  const room = nameRoom(names, width, 150);
  const perRow = Math.max(1, Math.min(3, plots, Math.floor((width - room) / 150)));
  return { room, perRow, cell: (width - room - 14 - (perRow - 1) * 32) / perRow }; // half a label on either side of a plot, and a gap
}

/**
 * @param rows  {hypothesis, method, mean, half_width_95, scored, planned}
 * @param lineOf  where a dashed line goes in the plot of a hypothesis; undefined: nowhere
 * @param least  that an interval can reach: no score is below 0
 * @param most  likewise; of shares
 * @param from  a place that all plots show
 */
function intervalGrid(report, rows, metric, title, width, { lineOf, least = -Infinity, most = Infinity, from = 0 }) {
  const methods = methodsByRank(report).filter((method) => rows.some((row) => row.method === method));
  const hypotheses = report.hypotheses.filter((hypothesis) => rows.some((row) => row.hypothesis === hypothesis));
  const doubtful = warnedMethods(report, methods);
  const { room, perRow, cell } = gridOf(methods.map((method) => marked(method, doubtful)), hypotheses.length, width);
  const shown = rows
    .filter((row) => row.mean !== null)
    .map((row) => ({ ...row, low: Math.max(least, row.mean - (row.half_width_95 ?? 0)), high: Math.min(most, row.mean + (row.half_width_95 ?? 0)) }));
  // Nine plots of many methods still stand on one page of paper.
  const step = Math.max(14, Math.min(22, Math.floor(210 / methods.length)));
  const extent = [...shown.flatMap((row) => [row.low, row.high]), from, ...hypotheses.map(lineOf).filter((line) => line !== undefined)];
  const color = { field: "method", type: "nominal", scale: colourScale(methodIds(report)), legend: null };
  return {
    columns: perRow,
    spacing: { row: 22, column: 12 },
    concat: hypotheses.map((hypothesis, i) => {
      const data = { values: shown.filter((row) => row.hypothesis === hypothesis) };
      const line = lineOf(hypothesis);
      const isLast = i + perRow >= hypotheses.length;
      const x = {
        type: "quantitative",
        scale: { domain: [Math.min(...extent), Math.max(...extent)], nice: true, zero: false },
        axis: { title: isLast ? title : null, tickCount: 4, titleLimit: cell },
      };
      const y = {
        field: "method", type: "nominal", sort: methods, scale: { domain: methods },
        axis: i % perRow === 0 ? nameAxis(room, doubtful) : null,
      };
      return {
        width: cell,
        height: { step },
        title: {
          text: shortened(hypothesis, Math.max(8, Math.floor(cell / 8))), subtitle: assumptionsOf(report, hypothesis, Math.floor((cell + 26) / 6.3)), limit: cell + 30,
        },
        layer: [
          ...(line === undefined ? [] : [{
            data: { values: [{ at: line }] }, mark: { type: "rule", style: "chance" },
            encoding: { x: { ...x, field: "at" } },
          }]),
          { data, mark: { type: "rule", strokeWidth: 2 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y, color } },
          {
            name: `means_${i}`,
            data,
            mark: { type: "point", filled: true, size: 60, opacity: 1 },
            encoding: {
              x: { ...x, field: "mean" }, y, color,
              shape: { field: "method", type: "nominal", scale: shapeScale(methodIds(report)), legend: null },
              tooltip: [
                { field: "hypothesis" }, { field: "method" }, { field: "mean", format: ".4f" },
                { field: "half_width_95", title: "± (95 %)", format: ".4f" },
                { field: "scored", title: "scored" }, { field: "planned", title: "planned" },
              ],
            },
          },
        ],
      };
    }),
  };
}

/** The methods of each hypothesis that are best, or tied with the best, in words; the limit does not compete. */
function bestByHypothesis(report, rows, decimals) {
  const scored = rows.filter((row) => row.mean !== null && row.method !== report.about.limit);
  const inWords = report.hypotheses.flatMap((hypothesis) => {
    const own = scored.filter((row) => row.hypothesis === hypothesis).sort((a, b) => a.mean - b.mean);
    if (own.length === 0) return [];
    const best = own.length === 1 ? own : own.filter((row) => row.best);
    const named = best.map((row) => `${called(report, row.method)} (${number(row.mean, decimals)})`);
    return [`${shortened(hypothesis)}: ${named.length > 0 ? listed(named) : "none can be told from the best"}`];
  });
  return `Best, or tied with the best, by hypothesis: ${inWords.join("; ")}.`;
}

/** Why methods in these rows are marked, and why some have no rows under a hypothesis. */
const intervalNotes = (report, rows) => {
  const methods = methodsByRank(report).filter((method) => rows.some((row) => row.method === method));
  return [...trainingNotes(report, methods), ...report.misfits];
};

const intervalTable = (rows) => ({
  columns: ["hypothesis", "method", "labels", "mean", "half_width_95", "scored", "planned"],
  rows: rows.map((row) => [row.hypothesis, row.method, row.labels, row.mean, row.half_width_95, row.scored, row.planned]),
});

function byHypothesisFigure(metric, id, title) {
  const rowsOf = (report, choice) => (report.summaries[metric] ?? []).filter(isAt(report, choice));
  const lineOf = (report, choice) => (hypothesis) => chanceAt(report, metric, [hypothesis], [choice.values]);
  const guesses = (report, choice) => report.hypotheses.map(lineOf(report, choice)).filter((value) => value !== undefined).map((value) => Number(value.toFixed(2)));
  addFigure({
    id,
    section: "Performance",
    title,
    choices: (report) => pointChoices(report).filter((choice) => rowsOf(report, choice).some((row) => row.mean !== null)),
    caption: (report, choice) =>
      "Each plot is of the cohorts of one hypothesis. It shows the mean of each method and its 95\u00a0% interval " +
      "(Student's t, cut at 0). All plots share one scale, and further left is better." +
      (guesses(report, choice).length === 0 ? "" : ` The dashed line is chance, ${listed([...new Set(guesses(report, choice))])}${chance[metric] === undefined ? ", where events have ranks" : ""}.`) +
      (report.trained_on.length > 0 ? " A trained method is in the plots of the hypotheses that it was trained on." : ""),
    notes: (report, choice) => [...intervalNotes(report, rowsOf(report, choice)), ...scaleNotes(report, metric, report.hypotheses, [choice.values])],
    summary: (report, choice) => bestByHypothesis(report, rowsOf(report, choice), metricOf(report, metric).decimals),
    table: (report, choice) => intervalTable(rowsOf(report, choice)),
    spec: (report, choice, width) =>
      intervalGrid(report, rowsOf(report, choice), metric, metricNames[metric], width, { lineOf: lineOf(report, choice), least: 0 }),
  });
}

byHypothesisFigure("tau_distance", "tau-distance-by-hypothesis", "The order of events, hypothesis by hypothesis");
byHypothesisFigure("matched_tau_distance", "matched-tau-distance-by-hypothesis", "The orders of subtypes, hypothesis by hypothesis");
byHypothesisFigure("stage_mae", "staging-by-hypothesis", "Staging, hypothesis by hypothesis");
byHypothesisFigure("sequence_mae", "event-times-by-hypothesis", "The times of events, hypothesis by hypothesis");
