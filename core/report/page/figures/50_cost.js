// Accuracy against cost.

(() => {
  const pointsOf = (report, choice) => {
    const at = (rows) => rows.filter(isAt(report, choice)).filter((row) => row.mean !== null);
    const pairs = (taus, seconds) => at(taus).flatMap((tau) => {
      const cost = at(seconds).find((row) => row.method === tau.method && row.hypothesis === tau.hypothesis);
      return cost ? [{ method: tau.method, hypothesis: tau.hypothesis, distance: tau.mean, seconds: Math.max(cost.mean, 1e-6) }] : [];
    });
    return {
      overall: pairs(report.overall[report.ranked_by], report.overall.seconds),
      each: pairs(report.summaries[report.ranked_by], report.summaries.seconds),
    };
  };
  addFigure({
    id: "cost",
    section: "Cost and limits",
    title: "What does accuracy cost?",
    choices: (report) => pointChoices(report).filter((choice) => pointsOf(report, choice).overall.length > 0),
    caption: () =>
      "A large mark is a method over all cohorts, a faint one the same under one hypothesis. Lower is better, and further left is cheaper. " +
      "The scale of seconds is logarithmic. Seconds are those of one fit on one thread. They leave out the training of models, which is paid once.",
    notes: (report, choice) => trainingNotes(report, pointsOf(report, choice).overall.map(({ method }) => method)),
    summary: (report, choice) =>
      `${plainMetric(report.ranked_by)} and seconds per cohort: ${listed(pointsOf(report, choice).overall.map((point) =>
        `${called(report, point.method)} ${number(point.distance, 3)} in ${Number(point.seconds.toPrecision(2))} s`))}.`,
    table: (report, choice) => {
      const { overall, each } = pointsOf(report, choice);
      return {
        columns: ["method", "hypothesis", report.ranked_by, "seconds"],
        rows: [...overall, ...each].map((point) => [point.method, point.hypothesis || "all", point.distance, point.seconds]),
      };
    },
    spec: (report, choice, width) => {
      const { overall, each } = pointsOf(report, choice);
      const methods = methodIds(report).filter((method) => overall.some((point) => point.method === method));
      const doubtful = warnedMethods(report, methods);
      const legend = {
        title: null, orient: "bottom", columns: legendColumns(methods.map((method) => marked(method, doubtful)), width), labelLimit: 130,
        symbolOpacity: 1, symbolSize: 90, ...markedLabels(doubtful, 15),
      };
      const x = { field: "seconds", type: "quantitative", scale: { type: "log", nice: true }, axis: { title: "seconds per cohort (log scale)", format: "~g", tickCount: 5, grid: false } };
      const y = { field: "distance", type: "quantitative", title: lowered(plainMetric(report.ranked_by)), scale: { zero: true } };
      const color = { field: "method", type: "nominal", scale: colourScale(methodIds(report)), legend };
      const shape = { field: "method", type: "nominal", scale: shapeScale(methodIds(report)), legend };
      const tooltip = [
        { field: "method" }, { field: "hypothesis" }, { field: "distance", title: report.ranked_by, format: ".4f" }, { field: "seconds", format: ".3~g" },
      ];
      return {
        width: width - 70,
        height: 300,
        layer: [
          { data: { values: each }, mark: { type: "point", filled: true, size: 28, opacity: 0.35 }, encoding: { x, y, color, shape, tooltip } },
          {
            name: "methods",
            data: { values: overall.map((point) => ({ ...point, hypothesis: "all" })) },
            mark: { type: "point", filled: true, size: 150, opacity: 1 },
            encoding: { x, y, color, shape, tooltip },
          },
          ...(chance[report.ranked_by] === undefined ? [] : [{ data: { values: [{ at: 0.5 }] }, mark: { type: "rule", style: "chance" }, encoding: { y: { field: "at", type: "quantitative" } } },
          {
            data: { values: [{ at: 0.5, label: "chance" }] },
            mark: { type: "text", style: "chance-label", align: "left", baseline: "bottom", x: 4, dy: -3 },
            encoding: { y: { field: "at", type: "quantitative" }, text: { field: "label" } },
          }]),
        ],
      };
    },
  });

  function limitFigure(metric, id, title) {
    const rowsOf = (report, choice) => (report.against_limit?.[metric] ?? []).filter(isAt(report, choice));
    addFigure({
      id,
      section: "Cost and limits",
      title,
      choices: (report) => pointChoices(report).filter((choice) => rowsOf(report, choice).some((row) => row.mean !== null)),
      caption: (report) =>
        `Each method's score minus that of ${report.about.limit} on the same cohort: mean and 95\u00a0% interval. ` +
        `The dashed line at 0 is the limit, for ${report.about.limit} knows the true hypothesis. A better method could gain what lies right of the line. ` +
        "An interval left of the line says that the limit was not computed precisely enough.",
      notes: (report, choice) => intervalNotes(report, rowsOf(report, choice)),
      summary: (report, choice) => bestByHypothesis(report, rowsOf(report, choice), metricOf(report, metric).decimals),
      table: (report, choice) => intervalTable(rowsOf(report, choice)),
      spec: (report, choice, width) =>
        intervalGrid(report, rowsOf(report, choice), metric, `excess ${lowered(metricNames[metric])}`, width, { lineOf: () => 0 }),
    });
  }
  limitFigure("tau_distance", "limit-tau-distance", "How far from the limit: order");
  limitFigure("matched_tau_distance", "limit-matched-tau-distance", "How far from the limit: orders of subtypes");
  limitFigure("stage_mae", "limit-staging", "How far from the limit: staging");
})();
