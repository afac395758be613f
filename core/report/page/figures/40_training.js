// Training curves of the models.

(() => {
  const words = (column) => column.replaceAll("_", " ");
  const pointsOf = (report, choice) =>
    report.models.flatMap((model) => {
      const at = model.columns.indexOf(choice.column);
      return at < 0 ? [] : model.epochs
        .map((epoch) => ({ model: model.name, epoch: epoch[0], value: epoch[at] }))
        .filter((point) => point.value !== null);
    });
  addFigure({
    id: "training",
    section: "Trained models",
    title: "How the models learned",
    choices: (report) =>
      [...new Set(report.models.flatMap((model) => model.columns.slice(1)))]
        .map((column) => ({ column, label: words(column) }))
        .filter((choice) => pointsOf(report, choice).length > 0),
    caption: (report, choice) =>
      `The ${words(choice.column)} after each epoch, a line per model. A validation curve that still falls at the end asks for more ` +
      "epochs; one that rises again while the training loss falls asks for fewer, or for more cohorts.",
    summary: (report, choice) =>
      `Last values: ${listed(report.models.map((model) => {
        const last = pointsOf(report, choice).filter((point) => point.model === model.name).at(-1);
        return `${shortened(model.name)} ${last ? Number(last.value.toPrecision(4)) : "none"}`;
      }))}.`,
    table: (report, choice) => ({
      columns: ["model", "epoch", choice.column],
      rows: pointsOf(report, choice).map((point) => [point.model, point.epoch, point.value]),
    }),
    spec: (report, choice, width) => {
      const models = report.models.map((model) => model.name);
      return {
        width: width - 70,
        height: 260,
        data: { values: pointsOf(report, choice) },
        mark: { type: "line", point: { size: 30 }, strokeWidth: 2 },
        encoding: {
          x: { field: "epoch", type: "quantitative", axis: { title: "epoch", tickMinStep: 1, format: "d", grid: false } },
          y: { field: "value", type: "quantitative", title: words(choice.column), scale: { zero: false } },
          color: { field: "model", type: "nominal", scale: colourScale(models), legend: { title: null, orient: "bottom", columns: width < 600 ? 1 : 3, symbolType: "stroke" } },
          tooltip: [{ field: "model" }, { field: "epoch" }, { field: "value", title: words(choice.column), format: ".5~g" }],
        },
      };
    },
  });
})();
