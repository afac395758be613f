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
          label: [sweepLabel(report, table), table.method].filter(Boolean).join(": "),
        })),
    caption: (report, { table }) =>
      `Each row is a model of ${table.method}, named by what it learned from. Each column is the hypothesis that it was tested on. ` +
      "Fainter is better" + (chance[metric] === undefined ? ". " : `, and the strongest colour is chance, ${chance[metric]}, or worse. `) +
      "In a framed cell the model was tested on what it learned from. A strong row is a model that does not carry over. " +
      (scaleNotes(report, metric, table.tested_on, []).length > 0 ? "Compare columns only where events are of one kind, as is said below. " : "A strong column is a hypothesis that is hard for all. ") +
      "Means count each cell alike.",
    notes: (report, { table }) => {
      const names = table.trained_on.filter((name) => warningsByModel(report, table.method).has(name));
      return [
        ...(names.length > 0 ? [`* ${listed(names)}: the training warned${saidByTraining(report, table.method, names)}`] : []),
        ...scaleNotes(report, metric, table.tested_on, [report.axes.map((axis) => table.sweep[axis])]),
      ];
    },
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
      const highest = chance[metric] ?? Math.max(...cells.map((cell) => cell.mean));
      // A row and a column of means, where there is something to average. No name of a hypothesis begins like this.
      const ofMeans = "\u200bmean";
      const over = (names, other) => (other.length > 1 ? [...names, ofMeans] : names);
      const columns = over(table.tested_on, table.tested_on);
      const rows = over(table.trained_on, table.trained_on);
      const means = [
        ...(columns.includes(ofMeans) ? table.row_means.map((row, i) => ({ trained_on: table.trained_on[i], tested_on: ofMeans, ...row })) : []),
        ...(rows.includes(ofMeans) ? table.column_means.map((column, j) => ({ trained_on: ofMeans, tested_on: table.tested_on[j], ...column })) : []),
        ...(columns.includes(ofMeans) && rows.includes(ofMeans) ? [{ trained_on: ofMeans, tested_on: ofMeans, ...table.mean }] : []),
      ].filter((cell) => cell.mean !== null);
      const doubtful = [...warningsByModel(report, table.method).keys()];
      const room = nameRoom(rows.map((name) => marked(name, doubtful)), width, 140);
      const isNarrow = width < 480;
      const size = Math.min(78, (width - room - (isNarrow ? 30 : 80)) / columns.length);
      const decimals = metric === "tau_distance" ? 2 : highest >= 10 ? 0 : 1;
      const x = { field: "tested_on", type: "nominal", scale: { domain: columns }, axis: { title: "tested on", orient: "top", labelAngle: size < 40 ? -45 : 0, labelLimit: Math.max(size, 60), domain: false, ticks: false } };
      const y = { field: "trained_on", type: "nominal", scale: { domain: rows }, axis: { ...nameAxis(room, doubtful), title: "trained on" } };
      const fontSize = size < 36 ? 10 : 12;
      return {
        width: size * columns.length,
        height: Math.max(30, Math.min(42, size)) * rows.length,
        encoding: { x, y },
        layer: [
          {
            name: "cells",
            data: { values: cells },
            mark: { type: "rect", cornerRadius: 3, width: { band: 0.97 }, height: { band: 0.95 } },
            encoding: {
              color: {
                field: "mean", type: "quantitative", scale: { domain: [0, highest], interpolate: "rgb", clamp: true },
                legend: { title: null, orient: isNarrow ? "bottom" : "right", gradientLength: 90, tickCount: 3 },
              },
              tooltip: [
                { field: "trained_on", title: "trained on" }, { field: "tested_on", title: "tested on" },
                { field: "mean", title: metric, format: ".4f" }, { field: "half_width_95", title: "± (95 %)", format: ".4f" },
                { field: "scored" }, { field: "planned" },
              ],
            },
          },
          {
            data: { values: cells.filter((cell) => cell.trained_on === cell.tested_on) },
            mark: { type: "rect", filled: false, stroke: "#E69F00", strokeWidth: 2.5, cornerRadius: 3, width: { band: 0.97 }, height: { band: 0.95 } },
          },
          ...(size < 26 ? [] : [
            {
              data: { values: cells },
              mark: { type: "text", fontSize },
              encoding: { text: { field: "mean", format: `.${decimals}f` }, color: onHeat("mean", 0.5 * highest) },
            },
            { data: { values: means }, mark: { type: "text", fontSize, fontWeight: 600 }, encoding: { text: { field: "mean", format: `.${decimals}f` } } },
          ]),
        ],
      };
    },
  });
}

crossFigure("tau_distance", "cross-tau-distance", "Tau distance of models on other hypotheses");
crossFigure("sequence_mae", "cross-event-times", "Event-time error of models on other hypotheses");
crossFigure("stage_mae", "cross-staging", "Staging MAE of models on other hypotheses");
