// Boxes and strips: the scores of each method on all cohorts.

function boxFigure(metric, id, title, hint) {
  const valuesOf = (report, choice) =>
    fitsOf(report).filter(
      (fit) => fit.point === choice.point && fit.in_distribution && fit.status === "ok" && (fit[metric] ?? null) !== null,
    );
  const hypothesesIn = (report, choice) => [...new Set(valuesOf(report, choice).map((fit) => fit.hypothesis))];
  const byMethod = (report, choice) =>
    methodsByRank(report)
      .map((method) => ({
        method,
        values: valuesOf(report, choice).filter((fit) => fit.method === method).map((fit) => fit[metric]).sort((a, b) => a - b),
      }))
      .filter((entry) => entry.values.length > 0);

  addFigure({
    id,
    section: "Performance",
    title,
    choices: (report) => pointChoices(report).filter((choice) => valuesOf(report, choice).length > 0),
    caption: (report) =>
      `Each dot is a cohort${report.hypotheses.length > 1 ? ", of any hypothesis" : ""}. ` +
      "The box holds the middle half of the cohorts, and the thick line is their median. Whiskers reach to the last cohort " +
      `within one and a half box lengths. ${hint}`,
    notes: (report, choice) => [
      ...trainingNotes(report, byMethod(report, choice).map(({ method }) => method)), ...scaleNotes(report, metric, hypothesesIn(report, choice), [choice.values]),
    ],
    summary: (report, choice) =>
      `Medians over cohorts: ${listed(
        byMethod(report, choice)
          .map(({ method, values }) => ({ method, median: quantile(values, 0.5) }))
          .sort((a, b) => (metricOf(report, metric).better === "higher" ? b.median - a.median : a.median - b.median))
          .map(({ method, median }) => `${called(report, method)} ${number(median, metricOf(report, metric).decimals)}`),
      )}.`,
    table: (report, choice) => ({
      columns: ["hypothesis", "cohort", "method", "trained_on", metric],
      rows: valuesOf(report, choice).map((fit) => [fit.hypothesis, fit.cohort, fit.method, fit.trained_on, fit[metric]]),
    }),
    spec: (report, choice, width) => {
      const groups = byMethod(report, choice);
      const methods = groups.map((group) => group.method);
      const doubtful = warnedMethods(report, methods);
      const room = nameRoom(methods.map((method) => marked(method, doubtful)), width);
      const step = methods.length > 12 ? 34 : 46;
      const boxes = groups.map(({ method, values }) => {
        const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
        const reach = 1.5 * (high - low);
        return {
          method, low, high, median: quantile(values, 0.5), n: values.length,
          // Quartiles lie between cohorts: of a few, the last one within reach may be inside the box.
          from: Math.min(low, values.find((value) => value >= low - reach)),
          to: Math.max(high, values.findLast((value) => value <= high + reach)),
        };
      });
      // An axis from 0 to 0 has no ticks that can be read.
      const flatDomain = groups.every(({ values }) => values.every((value) => value === 0)) ? { domain: [-1, 1] } : {};
      const x = { type: "quantitative", title: metricNames[metric], scale: { zero: true, nice: true, ...flatDomain }, axis: { tickCount: Math.min(10, width / 70) } };
      const y = { field: "method", type: "nominal", sort: methods, axis: nameAxis(room, doubtful), scale: { paddingInner: 0.25 } };
      const color = { field: "method", type: "nominal", scale: colourScale(methodIds(report)), legend: null };
      // Dots beside each other by a rule, not by chance: the same page each time.
      const dots = valuesOf(report, choice).map((fit, i) => ({
        method: fit.method, hypothesis: fit.hypothesis, cohort: fit.cohort, value: fit[metric],
        jitter: (0.375 + (((i * 0.618034) % 1) - 0.5) * 0.62) * step, // pixels from the upper edge of the band
      }));
      return {
        width: width - room - 20,
        height: { step },
        autosize: { type: "pad", contains: "padding" },
        layer: [
          ...chanceLine(chanceAt(report, metric, hypothesesIn(report, choice), [choice.values])),
          {
            name: "dots",
            data: { values: dots },
            mark: { type: "circle", size: dots.length > 600 ? 9 : 18, opacity: dots.length > 600 ? 0.4 : 0.55 },
            encoding: {
              x: { ...x, field: "value" }, y, color,
              yOffset: { field: "jitter", type: "quantitative", scale: null },
              tooltip: [
                { field: "method", title: "method" }, { field: "hypothesis", title: "hypothesis" },
                { field: "cohort", title: "cohort" }, { field: "value", title: metric, format: ".4f" },
              ],
            },
          },
          ...[["from", "low"], ["high", "to"]].map(([start, end]) => ({
            data: { values: boxes },
            mark: { type: "rule", strokeWidth: 1.5 },
            encoding: { x: { ...x, field: start }, x2: { field: end }, y, color },
          })),
          {
            name: "boxes",
            data: { values: boxes },
            mark: { type: "bar", height: { band: 0.42 }, fillOpacity: 0.28, strokeWidth: 1.5 },
            encoding: {
              x: { ...x, field: "low", stack: null }, x2: { field: "high" }, y, color,
              stroke: { ...color },
              tooltip: [
                { field: "method", title: "method" }, { field: "n", title: "cohorts" },
                { field: "median", format: ".4f" }, { field: "low", title: "lower quartile", format: ".4f" },
                { field: "high", title: "upper quartile", format: ".4f" },
              ],
            },
          },
          {
            data: { values: boxes },
            mark: { type: "tick", thickness: 3, height: { band: 0.5 }, style: "middle", opacity: 1 },
            encoding: { x: { ...x, field: "median" }, y },
          },
        ],
      };
    },
  });
}

boxFigure("tau_distance", "tau-distance", "How well is the order of events found?",
  "The tau distance is the share of pairs of events in the wrong order. Further left is better: 0 is perfect, and guessing gives 0.5.");
boxFigure("stage_mae", "staging", "How well are participants staged?",
  "The staging MAE is how many stages participants are off, on average. Further left is better.");
boxFigure("sequence_mae", "event-times", "How well are the times of events found?",
  "The event-time error is how far events are from their true times, on average. It counts places in the order where events have ranks. " +
  "Where they have times, it is on the scale 0 to B. Further left is better.");

// ---- Cohorts with subtypes ----------------------------------------------------------------------

boxFigure("matched_tau_distance", "matched-tau-distance", "How well are the orders of subtypes found?",
  "The matched tau distance compares each true order with the found order that it is matched with. Further left is better: 0 is perfect.");
boxFigure("subtype_score", "subtype-score", "How well are participants given to subtypes?",
  "The subtype score is the adjusted Rand index over the diseased. Further right is better: 1 is perfect, and guessing gives 0.");
boxFigure("subtype_number_error", "subtype-number", "How many subtypes are found?",
  "It is the number of subtypes found, minus the true number. 0 is right.");
