// Cross-evaluation: every trained model on the cohorts of every hypothesis.

function crossFigure(metric, id, title) {
  const tablesOf = (report) => report.cross?.[metric] ?? [];
  const cellsOf = (report, { table }) =>
    table.trained_on.flatMap((trained_on, i) =>
      table.tested_on.map((tested_on, j) => ({ trained_on, tested_on, ...table.cells[i][j] })),
    );
  addFigure({
    id,
    section: "Trained models",
    title,
    choices: (report) =>
      tablesOf(report)
        .filter((table) => table.mean.mean !== null)
        .map((table) => ({
          table,
          label: [report.axes.map((axis) => `${axis} = ${table.sweep[axis]}`).join(", "), table.method].filter(Boolean).join(": "),
        })),
    caption: (report, { table }) =>
      `Each row is a model of ${table.method}, by what it learned from; each column the hypothesis it was tested on. ` +
      "Lighter is better. Framed cells are in distribution: a dark row is a model that does not carry over, " +
      "a dark column a hypothesis that is hard for all.",
    summary: (report, { table }) => {
      const home = table.trained_on.flatMap((name, i) => table.tested_on.flatMap((other, j) => (name === other ? [table.cells[i][j].mean] : [])));
      const away = table.trained_on.flatMap((name, i) => table.tested_on.flatMap((other, j) => (name !== other ? [table.cells[i][j].mean] : [])));
      const decimals = metricOf(report, metric).decimals;
      const words = (values) => number(mean(values.filter((value) => value !== null)), decimals);
      return `Mean in distribution ${words(home)}, on other hypotheses ${words(away)}.`;
    },
    table: (report, choice) => ({
      columns: ["trained_on", "tested_on", "mean", "half_width_95", "scored", "planned"],
      rows: cellsOf(report, choice).map((cell) => [cell.trained_on, cell.tested_on, cell.mean, cell.half_width_95, cell.scored, cell.planned]),
    }),
    spec: (report, choice, width) => {
      const { table } = choice;
      const cells = cellsOf(report, choice).filter((cell) => cell.mean !== null);
      const values = cells.map((cell) => cell.mean);
      const highest = Math.max(...values);
      const room = nameRoom(table.trained_on, width, 140);
      const size = Math.min(64, (width - room - 60) / table.tested_on.length);
      const decimals = metric === "tau_distance" ? 2 : highest >= 10 ? 0 : 1;
      const x = { field: "tested_on", type: "nominal", sort: table.tested_on, axis: { title: "tested on", orient: "top", labelAngle: size < 40 ? -45 : 0, labelLimit: 110, domain: false, ticks: false } };
      const y = { field: "trained_on", type: "nominal", sort: table.trained_on, axis: { ...nameAxis(room), title: "trained on" } };
      return {
        width: size * table.tested_on.length,
        height: Math.max(34, Math.min(48, size)) * table.trained_on.length,
        data: { values: cells.map((cell) => ({ ...cell, home: cell.trained_on === cell.tested_on })) },
        encoding: { x, y },
        layer: [
          {
            name: "cells",
            mark: { type: "rect", cornerRadius: 3 },
            encoding: {
              color: {
                field: "mean", type: "quantitative", scale: { domain: [0, highest], range: heat, interpolate: "rgb" },
                legend: { title: null, gradientLength: 90, tickCount: 3 },
              },
              tooltip: [
                { field: "trained_on", title: "trained on" }, { field: "tested_on", title: "tested on" },
                { field: "mean", title: metric, format: ".4f" }, { field: "half_width_95", title: "± (95 %)", format: ".4f" },
                { field: "scored" }, { field: "planned" },
              ],
            },
          },
          { transform: [{ filter: "datum.home" }], mark: { type: "rect", filled: false, stroke: "#E69F00", strokeWidth: 2.5, cornerRadius: 3 } },
          ...(size < 26 ? [] : [{
            mark: { type: "text", fontSize: size < 36 ? 10 : 12 },
            encoding: { text: { field: "mean", format: `.${decimals}f` }, color: onHeat("mean", 0.5 * highest) },
          }]),
        ],
      };
    },
  });
}

crossFigure("tau_distance", "cross-tau-distance", "Tau distance of models on other hypotheses");
crossFigure("sequence_mae", "cross-event-times", "Event time error of models on other hypotheses");
crossFigure("stage_mae", "cross-staging", "Staging error of models on other hypotheses");
