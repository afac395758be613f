// Whether methods are as sure as they should be.

(() => {
  const kinds = [{ posterior: "ranks", label: "places in the order" }, { posterior: "stages", label: "stages" }];
  const rowsOf = (report, choice) => (report.calibration ?? []).filter(isAt(report, choice)).filter((row) => row.posterior === choice.posterior);
  const ofMethod = (report, choice) => rowsOf(report, choice).filter((row) => row.method === choice.method);
  const tenthsOf = (row) => Array.from({ length: 10 }, (_, i) => row[`tenth_${i + 1}`]);
  const healthy = "Participants whose stage the label says are left out.";

  addFigure({
    id: "calibration",
    section: "A look inside",
    title: "Are methods as sure as they should be?",
    choices: (report) => choicesPerPoint(report, kinds, (choice) => rowsOf(report, choice).length > 0),
    caption: (report, { posterior }) =>
      `Each mark is the share of true ${posterior === "ranks" ? "places" : "stages"} inside the 90\u00a0% interval of their posterior, with its 95\u00a0% interval over cohorts. ` +
      "The dashed line at 0.9 is right. Left of it a method is surer than it should be, right of it less sure." +
      (posterior === "stages" ? ` ${healthy}` : ""),
    notes: (report, choice) => intervalNotes(report, rowsOf(report, choice)),
    summary: (report, choice) =>
      `Shares inside: ${rowsOf(report, choice).map((row) => `${called(report, row.method)} under ${shortened(row.hypothesis)} ${number(row.inside_90, 3)}`).join("; ")}.`,
    table: (report, choice) => ({
      columns: ["hypothesis", "method", "posterior", "truths", "inside_90", "half_width_95", "scored", "planned"],
      rows: rowsOf(report, choice).map((row) =>
        [row.hypothesis, row.method, row.posterior, row.truths, row.inside_90, row.half_width_95, row.scored, row.planned]),
    }),
    spec: (report, choice, width) =>
      intervalGrid(report, rowsOf(report, choice).map((row) => ({ ...row, mean: row.inside_90 })), "inside_90", "share inside", width, { lineOf: () => 0.9, least: 0, most: 1, from: 0.5 }),
  });

  addFigure({
    id: "calibration-tenths",
    section: "A look inside",
    title: "Where do truths lie in their posteriors?",
    choices: (report) =>
      choicesPerPoint(report, methodsByRank(report).flatMap((method) =>
        kinds.map(({ posterior, label }) => ({ method, posterior, label: `${shortened(method)}: ${label}` }))),
      (choice) => ofMethod(report, choice).length > 0),
    caption: (report, { posterior }) =>
      `Bars say how much of the truth lies in each tenth of its posterior's probability, from the ${posterior === "ranks" ? "earliest places" : "lowest stages"} to the ${posterior === "ranks" ? "last" : "highest"}. ` +
      "All at the dashed line, a tenth each, is right. High bars at both ends: the method is surer than it should be. A hump: it is less sure. A slope: it is biased." +
      (posterior === "stages" ? ` ${healthy}` : ""),
    notes: (report, choice) => trainingNotes(report, [choice.method]),
    summary: (report, choice) =>
      `Emptiest and fullest tenth: ${ofMethod(report, choice).map((row) =>
        `${shortened(row.hypothesis)} ${number(Math.min(...tenthsOf(row)), 3)} to ${number(Math.max(...tenthsOf(row)), 3)}`).join("; ")}.`,
    table: (report, choice) => ({
      columns: ["hypothesis", "method", "posterior", "truths", ...Array.from({ length: 10 }, (_, i) => `tenth_${i + 1}`)],
      rows: ofMethod(report, choice).map((row) =>
        [row.hypothesis, row.method, row.posterior, row.truths, ...tenthsOf(row)]),
    }),
    spec: (report, choice, width) => {
      const rows = ofMethod(report, choice);
      const perRow = Math.max(1, Math.min(3, rows.length, Math.floor(width / 190)));
      const cell = (width - 60 - (perRow - 1) * 44) / perRow;
      const highest = Math.max(0.2, ...rows.flatMap(tenthsOf));
      const y = (axis) => ({ type: "quantitative", scale: { domain: [0, highest] }, axis: axis ? { title: "share of truths", tickCount: 3, format: "~g" } : { title: null, tickCount: 3, format: "~g" } });
      return {
        columns: perRow,
        spacing: { row: 18, column: 20 },
        concat: rows.map((row, i) => ({
          width: cell,
          height: 90,
          title: { text: shortened(row.hypothesis, Math.max(8, Math.floor(cell / 8))) },
          layer: [
            {
              name: `tenths_${i}`,
              data: { values: tenthsOf(row).map((share, tenth) => ({ tenth: tenth + 1, share })) },
              mark: { type: "bar", color: okabeIto[methodIds(report).indexOf(choice.method) % okabeIto.length] },
              encoding: {
                x: { field: "tenth", type: "ordinal", axis: { title: i + perRow >= rows.length ? "tenth of the posterior" : null, labelAngle: 0, ticks: false } },
                y: { ...y(i % perRow === 0), field: "share" },
                tooltip: [{ field: "tenth" }, { field: "share", format: ".3f" }],
              },
            },
            { data: { values: [{ at: 0.1 }] }, mark: { type: "rule", style: "chance" }, encoding: { y: { field: "at", type: "quantitative" } } },
          ],
        })),
      };
    },
  });
})();
