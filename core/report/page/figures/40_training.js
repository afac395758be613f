// Training curves of the models.

(() => {
  /** As tables call the same numbers. */
  const words = (column) =>
    column.replaceAll("_", " ").replace("stage mae", "staging MAE").replace("sequence mae", "event-time error");
  /** Curves of training and validation share a panel: `training_loss` and `validation_loss` are both of `loss`. */
  const panelOf = (column) => column.replace(/^(training|validation)_/, "");
  const partOf = (column) => (column.startsWith("training_") ? "training" : "validation");
  const columnsOf = (report) => [...new Set(report.models.flatMap((model) => model.columns.slice(1)))];

  /** `tempo on h6`; the name of the file where several models are called so. */
  function nameOf(report, model) {
    const short = (each) => `${each.method} on ${each.trained_on}`;
    return report.models.filter((each) => short(each) === short(model)).length > 1 ? model.name : short(model);
  }
  /** Models whose training warned, with what it said. */
  const doubtsOf = (report) => new Map(report.models.filter((model) => model.warnings.length > 0).map((model) => [nameOf(report, model), model.warnings]));
  const pointsOf = (report) =>
    report.models.flatMap((model) => model.columns.slice(1).flatMap((column, c) =>
      model.epochs
        .map((epoch) => ({ model: nameOf(report, model), column, epoch: epoch[0], value: epoch[c + 1] }))
        .filter((point) => point.value !== null)));

  addFigure({
    id: "training",
    section: "Trained models",
    title: "How the models learned",
    choices: (report) => (pointsOf(report).length > 0 ? [{ label: "" }] : []),
    caption: (report) =>
      "Each line is a model, judged after each epoch on cohorts that it did not learn from. If it still improves at the end, train for more epochs." +
      (columnsOf(report).some((column) => column.startsWith("training_"))
        ? " Dashed lines with small marks are of the cohorts that it learned from. " +
          "If a solid line gets worse again while the dashed one falls, train for fewer epochs, or on more cohorts." : ""),
    notes: (report) => notesOf(doubtsOf(report), report.models.map((model) => nameOf(report, model))),
    summary: (report) =>
      `Last values: ${listed(report.models.map((model) => {
        const last = model.epochs.at(-1) ?? [];
        const values = model.columns.slice(1).map((column, c) => `${words(column)} ${last[c + 1] == null ? "none" : Number(last[c + 1].toPrecision(4))}`);
        return `${shortened(nameOf(report, model))}: ${values.join(", ")}`;
      }))}.`,
    table: (report) => {
      const columns = columnsOf(report);
      return {
        columns: ["model", "epoch", ...columns],
        rows: report.models.flatMap((model) => model.epochs.map((epoch) =>
          [nameOf(report, model), epoch[0], ...columns.map((column) => epoch[model.columns.indexOf(column)] ?? null)])),
      };
    },
    spec: (report, choice, width) => {
      const points = pointsOf(report);
      const models = report.models.map((model) => nameOf(report, model));
      const panels = [...new Set(columnsOf(report).map(panelOf))].filter((panel) => points.some((point) => panelOf(point.column) === panel));
      const perRow = Math.min(panels.length, width < 560 ? 1 : 2);
      const doubtful = [...doubtsOf(report).keys()];
      const legend = { title: null, orient: "bottom", columns: legendColumns(models.map((model) => marked(model, doubtful)), width), ...markedLabels(doubtful, 34) };
      const color = { field: "model", type: "nominal", scale: colourScale(models), legend };
      const shape = { field: "model", type: "nominal", scale: shapeScale(models), legend };
      const epochs = Math.max(...points.map((point) => point.epoch));
      const isMarked = (point) => (epochs - point.epoch) % Math.ceil(epochs / 12) === 0;  // of many epochs a few are enough
      return {
        columns: perRow,
        spacing: { row: 18, column: 30 },
        concat: panels.map((panel, i) => {
          const own = points.filter((point) => panelOf(point.column) === panel).map((point) => ({ ...point, part: partOf(point.column) }));
          const x = { field: "epoch", type: "quantitative", axis: { title: i + perRow >= panels.length ? "epoch" : null, tickMinStep: 1, format: "d", grid: false } };
          const y = { field: "value", type: "quantitative", title: null, scale: { zero: false }, axis: { tickCount: 5, format: ".4~g" } };
          return {
            width: (width - 24) / perRow - 62,
            height: 150,
            title: { text: words(panel) },
            layer: [
              {
                data: { values: own },
                mark: { type: "line", strokeWidth: 2 },
                encoding: { x, y, color, strokeDash: { field: "part", type: "nominal", scale: { domain: ["validation", "training"], range: [[1, 0], [5, 4]] }, legend: null } },
              },
              {
                data: { values: own.filter(isMarked) },
                mark: { type: "point", filled: true, opacity: 1 },
                encoding: {
                  x, y, color, shape,
                  size: { condition: { test: "datum.part === 'training'", value: 14 }, value: 45 },
                  tooltip: [{ field: "model" }, { field: "epoch" }, { field: "column", title: "curve" }, { field: "value", format: ".5~g" }],
                },
              },
            ],
          };
        }),
      };
    },
  });
})();
