// Which assumed hypothesis predicts the participants best.

(() => {
  const cellsOf = ({ table }) =>
    table.rows.flatMap((row) => row.cells.map((cell, m) => ({
      generating: row.hypothesis, assumed: table.methods[m], ranked: row.ranked, planned: row.planned, ...cell,
      share: row.ranked > 0 ? cell.preferred / row.ranked : null,
    })));
  const choicesOf = (report, has) =>
    (report.evidence?.tables ?? [])
      .filter((table) => table.methods.length > 1 && table.rows.some((row) => row.ranked > 0) && has(table))
      .map((table) => ({ table, label: sweepLabel(report, table) }));
  const dataOf = (report, choice) => ({
    columns: ["hypothesis", "method", "preferred", "tied", "mean_difference", "difference_se", "ranked", "planned"],
    rows: cellsOf(choice).map((cell) =>
      [cell.generating, cell.assumed, cell.preferred, cell.tied, cell.mean_difference, cell.difference_se ?? null, cell.ranked, cell.planned]),
  });
  /** Of a real cohort, by the names that the table has for fits. */
  const doubtsOf = (report, table) => cautionOf(report, table, (fit) => (fit.trained_on ? `${fit.method} under ${fit.trained_on}` : fit.method)).doubts;
  /** One cohort, or cohorts of one hypothesis: how far each assumption falls behind says more than how often. */
  const isOneRow = (table) => table.rows.length === 1;

  addFigure({
    id: "evidence-differences",
    section: "Evidence",
    title: "Which hypothesis do the data support?",
    choices: (report) => choicesOf(report, isOneRow),
    caption: (report, { table }) =>
      "How much worse than the best does each assumed hypothesis predict a participant from all others? Each mark is the difference of elpd_loo in nats" +
      (table.rows[0].ranked > 1 ? ", on average over cohorts" : "") + ". Its interval is two standard errors to either side. The dashed line is the best. " +
      "A hollow mark cannot be told from the best: it is within two standard errors or four nats. " +
      "Where the standard error is not known, the mark is hollow and has no interval. The best of those compared may still be wrong.",
    summary: (report, choice) =>
      `From best to worst: ${listed(cellsOf(choice).filter((cell) => cell.mean_difference !== null).sort((a, b) => b.mean_difference - a.mean_difference)
        .map((cell) => `${shortened(cell.assumed)}${doubtsOf(report, choice.table).has(cell.assumed) ? mark : ""} ${number(cell.mean_difference, 1)}`))}.`,
    notes: (report, { table }) => [...notesOf(doubtsOf(report, table), table.methods), ...report.evidence.caveats],
    table: dataOf,
    spec: (report, choice, width) => {
      const cells = cellsOf(choice).filter((cell) => cell.mean_difference !== null).sort((a, b) => b.mean_difference - a.mean_difference)
        .map((cell) => ({
          ...cell, isTied: 2 * cell.tied > cell.ranked,
          low: cell.difference_se === null ? null : cell.mean_difference - 2 * cell.difference_se,
          high: cell.difference_se === null ? null : cell.mean_difference + 2 * cell.difference_se,
        }));
      const names = cells.map((cell) => cell.assumed);
      const isMarked = [...doubtsOf(report, choice.table).keys()];
      const room = nameRoom(names.map((name) => marked(name, isMarked)), width);
      const y = { field: "assumed", type: "nominal", scale: { domain: names }, axis: nameAxis(room, isMarked) };
      const x = { type: "quantitative", title: "elpd_loo minus that of the best (nats)", scale: { zero: true, nice: true }, axis: { tickCount: width / 90 } };
      return {
        width: width - room - 20,
        height: { step: 30 },
        layer: [
          { data: { values: [{ at: 0 }] }, mark: { type: "rule", style: "chance" }, encoding: { x: { ...x, field: "at" } } },
          { data: { values: cells.filter((cell) => cell.low !== null) }, mark: { type: "rule", strokeWidth: 2, color: okabeIto[0] }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y } },
          {
            name: "differences",
            data: { values: cells },
            mark: { type: "point", filled: true, size: 90, opacity: 1, stroke: okabeIto[0], strokeWidth: 2 },
            encoding: {
              x: { ...x, field: "mean_difference" }, y,
              fill: { condition: { test: "datum.isTied", value: { expr: "paper" } }, value: okabeIto[0] },
              tooltip: [
                { field: "assumed" }, { field: "mean_difference", title: "difference (nats)", format: ".1f" },
                { field: "difference_se", title: "standard error", format: ".1f" }, { field: "preferred", title: "best on" }, { field: "ranked", title: "cohorts" },
              ],
            },
          },
        ],
      };
    },
  });

  addFigure({
    id: "evidence",
    section: "Evidence",
    title: "Which hypothesis do the cohorts support?",
    choices: (report) => choicesOf(report, (table) => !isOneRow(table)),
    caption: () =>
      "Each row is a hypothesis that cohorts were made from, each column a hypothesis that was assumed. A cell counts the cohorts on which " +
      "this assumption predicts participants best (by elpd_loo). A strong diagonal says that the data tell the hypotheses apart. " +
      "Cohorts on which a fit failed are not ranked.",
    summary: (report, choice) =>
      `Most often preferred: ${listed(choice.table.rows.filter((row) => row.ranked > 0).map((row) => {
        const most = Math.max(...row.cells.map((cell) => cell.preferred));
        return `${shortened(row.hypothesis)} ${shortened(choice.table.methods[row.cells.findIndex((cell) => cell.preferred === most)])} (${most} of ${row.ranked})`;
      }))}.`,
    table: dataOf,
    spec: (report, choice, width) => {
      const generating = choice.table.rows.map((row) => row.hypothesis);
      const room = nameRoom(generating, width, 140);
      const size = Math.min(64, (width - room - 60) / choice.table.methods.length);
      return {
        width: size * choice.table.methods.length,
        height: Math.max(30, Math.min(44, size)) * generating.length,
        data: { values: cellsOf(choice).filter((cell) => cell.share !== null) },
        encoding: {
          x: { field: "assumed", type: "nominal", sort: choice.table.methods, axis: { title: "assumed", orient: "top", labelAngle: -35, labelLimit: 110, domain: false, ticks: false } },
          y: { field: "generating", type: "nominal", sort: generating, axis: { ...nameAxis(room), title: "cohorts of" } },
        },
        layer: [
          {
            name: "cells",
            mark: { type: "rect", cornerRadius: 3 },
            encoding: {
              color: { field: "share", type: "quantitative", scale: { domain: [0, 1], interpolate: "rgb" }, legend: { title: "share", gradientLength: 90, tickCount: 3, format: "~%" } },
              tooltip: [
                { field: "generating", title: "cohorts of" }, { field: "assumed" }, { field: "preferred" }, { field: "tied" },
                { field: "mean_difference", title: "mean difference (nats)", format: ".1f" }, { field: "ranked" },
              ],
            },
          },
          { mark: { type: "text", fontSize: 12 }, encoding: { text: { field: "preferred" }, color: onHeat("share", 0.5) } },
        ],
      };
    },
  });
})();
