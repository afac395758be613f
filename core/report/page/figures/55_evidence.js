// Which assumed hypothesis predicts the participants best.

(() => {
  const cellsOf = ({ table }) =>
    table.rows.flatMap((row) => row.cells.map((cell, m) => ({
      generating: row.hypothesis, assumed: table.methods[m], ranked: row.ranked, planned: row.planned, ...cell,
      share: row.ranked > 0 ? cell.preferred / row.ranked : null,
    })));
  addFigure({
    id: "evidence",
    section: "Evidence",
    title: "Which hypothesis do the cohorts support?",
    choices: (report) =>
      (report.evidence?.tables ?? [])
        .filter((table) => table.methods.length > 1 && table.rows.some((row) => row.ranked > 0))
        .map((table) => ({ table, label: report.axes.map((axis) => `${axis} = ${table.sweep[axis]}`).join(", ") })),
    caption: () =>
      "A row per hypothesis that cohorts were made from, a column per hypothesis that was assumed: the number of cohorts on which it predicts " +
      "participants best (by elpd_loo). A dark diagonal says that the data tell the hypotheses apart. Cohorts on which a fit failed are not ranked.",
    summary: (report, choice) =>
      `Most often preferred: ${listed(choice.table.rows.filter((row) => row.ranked > 0).map((row) => {
        const most = Math.max(...row.cells.map((cell) => cell.preferred));
        return `${shortened(row.hypothesis)} ${shortened(choice.table.methods[row.cells.findIndex((cell) => cell.preferred === most)])} (${most} of ${row.ranked})`;
      }))}.`,
    table: (report, choice) => ({
      columns: ["hypothesis", "method", "preferred", "tied", "mean_difference", "ranked", "planned"],
      rows: cellsOf(choice).map((cell) => [cell.generating, cell.assumed, cell.preferred, cell.tied, cell.mean_difference, cell.ranked, cell.planned]),
    }),
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
              color: { field: "share", type: "quantitative", scale: { domain: [0, 1], range: heat, interpolate: "rgb" }, legend: { title: "share", gradientLength: 90, tickCount: 3, format: "~%" } },
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
