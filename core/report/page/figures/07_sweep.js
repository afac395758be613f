// How scores change along a sweep.

(() => {
  /** Whether two axes move together (`zip`): each value of one comes with one of the other. */
  function goTogether(report, a, b) {
    const partners = (from, to) => {
      const found = new Map();
      for (const values of report.points) found.set(values[from], (found.get(values[from]) ?? new Set()).add(values[to]));
      return found;
    };
    return [partners(a, b), partners(b, a)].every((found) => [...found.values()].every((values) => values.size === 1));
  }

  /** Each axis, at each combination of values of those that do not move with it. */
  function linesOf(report) {
    const axes = report.axes.map((_, axis) => axis);
    return axes.filter((axis) => !axes.slice(0, axis).some((before) => goTogether(report, before, axis))).flatMap((axis) => {
      const others = axes.filter((other) => other !== axis && !goTogether(report, axis, other));
      const groups = new Map();
      for (const values of report.points) {
        const fixed = others.map((other) => `${report.axes[other]} = ${values[other]}`).join(", ");
        groups.set(fixed, [...(groups.get(fixed) ?? []), values]);
      }
      return [...groups].filter(([, points]) => points.length > 1).map(([fixed, points]) => ({ axis, fixed, points }));
    });
  }

  /** The means of every method, by hypothesis and over all. */
  function meansOf(report, { metric, axis, points }) {
    const at = (row) => points.some((values) => report.axes.every((name, i) => row.sweep[name] === values[i]));
    const overall = report.hypotheses.length > 1 ? report.overall[metric].map((row) => ({ ...row, hypothesis: null })) : [];
    return [...overall, ...report.summaries[metric]]
      .filter((row) => at(row) && row.mean !== null)
      .map((row) => ({ ...row, value: row.sweep[report.axes[axis]] }));
  }

  const panelsOf = (report) => (report.hypotheses.length > 1 ? [null, ...report.hypotheses] : report.hypotheses);
  /** Where chance is in a panel. */
  const lineIn = (report, { metric, points }, hypothesis) => chanceAt(report, metric, hypothesis === null ? report.hypotheses : [hypothesis], points);
  const panelName = (hypothesis) => hypothesis ?? "all hypotheses";

  addFigure({
    id: "sweep",
    section: "Performance",
    title: "How do scores change along the sweep?",
    choices: (report) =>
      report.metrics.flatMap(({ name }) =>
        linesOf(report)
          .map((line) => ({
            ...line, metric: name,
            label: [`${lowered(plainMetric(name))} by ${shortAxis(report.axes[line.axis])}`, line.fixed].filter(Boolean).join(", "),
          }))
          .filter((choice) => meansOf(report, choice).length > 0)),
    caption: (report, { metric, axis, points }) =>
      `Each line is a method: its mean and 95\u00a0% interval at each value of ${shortAxis(report.axes[axis])}` +
      (report.hypotheses.length > 1 ? ", over all hypotheses and under each. " : ". ") +
      (metric === "seconds" ? "Lower is cheaper. " : "Lower is better. ") +
      (chance[metric] !== undefined ? `The dashed line is chance, ${chance[metric]}. ` :
        panelsOf(report).some((hypothesis) => lineIn(report, { metric, points }, hypothesis) !== undefined) ? "The dashed line is chance, where events have ranks. " : "") +
      "A line falls if the method makes use of what is swept. It is flat if the method does not depend on it, or has all it can use.",
    notes: (report, choice) => [...intervalNotes(report, meansOf(report, choice)), ...scaleNotes(report, choice.metric, report.hypotheses, choice.points)],
    summary: (report, choice) => {
      const means = meansOf(report, choice).filter((row) => row.hypothesis === null || report.hypotheses.length === 1);
      return `From first to last value: ${listed(methodsByRank(report).flatMap((method) => {
        const own = choice.points.map((values) => means.find((row) => row.method === method && row.value === values[choice.axis])).filter(Boolean);
        const { decimals } = metricOf(report, choice.metric);
        return own.length ? [`${called(report, method)} ${number(own[0].mean, decimals)} to ${number(own.at(-1).mean, decimals)}`] : [];
      }))}.`;
    },
    table: (report, choice) => ({
      columns: [...report.axes, "hypothesis", "method", "labels", "mean", "half_width_95", "scored", "planned"],
      rows: meansOf(report, choice).map((row) =>
        [...report.axes.map((axis) => row.sweep[axis]), row.hypothesis ?? "all", row.method, row.labels, row.mean, row.half_width_95, row.scored, row.planned]),
    }),
    spec: (report, choice, width) => {
      const { axis, metric, points } = choice;
      const texts = [...new Set(points.map((values) => values[axis]))];
      const numbers = texts.map(Number);
      const isNumeric = texts.every((text) => text.trim() !== "") && numbers.every(Number.isFinite);
      const isWide = isNumeric && Math.min(...numbers) > 0 && Math.max(...numbers) / Math.min(...numbers) >= 10;
      const means = meansOf(report, choice).map((row) => ({
        ...row, at: isNumeric ? Number(row.value) : shortened(row.value, 24),
        low: Math.max(0, row.mean - (row.half_width_95 ?? 0)), high: row.mean + (row.half_width_95 ?? 0),
      }));
      const methods = methodIds(report).filter((method) => means.some((row) => row.method === method));
      const doubtful = warnedMethods(report, methods);
      const panels = panelsOf(report).filter((hypothesis) => means.some((row) => row.hypothesis === hypothesis));
      const highest = Math.max(...means.map((row) => row.high), ...panels.map((hypothesis) => lineIn(report, choice, hypothesis) ?? 0));
      const rows = Math.ceil(panels.length / Math.max(1, Math.min(3, Math.floor(width / 200))));
      const perRow = Math.ceil(panels.length / rows);
      const cell = (width - 64 - (perRow - 1) * 48) / perRow;
      const color = {
        field: "method", type: "nominal", scale: colourScale(methodIds(report)),
        legend: {
          title: null, orient: "bottom", values: methods, columns: legendColumns(methods.map((method) => marked(method, doubtful)), width),
          labelLimit: 130, symbolOpacity: 1, ...markedLabels(doubtful, 15),
        },
      };
      const shape = { field: "method", type: "nominal", scale: shapeScale(methodIds(report)), legend: color.legend };
      return {
        columns: perRow,
        spacing: { row: 20, column: 16 },
        concat: panels.map((hypothesis, i) => {
          const x = {
            field: "at", title: i + perRow >= panels.length ? shortAxis(report.axes[axis]) : null,
            ...(isNumeric
              ? { type: "quantitative", scale: isWide ? { type: "log", nice: false, padding: 10 } : { zero: false, nice: false, padding: 10 }, axis: { values: numbers, format: ".6~g", grid: false, labelOverlap: true } }
              : { type: "ordinal", scale: { domain: texts.map((text) => shortened(text, 24)) }, axis: { labelAngle: 0, labelLimit: cell / texts.length, grid: false } }),
          };
          const y = {
            type: "quantitative", title: i % perRow === 0 ? metricNames[metric] : null,
            scale: { domain: [0, highest], nice: true }, axis: { tickCount: 5, titleLimit: 170 },
          };
          const line = lineIn(report, choice, hypothesis);
          const data = { values: means.filter((row) => row.hypothesis === hypothesis) };
          return {
            width: cell,
            height: perRow === 1 && panels.length === 1 ? 260 : 170,
            title: { text: shortened(panelName(hypothesis), Math.max(8, Math.floor(cell / 8))), fontStyle: hypothesis === null ? "italic" : "normal" },
            layer: [
              ...(line === undefined ? [] : [{
                data: { values: [{ at: line }] }, mark: { type: "rule", style: "chance" },
                encoding: { y: { ...y, field: "at" } },
              }]),
              { data, mark: { type: "rule", opacity: 0.6 }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color } },
              { data, mark: { type: "line", strokeWidth: 2 }, encoding: { x, y: { ...y, field: "mean" }, color } },
              {
                name: `means_${i}`,
                data,
                mark: { type: "point", filled: true, size: 55, opacity: 1 },
                encoding: {
                  x, y: { ...y, field: "mean" }, color, shape,
                  tooltip: [
                    { field: "method" }, { field: "value", title: shortAxis(report.axes[axis]) }, { field: "mean", format: ".4f" },
                    { field: "half_width_95", title: "± (95 %)", format: ".4f" }, { field: "scored" }, { field: "planned" },
                  ],
                },
              },
            ],
          };
        }),
      };
    },
  });
})();
