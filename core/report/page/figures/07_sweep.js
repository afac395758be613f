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
        const fixed = others.map((other) => `${shortAxis(report.axes[other])} = ${values[other]}`).join(", ");
        groups.set(fixed, [...(groups.get(fixed) ?? []), values]);
      }
      return [...groups].filter(([, points]) => points.length > 1).map(([fixed, points]) => ({ axis, fixed, points }));
    });
  }

  const isOnly = (report) => report.hypotheses.length === 1;
  /** Rows of `bySomeHypothesis`, where there are several also those over all, as of hypothesis null. */
  const withOverall = (report, overall, bySomeHypothesis) =>
    [...(isOnly(report) ? [] : overall.map((row) => ({ ...row, hypothesis: null }))), ...bySomeHypothesis];
  const isOn = (report, points) => (row) => points.some((values) => report.axes.every((name, i) => row.sweep[name] === values[i]));
  const alongIts = (report, axis) => (row) => ({ ...row, value: row.sweep[report.axes[axis]] });

  /** The means of every method, by hypothesis and over all; of one of these where its panels are values. */
  function meansOf(report, { metric, axis, points, facet, hypothesis }) {
    return withOverall(report, report.overall[metric], report.summaries[metric])
      .filter((row) => isOn(report, points)(row) && row.mean !== null && (facet === undefined || row.hypothesis === hypothesis))
      .map(alongIts(report, axis));
  }

  /** What each step along changes, of the same. */
  function changesOf(report, { metric, axis, points }) {
    const own = report.changes[metric].filter((row) => row.along === report.axes[axis] && row.change !== null && isOn(report, points)(row));
    return withOverall(report, own.filter((row) => row.hypothesis === ""), own.filter((row) => row.hypothesis !== "")).map(alongIts(report, axis));
  }

  const hypothesesOf = (report) => (isOnly(report) ? report.hypotheses : [null, ...report.hypotheses]);
  /** The plots side by side: a hypothesis each, or a value of another key each. */
  function panelsOf(report, { points, facet, hypothesis }) {
    const all = (one) => (one === null ? report.hypotheses : [one]);
    if (facet === undefined)
      return hypothesesOf(report).map((one) => ({
        name: one ?? "all hypotheses", isOver: one === null, hypotheses: all(one), points, has: (row) => row.hypothesis === one,
      }));
    const axis = report.axes[facet];
    return [...new Set(points.map((values) => values[facet]))].map((value) => ({
      name: `${shortAxis(axis)} = ${value}`, isOver: false, hypotheses: all(hypothesis), points: points.filter((values) => values[facet] === value),
      has: (row) => row.sweep[axis] === value,
    }));
  }
  /** Where chance is in a panel. */
  const chanceIn = (report, metric, { hypotheses, points }) => chanceAt(report, metric, hypotheses, points);

  /** Lines whose panels are the values of a second key, under each hypothesis and over all; the other keys stay. */
  function facetsOf(report) {
    const lines = linesOf(report);
    return [...new Set(lines.map(({ axis }) => axis))].flatMap((axis) => {
      const others = report.axes.map((_, other) => other).filter((other) => other !== axis && !goTogether(report, axis, other));
      const named = others.filter((other) => !others.some((before) => before < other && goTogether(report, before, other)));
      return named.flatMap((facet) => {
        const groups = new Map();
        for (const { points } of lines.filter((line) => line.axis === axis))
          for (const values of points) {
            const fixed = others.filter((other) => !goTogether(report, other, facet)).map((other) => `${shortAxis(report.axes[other])} = ${values[other]}`).join(", ");
            groups.set(fixed, [...(groups.get(fixed) ?? []), values]);
          }
        return [...groups].flatMap(([fixed, points]) => hypothesesOf(report).map((hypothesis) => ({
          axis, facet, hypothesis, points,
          fixed: [...(isOnly(report) ? [] : [hypothesis === null ? "over all hypotheses" : `under ${hypothesis}`]), fixed].filter(Boolean).join(", "),
        })));
      }).filter(({ points, facet: by }) => new Set(points.map((values) => values[by])).size > 1);
    });
  }

  const labelOf = (report, { axis, facet, fixed, metric }) => [
    `${lowered(plainMetric(metric))} by ${shortAxis(report.axes[axis])}${facet === undefined ? "" : ` for each ${shortAxis(report.axes[facet])}`}`, fixed,
  ].filter(Boolean).join(", ");
  const choicesOf = (report, lines, rowsOf) =>
    report.metrics.flatMap(({ name }) =>
      lines
        .map((line) => ({ ...line, metric: name, label: labelOf(report, { ...line, metric: name }) }))
        .filter((choice) => rowsOf(report, choice).length > 0));

  /** Whether the steps between these numbers are more even as factors than as differences. */
  function areGeometric(numbers) {
    const sorted = [...new Set(numbers)].sort((a, b) => a - b);
    if (sorted.length < 2 || sorted[0] <= 0) return false;
    const unevenness = (values) => {
      const steps = values.slice(1).map((value, i) => value - values[i]);
      return Math.max(...steps) / Math.min(...steps);
    };
    return sorted.length === 2 ? sorted[1] / sorted[0] >= 10 : unevenness(sorted.map(Math.log)) < unevenness(sorted);
  }

  /**
   * Small plots of one size and scale: values with intervals along a key, a line per method.
   * @param rows  {method, value, y, half: of the interval, ...}
   * @param lineIn  where a dashed line goes in a panel; undefined: nowhere
   * @param least  that an interval can reach
   */
  function panelled(report, choice, width, { rows, title, lineIn, least, tooltip }) {
    const { axis, points } = choice;
    const texts = [...new Set(points.map((values) => values[axis]))];
    const numbers = texts.map(Number);
    const isNumeric = texts.every((text) => text.trim() !== "") && numbers.every(Number.isFinite);
    const shown = rows.map((row) => ({
      ...row, at: isNumeric ? Number(row.value) : shortened(row.value, 24),
      low: Math.max(least, row.y - (row.half ?? 0)), high: row.y + (row.half ?? 0),
    }));
    const methods = methodIds(report).filter((method) => shown.some((row) => row.method === method));
    const doubtful = warnedMethods(report, methods);
    const panels = panelsOf(report, choice).filter(({ has }) => shown.some(has));
    const extent = [0, ...shown.flatMap((row) => [row.low, row.high]), ...panels.map((panel) => lineIn(panel) ?? 0)];
    const rowCount = Math.ceil(panels.length / Math.max(1, Math.min(3, Math.floor(width / 200))));
    const perRow = Math.ceil(panels.length / rowCount);
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
      ...(choice.fixed ? { title: { text: shortened(choice.fixed, Math.floor(width / 7)), limit: width } } : {}),
      columns: perRow,
      spacing: { row: 20, column: 16 },
      concat: panels.map((panel, i) => {
        const x = {
          field: "at", title: i + perRow >= panels.length ? shortAxis(report.axes[axis]) : null,
          ...(isNumeric
            ? {
              type: "quantitative", scale: areGeometric(numbers) ? { type: "log", nice: false, padding: 10 } : { zero: false, nice: false, padding: 10 },
              axis: { values: numbers, format: ".6~g", grid: false, labelOverlap: true },
            }
            : { type: "ordinal", scale: { domain: texts.map((text) => shortened(text, 24)) }, axis: { labelAngle: 0, labelLimit: cell / texts.length, grid: false } }),
        };
        const y = {
          type: "quantitative", title: i % perRow === 0 ? title : null,
          scale: { domain: [Math.min(...extent), Math.max(...extent)], nice: true }, axis: { tickCount: 5, titleLimit: 170 },
        };
        const line = lineIn(panel);
        const data = { values: shown.filter(panel.has) };
        return {
          width: cell,
          height: perRow === 1 && panels.length === 1 ? 260 : 170,
          title: { text: shortened(panel.name, Math.max(8, Math.floor(cell / 8))), fontStyle: panel.isOver ? "italic" : "normal" },
          layer: [
            ...(line === undefined ? [] : [{
              data: { values: [{ at: line }] }, mark: { type: "rule", style: "chance" },
              encoding: { y: { ...y, field: "at" } },
            }]),
            { data, mark: { type: "rule", opacity: 0.6 }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color } },
            { data, mark: { type: "line", strokeWidth: 2 }, encoding: { x, y: { ...y, field: "y" }, color } },
            {
              name: `means_${i}`,
              data,
              mark: { type: "point", filled: true, size: 55, opacity: 1 },
              encoding: { x, y: { ...y, field: "y" }, color, shape, tooltip: [{ field: "method" }, { field: "value", title: shortAxis(report.axes[axis]) }, ...tooltip] },
            },
          ],
        };
      }),
    };
  }

  /** What the panels of a choice are, in words. */
  const panelWords = (report, { facet }) =>
    facet !== undefined ? `, in a plot for each ${shortAxis(report.axes[facet])}. ` : isOnly(report) ? ". " : ", over all hypotheses and under each. ";
  /** What the swept keys are in a row of data. */
  const pointOf = (report, row) => report.axes.map((axis) => row.sweep[axis]);

  addFigure({
    id: "sweep",
    section: "Performance",
    title: "How do scores change along the sweep?",
    choices: (report) => choicesOf(report, [...linesOf(report), ...facetsOf(report)], meansOf),
    caption: (report, choice) =>
      `Each line is a method: its mean and 95\u00a0% interval at each value of ${shortAxis(report.axes[choice.axis])}${panelWords(report, choice)}` +
      `${betterIn(report, choice.metric)}. ` +
      (chance[choice.metric] !== undefined ? `The dashed line is chance, ${chance[choice.metric]}. ` :
        panelsOf(report, choice).some((panel) => chanceIn(report, choice.metric, panel) !== undefined) ? "The dashed line is chance, where events have ranks. " : "") +
      "A line falls if the method makes use of what is swept. It is flat if the method does not depend on it, or has all it can use.",
    notes: (report, choice) => [...intervalNotes(report, meansOf(report, choice)), ...scaleNotes(report, choice.metric, report.hypotheses, choice.points)],
    summary: (report, choice) => {
      const means = meansOf(report, choice).filter((row) => row.hypothesis === null || isOnly(report) || choice.facet !== undefined);
      const { decimals } = metricOf(report, choice.metric);
      const inPanel = ({ has }) => listed(methodsByRank(report).flatMap((method) => {
        const own = choice.points.map((values) => means.find((row) => row.method === method && has(row) && row.value === values[choice.axis])).filter(Boolean);
        return own.length ? [`${called(report, method)} ${number(own[0].mean, decimals)} to ${number(own.at(-1).mean, decimals)}`] : [];
      }));
      if (choice.facet === undefined) return `From first to last value: ${inPanel({ has: () => true })}.`;
      return `From first to last value: ${panelsOf(report, choice).map((panel) => `${panel.name}: ${inPanel(panel)}`).join("; ")}.`;
    },
    table: (report, choice) => ({
      columns: [...report.axes, "hypothesis", "method", "labels", "mean", "half_width_95", "scored", "planned"],
      rows: meansOf(report, choice).map((row) =>
        [...pointOf(report, row), row.hypothesis ?? "all", row.method, row.labels, row.mean, row.half_width_95, row.scored, row.planned]),
    }),
    spec: (report, choice, width) => panelled(report, choice, width, {
      rows: meansOf(report, choice).map((row) => ({ ...row, y: row.mean, half: row.half_width_95 })),
      title: metricNames[choice.metric],
      lineIn: (panel) => chanceIn(report, choice.metric, panel),
      least: leastOf(report, choice.metric),
      tooltip: [
        { field: "mean", format: ".4f" }, { field: "half_width_95", title: "± (95 %)", format: ".4f" }, { field: "scored" }, { field: "planned" },
      ],
    }),
  });

  addFigure({
    id: "sweep-steps",
    section: "Performance",
    title: "What does each step along the sweep change?",
    choices: (report) => choicesOf(report, linesOf(report), changesOf),
    caption: (report, choice) =>
      `Each point is what a method's mean changes from the value of ${shortAxis(report.axes[choice.axis])} before to this one, with its 95\u00a0% interval` +
      `${panelWords(report, choice)}The dashed line is no change: an interval that does not reach it tells a step from chance. ` +
      "Once all intervals reach it, further values bring nothing that so many cohorts could show.",
    notes: (report, choice) => [report.shared_along[report.axes[choice.axis]], ...intervalNotes(report, changesOf(report, choice))],
    summary: (report, choice) => {
      const rows = changesOf(report, choice).filter((row) => row.hypothesis === null || isOnly(report));
      const { decimals } = metricOf(report, choice.metric);
      return `Steps that can be told from no change: ${listed(methodsByRank(report).flatMap((method) =>
        rows.filter((row) => row.method === method && row.change_half_width_95 !== null && Math.abs(row.change) > row.change_half_width_95)
          .map((row) => `${called(report, method)} from ${row.from} to ${row.value} (${number(row.change, decimals)})`))) || "none"}.`;
    },
    table: (report, choice) => ({
      columns: [...report.axes, "hypothesis", "method", "labels", "from", "change", "change_half_width_95", "pairs"],
      rows: changesOf(report, choice).map((row) =>
        [...pointOf(report, row), row.hypothesis ?? "all", row.method, row.labels, row.from, row.change, row.change_half_width_95, row.pairs]),
    }),
    spec: (report, choice, width) => panelled(report, choice, width, {
      rows: changesOf(report, choice).map((row) => ({ ...row, y: row.change, half: row.change_half_width_95 })),
      title: `Change of ${lowered(plainMetric(choice.metric))}`,
      lineIn: () => 0,
      least: -Infinity,
      tooltip: [
        { field: "from" }, { field: "change", format: ".4f" }, { field: "change_half_width_95", title: "± (95 %)", format: ".4f" }, { field: "pairs" },
      ],
    }),
  });
})();
