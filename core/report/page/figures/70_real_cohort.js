// A cohort of patients, where nobody knows the truth: what the fits say, and how far they agree.

(() => {
  /** The rows of a table of the analysis (`tempo results --table NAME --format json`). */
  const rowsOf = (report, name) => {
    const columns = Object.entries(report.analysis?.[name] ?? {});
    return (columns[0]?.[1] ?? []).map((_, i) => Object.fromEntries(columns.map(([key, values]) => [key, values[i]])));
  };
  const kinds = {
    across: "all fits together", posterior: "by its posterior", bootstrap: "over resampled participants", fit: "",
  };

  /** Groups of rows, each a choice: of a cohort, and of what `keyOf` tells apart. */
  function choicesOf(report, rows, keyOf) {
    const groups = new Map();
    for (const row of rows) {
      const label = [sweepLabel(report, row), keyOf(row)].filter(Boolean).join(": ");
      const key = JSON.stringify([row.cohort, label]);
      if (!groups.has(key)) groups.set(key, { label, rows: [] });
      groups.get(key).rows.push(row);
    }
    return [...groups.values()];
  }
  /** Fits of a method have its colour, as everywhere, and a shape each. */
  const fitColours = (report, rows, fits) => {
    const { domain, range } = colourScale(methodIds(report));
    return { domain: fits, range: fits.map((fit) => range[domain.indexOf(rows.find((row) => fitName(row) === fit).method)]) };
  };
  const unique = (rows, field) => [...new Set(rows.map((row) => row[field]))];
  const caution = (report, choice) => cautionOf(report, choice.rows[0]);
  const fitMarks = (report, choice) => [...caution(report, choice).doubts.keys()];
  const biomarkerMarks = (report, choice) => caution(report, choice).notSeparating ?? [];
  const isInDoubt = (report, row) => saidOf(report, row)?.doubts.some((fit) => fit.method === row.method && fit.trained_on === row.trained_on);
  const markedFit = (report, row) => fitName(row) + (isInDoubt(report, row) ? mark : "");
  const fitsIn = (rows) => [...new Set(rows.filter((row) => row.method).map(fitName))];
  /** What the marks of fits in a figure mean; of all fits where it shows them together. */
  const fitNotes = (report, choice) => {
    const { doubts, leftOut, refuted, overFits } = caution(report, choice);
    const fits = fitsIn(choice.rows);
    if (fits.length === 1) return notesOf(doubts, fits);
    const shown = (fits.length > 0 ? fits : [...doubts.keys()]).filter((fit) => !refuted.includes(fit)); // whose line is in overFits
    const notes = notesOf(doubts, shown);
    const someCount = shown.some((fit) => doubts.has(fit) && !leftOut.includes(fit));
    return [...notes, ...(someCount ? [leftOut.length > 0 ? "Fits in doubt count like the others unless they are left out below." : "Fits in doubt count like the others."] : []), ...overFits];
  };
  /** The same with those of biomarkers. */
  const allNotes = (report, choice) => {
    const { notSeparating, why } = caution(report, choice);
    return [...fitNotes(report, choice), ...(notSeparating?.length > 0 ? [`* ${notSeparating.join(", ")}: ${why}`] : [])];
  };
  /** What marks are in data: for how many reasons a fit is in doubt, and whether a biomarker separates. */
  const markColumns = {
    doubts: ({ doubts }, row) => (row.method ? doubts.get(fitName(row))?.length ?? 0 : null),
    separates: ({ notSeparating }, row) => (notSeparating ? !notSeparating.includes(row.biomarker) : null),
  };
  /** The rows as they are, for reading. @param marks  of markColumns, further columns */
  const plainTable = (columns, marks) => (report, choice) => {
    const said = caution(report, choice);
    return {
      columns: [...report.axes, ...columns, ...marks],
      rows: choice.rows.map((row) => [
        ...report.axes.map((axis) => row.sweep[axis]), ...columns.map((column) => row[column]), ...marks.map((name) => markColumns[name](said, row)),
      ]),
    };
  };

  // ---- Distributions ----------------------------------------------------------------------------

  const density = ({ mean, sd }, x) => Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
  const panelsAtOnce = 12;
  const oddNames = (choice) => choice.rows.filter((row) => row.direction_is_odd).map((row) => row.biomarker);
  /** Names with a mark: those that do not separate, and those whose direction looks wrong. */
  const markedOfDistributions = (report, choice) => [...new Set([...(caution(report, { rows: [{ cohort: undefined, sweep: {} }] }).notSeparating ?? []), ...oddNames(choice)])];
  addFigure({
    id: "distributions",
    section: "Real cohort",
    title: "What does each biomarker look like before and after its event?",
    choices: (report) => {
      const rows = report.analysis?.distributions ?? [];
      const parts = Array.from({ length: Math.ceil(rows.length / panelsAtOnce) }, (_, i) => rows.slice(i * panelsAtOnce, (i + 1) * panelsAtOnce));
      return parts.map((part) => ({ label: parts.length > 1 ? `${part[0].biomarker} to ${part.at(-1).biomarker}` : "", rows: part }));
    },
    caption: () =>
      "Bars above the line are the healthy, and bars below it the diseased. A dotted line is the fitted distribution before the event, a dashed one that after it. " +
      "A solid line is the mixture of both that describes the diseased. Bars that leave their line show what the fit misses.",
    notes: (report, choice) => {
      const { notSeparating, why } = caution(report, { rows: [{ cohort: undefined, sweep: {} }] });
      const shown = choice.rows.map((row) => row.biomarker).filter((name) => notSeparating?.includes(name));
      return [
        ...(shown.length > 0 ? [`* ${shown.join(", ")}: ${why}`] : []),
        ...choice.rows.filter((row) => row.direction_is_odd).map((row) =>
          `* ${row.biomarker}: its direction looks wrong. By the fit it ${row.post_event.mean > row.pre_event.mean ? "rises" : "falls"} with its event, but the diseased have ${row.mean_difference > 0 ? "higher" : "lower"} values than the healthy, by mean and median`),
      ];
    },
    summary: (report, choice) => `${choice.rows.map((row) =>
      `${shortened(row.biomarker)}${markedOfDistributions(report, choice).includes(row.biomarker) ? mark : ""} ${row.post_event.mean > row.pre_event.mean ? "rises" : "falls"}, ${Math.round(100 * row.post_share)}\u00a0% of the diseased after its event`).join("; ")}.`,
    table: (report, { rows }) => ({
      columns: ["biomarker", "pre_event_mean", "pre_event_sd", "post_event_mean", "post_event_sd", "post_share", "mean_difference", "median_difference", "direction_is_odd"],
      rows: rows.map((row) => [row.biomarker, row.pre_event.mean, row.pre_event.sd, row.post_event.mean, row.post_event.sd, row.post_share, row.mean_difference, row.median_difference, row.direction_is_odd]),
    }),
    spec: (report, choice, width) => {
      const columns = width > 560 ? 2 : 1;
      const isMarked = markedOfDistributions(report, choice);
      const lines = ["before its event", "after its event", "both together"];
      const dashes = [[1, 3], [6, 3], [1, 0]];
      return {
        columns,
        spacing: { row: 14, column: 26 },
        concat: choice.rows.map((row, i) => {
          const step = (row.high - row.low) / row.healthy.length;
          const bars = ["healthy", "diseased"].flatMap((group) => row[group].map((share, bin) => ({
            group, from: row.low + step * bin, to: row.low + step * (bin + 1), density: group === "healthy" ? share : -share, shown: share,
          })));
          const points = Array.from({ length: 101 }, (_, at) => row.low + ((row.high - row.low) * at) / 100);
          const curve = (side, part, at) => points.map((x) => ({ x, y: at(x), line: part, key: `${side} ${part}` }));
          const curves = [
            ...curve("healthy", lines[0], (x) => density(row.pre_event, x)),
            ...curve("diseased", lines[0], (x) => -(1 - row.post_share) * density(row.pre_event, x)),
            ...curve("diseased", lines[1], (x) => -row.post_share * density(row.post_event, x)),
            ...curve("diseased", lines[2], (x) => -(1 - row.post_share) * density(row.pre_event, x) - row.post_share * density(row.post_event, x)),
          ];
          const x = { type: "quantitative", scale: { domain: [row.low, row.high], nice: false, zero: false }, axis: { title: null, grid: false, tickCount: 5 } };
          const y = { type: "quantitative", axis: { title: null, labels: false, ticks: false, grid: false, domain: false } };
          const legend = { title: null, orient: "bottom" };
          return {
            title: { text: marked(row.biomarker, isMarked), limit: width / columns - 40 },
            width: (width - 30 * columns) / columns - 10,
            height: 96,
            layer: [
              {
                name: `bars_${i}`,
                data: { values: bars },
                mark: { type: "rect", opacity: 0.5 },
                encoding: {
                  x: { ...x, field: "from" }, x2: { field: "to" }, y: { ...y, field: "density" }, y2: { datum: 0 },
                  color: { field: "group", type: "nominal", scale: colourScale(["healthy", "diseased"]), legend: { ...legend, symbolType: "square" } },
                  tooltip: [{ field: "group" }, { field: "from", format: ".4~g" }, { field: "to", format: ".4~g" }, { field: "shown", title: "density", format: ".3~g" }],
                },
              },
              { data: { values: [{ y: 0 }] }, mark: { type: "rule" }, encoding: { y: { ...y, field: "y" } } },
              {
                name: `curves_${i}`,
                data: { values: curves },
                mark: { type: "line", style: "middle", strokeWidth: 1.6, clip: true },
                encoding: {
                  x: { ...x, field: "x" }, y: { ...y, field: "y" }, detail: { field: "key" },
                  strokeDash: { field: "line", type: "nominal", scale: { domain: lines, range: dashes }, legend: { ...legend, symbolSize: 400, symbolStrokeColor: { expr: "ink" } } },
                },
              },
            ],
          };
        }),
        resolve: { legend: { color: "shared", strokeDash: "shared" } },
      };
    },
  });

  // ---- Positional variance ----------------------------------------------------------------------

  const placesOf = ({ rows }) =>
    unique(rows, "biomarker").map((biomarker) => ({
      biomarker,
      shares: rows.filter((row) => row.biomarker === biomarker).sort((a, b) => a.place - b.place).map((row) => row.share),
    }));
  addFigure({
    id: "positional-variance",
    section: "Real cohort",
    title: "Where in the order does each event stand?",
    choices: (report) =>
      choicesOf(report, rowsOf(report, "positional-variance"), (row) => [markedFit(report, row), row.subtype ? `subtype ${row.subtype}` : "", kinds[row.kind]].filter(Boolean).join(", ")),
    caption: (report, { rows: [{ kind }] }) =>
      ({
        across: "Each cell says how often an event takes a place, over the fits that count. A strong diagonal is an order on which all agree. ",
        posterior: "Each cell says how probable a place is for an event, by the posterior of this fit. A strong diagonal is an order of which the fit is sure. ",
        bootstrap: "Each cell says how often an event takes a place, over resampled participants. A strong diagonal is an order that does not depend on who took part. ",
      })[kind] + "A wide row is an event whose place is open.",
    notes: allNotes,
    summary: (report, choice) => `From first to last: ${listed(placesOf(choice).map((row) => marked(shortened(row.biomarker), biomarkerMarks(report, choice).map((name) => shortened(name)))))}.`,
    table: plainTable(["method", "trained_on", "kind", "biomarker", "place", "share"], ["doubts", "separates"]),
    spec: (report, choice, width) => placeHeatmap(placesOf(choice), "share", width, biomarkerMarks(report, choice)),
  });

  // ---- Timeline and ranks -----------------------------------------------------------------------

  /** @param furtherNotes  (report, choice) => what to beware of beside marks */
  function eventFigure(name, id, title, caption, axisTitle, furtherNotes) {
    const columns = ["method", "trained_on", "kind", "biomarker", "mean", "sd", "low", "high"];
    addFigure({
      id,
      section: "Real cohort",
      title,
      choices: (report) => {
        const rows = rowsOf(report, name);
        const together = choicesOf(report, rows.filter((row) => row.kind === "across" || row.kind === "fit"), () => "all fits together");
        const within = choicesOf(report, rows.filter((row) => row.kind !== "across" && row.kind !== "fit"), (row) => `${markedFit(report, row)}, ${kinds[row.kind] ?? row.kind}`);
        return [...together, ...within].filter((choice) => choice.rows.some((row) => row.mean !== null));
      },
      caption: (report, choice) => caption(!choice.rows.some((row) => row.kind === "across") ? choice.rows[0].kind : fitsIn(choice.rows).length > 1 ? "across" : "single"),
      notes: (report, choice) => [...allNotes(report, choice), ...furtherNotes(report, choice)],
      summary: (report, choice) => {
        const isMarked = biomarkerMarks(report, choice);
        const main = choice.rows.some((row) => row.kind === "across") ? choice.rows.filter((row) => row.kind === "across") : choice.rows;
        return `Means: ${listed([...main].sort((a, b) => a.mean - b.mean).map((row) => `${shortened(row.biomarker)}${isMarked.includes(row.biomarker) ? mark : ""} ${number(row.mean, 2)}`))}.`;
      },
      table: plainTable(columns, ["doubts", "separates"]),
      spec: (report, choice, width) => {
        const together = choice.rows.some((row) => row.kind === "across");
        const means = choice.rows.filter((row) => row.kind !== "fit" && row.mean !== null);
        // An interval over two fits is nearly always all that there is: Student's t of one degree of freedom.
        const counted = fitsIn(choice.rows).filter((fit) => !caution(report, choice).leftOut.includes(fit));
        const bands = means.filter((row) => row.low !== null && (row.kind !== "across" || counted.length > 2));
        const single = choice.rows.filter((row) => row.kind === "fit").map((row) => ({ ...row, fit: fitName(row) }));
        const names = [...means].sort((a, b) => a.mean - b.mean).map((row) => row.biomarker);
        const fits = unique(single, "fit");
        const isMarked = biomarkerMarks(report, choice);
        const room = nameRoom(names.map((name) => marked(name, isMarked)), width);
        // Fits side by side within a row, for they often say the same.
        const step = names.length > 40 ? 12 : Math.min(44, Math.max(24, 14 + 3 * fits.length));
        const margin = Math.max(0.14, 0.5 / fits.length);
        const offset = new Map(fits.map((fit, i) => [fit, step * (fits.length > 1 ? margin + ((1 - 2 * margin) * i) / (fits.length - 1) : 0.5)]));
        const y = { field: "biomarker", type: "nominal", scale: { domain: names, padding: 0 }, axis: { ...nameAxis(room, isMarked), labelFontSize: step < 14 ? 9 : 12, grid: true, bandPosition: 0, tickBand: "extent" } };
        const x = { type: "quantitative", title: axisTitle, scale: { zero: false, nice: true }, axis: { grid: true, gridDash: [2, 3], tickCount: width / 80, ...(name === "ranks" ? { tickMinStep: 1 } : {}) } };
        const doubtful = fitMarks(report, choice);
        const legend = {
          title: null, orient: "bottom", columns: legendColumns(fits.map((fit) => marked(fit, doubtful)), width), symbolOpacity: 1, ...markedLabels(doubtful, 34),
        };
        return {
          width: width - room - 20,
          height: { step },
          layer: [
            ...(bands.length === 0 ? [] : [{
              data: { values: bands },
              mark: { type: "bar", style: "interval", height: { band: together ? 0.82 : 0.36 }, opacity: 0.28, cornerRadius: 2 },
              encoding: { x: { ...x, field: "low", stack: null }, x2: { field: "high" }, y },
            }]),
            {
              name: "means",
              data: { values: means },
              mark: { type: "tick", thickness: 2.5, height: { band: together ? 0.82 : 0.5 }, style: "middle", opacity: 1 },
              encoding: { x: { ...x, field: "mean" }, y, tooltip: [{ field: "biomarker" }, { field: "mean", format: ".3f" }, { field: "low", format: ".3f" }, { field: "high", format: ".3f" }] },
            },
            ...(together ? [{
              name: "fits",
              data: { values: single.map((row) => ({ ...row, offset: offset.get(row.fit) })) },
              mark: { type: "point", filled: true, size: step < 14 ? 20 : fits.length > 6 ? 34 : 45, opacity: 1 },
              encoding: {
                x: { ...x, field: "mean" }, y,
                yOffset: { field: "offset", type: "quantitative", scale: null },
                color: { field: "fit", type: "nominal", scale: fitColours(report, single, fits), legend },
                shape: { field: "fit", type: "nominal", scale: shapeScale(fits), legend },
                tooltip: [{ field: "fit" }, { field: "biomarker" }, { field: "mean", title: axisTitle, format: ".3f" }],
              },
            }] : []),
          ],
        };
      },
    });
  }
  /** How to read a band and a line of a kind of rows. */
  const band = {
    posterior: "A line is the mean of the fit's posterior, and a band its 95\u00a0% interval. ",
    bootstrap: "A line is the mean over resampled cohorts. A band is their 95\u00a0% interval, where there are 20 of them or more. ",
    single: "Only one fit has them. ",
    across: "Each mark is a fit, and a line across is the mean of those that count. From three of these on, a band is its 95\u00a0% interval. It says how far fits differ, not how far the truth can be. ",
  };
  eventFigure("timeline", "timeline", "When do biomarkers change?",
    (kind) =>
      (kind === "posterior"
        ? `These are times of events: by their means, 0 is the first and 1 the last. Bands can therefore pass both. ${band[kind]}`
        : `These are times of events: in each fit, 0 is the first and 1 the last. ${band[kind]}`) +
      "Biomarkers that are close together change at about the same time. A gap is a pause of the disease.",
    "time, from the first to the last event",
    (report, choice) => caution(report, choice).withoutTimes.map(({ fits, why }) => `Left out, since ${why}: ${listed(fits)}`));
  eventFigure("ranks", "ranks-of-fits", "The rank of each event, fit by fit",
    (kind) =>
      `These are ranks of events, 1 for the first. ${band[kind]}` +
      ({ across: "Marks in one column mean that methods and models agree on the place of this event.", single: "" }[kind] ?? "A wide band is an event whose place is open."),
    "rank, 1 is the first event",
    (report) => ((report.analysis.timeline?.biomarker ?? []).length > 0 ? [] : ["There is no timeline beside this, since no fit gives times of events."]));

  // ---- Staging by diagnosis ---------------------------------------------------------------------

  addFigure({
    id: "stages",
    section: "Real cohort",
    title: "How do stages spread within each diagnosis?",
    choices: (report) => choicesOf(report, rowsOf(report, "stages"), (row) => markedFit(report, row)),
    caption: () =>
      "Each bar is a stage, the number of events passed. It is as high as the share of participants of a diagnosis there, and a line is their mean stage. " +
      "Diagnoses further along should lie further right, with little overlap. Healthy participants belong at the left end. Some methods put them there by definition.",
    notes: fitNotes,
    summary: (report, { rows }) =>
      `Mean stages: ${listed(unique(rows, "diagnosis").map((diagnosis) => {
        const own = rows.filter((row) => row.diagnosis === diagnosis);
        const total = sum(own.map((row) => row.participants));
        return `${shortened(diagnosis)} ${total ? number(sum(own.map((row) => row.stage * row.participants)) / total, 1) : "nobody"}`;
      }))}.`,
    table: plainTable(["method", "trained_on", "diagnosis", "stage", "participants"], ["doubts"]),
    spec: (report, { rows }, width) => {
      const diagnoses = unique(rows, "diagnosis");
      const totals = Object.fromEntries(diagnoses.map((diagnosis) => [diagnosis, sum(rows.filter((row) => row.diagnosis === diagnosis).map((row) => row.participants))]));
      const values = rows.map((row) => ({ diagnosis: row.diagnosis, stage: row.stage, participants: row.participants, share: row.participants / (totals[row.diagnosis] || 1) }));
      const highest = Math.max(...values.map((row) => row.share));
      const room = nameRoom(diagnoses, width, 110);
      const last = Math.max(...values.map((row) => row.stage));
      return {
        spacing: 6,
        vconcat: diagnoses.map((diagnosis, i) => {
          const own = values.filter((row) => row.diagnosis === diagnosis);
          const x = {
            type: "quantitative", scale: { domain: [-0.5, last + 0.5], nice: false },
            axis: i === diagnoses.length - 1 ? { title: "stage", grid: false, tickMinStep: 1 } : null,
          };
          const colour = okabeIto[i % okabeIto.length];
          return {
            width: width - room - 45,
            height: 64,
            layer: [
              {
                name: `shares_${i}`,
                data: { values: own.map((row) => ({ ...row, from: row.stage - 0.5, to: row.stage + 0.5 })) },
                mark: { type: "rect", color: colour, opacity: 0.55 },
                encoding: {
                  x: { ...x, field: "from" },
                  x2: { field: "to" }, y2: { datum: 0 },
                  y: {
                    field: "share", type: "quantitative", scale: { domain: [0, highest] },
                    axis: { title: `${shortened(diagnosis, 12)}`, titleAngle: 0, titleAlign: "right", titleFontWeight: 600, tickCount: 2, format: "~%", grid: false },
                  },
                  tooltip: [{ field: "diagnosis" }, { field: "stage" }, { field: "participants" }, { field: "share", format: ".1%" }],
                },
              },
              {
                data: { values: [{ diagnosis, mean: sum(own.map((row) => row.stage * row.share)) }] },
                mark: { type: "rule", style: "middle", strokeWidth: 1.5 },
                encoding: { x: { ...x, field: "mean" }, tooltip: [{ field: "diagnosis" }, { field: "mean", title: "mean stage", format: ".2f" }] },
              },
            ],
          };
        }),
      };
    },
  });

  addFigure({
    id: "staging-by-diagnosis",
    section: "Real cohort",
    title: "Does the mean stage rise with the diagnosis?",
    choices: (report) => choicesOf(report, rowsOf(report, "groups"), () => "").filter((choice) => choice.rows.some((row) => row.mean !== null)),
    caption: (report, choice) =>
      "Each row is a fit, with the mean stage and 95\u00a0% interval of each diagnosis. " +
      (fitsIn(choice.rows).length > 1 ? "The last row is the mean over the fits that count. " : "") +
      (caution(report, choice).groupsOrdered
        ? "In a fit that stages well, the marks stand in the order of the diagnoses, the mildest on the left."
        : "Diagnoses come by name, for their order is not known. So nobody can say whether stages rise."),
    notes: fitNotes,
    summary: (report, { rows }) =>
      `${listed(fitsIn(rows).map((fit) =>
        `${shortened(fit)}${fitMarks(report, { rows }).includes(fit) ? mark : ""}: ${rows.filter((row) => fitName(row) === fit).map((row) => `${shortened(row.diagnosis, 12)} ${number(row.mean, 1)}`).join(", ")}`))}.`,
    table: plainTable(["method", "trained_on", "diagnosis", "participants", "mean", "sd", "low", "high"], ["doubts"]),
    spec: (report, { rows }, width) => {
      const values = rows.filter((row) => row.mean !== null).map((row) => ({ ...row, fit: row.method ? fitName(row) : "mean over fits" }));
      const fits = unique(values, "fit");
      const diagnoses = unique(values, "diagnosis");
      const bands = values.filter((row) => row.low !== null);
      const isMarked = fitMarks(report, { rows });
      const room = nameRoom(fits.map((fit) => marked(fit, isMarked)), width);
      const y = { field: "fit", type: "nominal", scale: { domain: fits }, axis: { ...nameAxis(room, isMarked), grid: true } };
      const x = { type: "quantitative", title: "mean stage", scale: { zero: true, nice: false }, axis: { grid: false, tickCount: width / 80 } };
      const legend = { title: null, orient: "top" };
      const color = { field: "diagnosis", type: "nominal", scale: colourScale(diagnoses), legend };
      return {
        width: width - room - 20,
        height: { step: 30 },
        data: { values },
        layer: [
          ...(bands.length === 0 ? [] : [{ data: { values: bands }, mark: { type: "rule", strokeWidth: 2 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y, color } }]),
          {
            name: "means",
            mark: { type: "point", filled: true, size: 80, opacity: 1 },
            encoding: {
              x: { ...x, field: "mean" }, y, color,
              shape: { field: "diagnosis", type: "nominal", scale: shapeScale(diagnoses), legend },
              tooltip: [{ field: "fit" }, { field: "diagnosis" }, { field: "participants" }, { field: "mean", format: ".2f" }, { field: "low", format: ".2f" }, { field: "high", format: ".2f" }],
            },
          },
        ],
      };
    },
  });

  // ---- Subtypes ---------------------------------------------------------------------------------

  const placesBySubtype = (rows) => unique(rows, "subtype").map((subtype) => rows.filter((row) => row.subtype === subtype));
  const subtypeTitle = ([{ subtype, share }]) => `subtype ${subtype}: ${Math.round(100 * share)}\u00a0%`;
  const placesAxis = (names) => ({ type: "quantitative", title: "place", scale: { domain: [1, names.length], nice: false }, axis: { grid: true, tickMinStep: 1 } });
  const namesDown = (names, room, isMarked) => ({ field: "biomarker", type: "nominal", scale: { domain: names }, axis: { ...nameAxis(room, isMarked), grid: true } });
  addFigure({
    id: "subtypes",
    section: "Real cohort",
    title: "In which orders do the events come?",
    choices: (report) => choicesOf(report, rowsOf(report, "subtypes"), fitName),
    caption: (report, { rows }) =>
      "Each panel is a subtype, with its share of the diseased. A mark is the place of an event in its order. " +
      (rows.some((row) => row.low !== null) ? "A line is the 95\u00a0% interval of its rank, by the posterior of the fit. " : "") +
      "All panels list biomarkers as the largest subtype has them: what leaves the diagonal comes earlier or later there.",
    notes: allNotes,
    summary: (report, { rows }) =>
      `${placesBySubtype(rows).map((own) =>
        `${subtypeTitle(own)} of the diseased, the most probable one of ${own[0].participants} participants, first ${listed(own.slice(0, 3).map((row) => shortened(row.biomarker)))}`).join("; ")}.`,
    table: plainTable(["method", "trained_on", "subtype", "share", "participants", "place", "biomarker", "score", "low", "high"], ["doubts", "separates"]),
    spec: (report, choice, width) => {
      const panels = placesBySubtype(choice.rows);
      const largest = panels.reduce((a, b) => (b[0].share > a[0].share ? b : a));
      const names = largest.map((row) => row.biomarker);
      const isMarked = biomarkerMarks(report, choice);
      const columns = Math.max(1, Math.min(panels.length, Math.floor(width / 260)));
      const panelWidth = width / columns - 10;
      const room = nameRoom(names.map((name) => marked(name, isMarked)), panelWidth);
      return {
        columns,
        spacing: { row: 14, column: 16 },
        concat: panels.map((values) => ({
          title: { text: subtypeTitle(values), limit: panelWidth - 20 },
          width: panelWidth - room - 20,
          height: { step: 18 },
          data: { values },
          layer: [
            ...(values.some((row) => row.low !== null)
              ? [{ mark: { type: "rule", strokeWidth: 2, opacity: 0.5 }, encoding: { x: { ...placesAxis(names), field: "low" }, x2: { field: "high" }, y: namesDown(names, room, isMarked) } }]
              : []),
            {
              name: `subtype_${values[0].subtype}`,
              mark: { type: "point", filled: true, size: 60, opacity: 1 },
              encoding: {
                x: { ...placesAxis(names), field: "place" },
                y: namesDown(names, room, isMarked),
                tooltip: [{ field: "biomarker" }, { field: "place" }, { field: "score", format: ".2f" }, ...(values.some((row) => row.low !== null) ? [{ field: "low" }, { field: "high" }] : [])],
              },
            },
          ],
        })),
      };
    },
  });

  // ---- Consensus --------------------------------------------------------------------------------

  const kemenyFirst = (rows) => rows.filter((row) => row.kind === "kemeny").sort((a, b) => a.place - b.place).map((row) => row.biomarker);
  const ofConsensus = { order: "the order", distance: "how far each fit is from it" };
  addFigure({
    id: "consensus",
    section: "Real cohort",
    title: "Which order do the fits agree on?",
    choices: (report) =>
      Object.keys(ofConsensus).flatMap((what) =>
        choicesOf(report, rowsOf(report, "consensus"), () => ofConsensus[what])
          .map((choice) => ({ ...choice, what }))
          .filter(({ rows }) => rows.filter((row) => row.kind === "kemeny distance" && row.method).length > 1)),
    caption: (report, { what }) =>
      what === "order"
        ? "A square is the place of an event in the order with the smallest mean tau distance to the fits (Kemeny). A circle is its mean rank over the fits (Borda). Where the two are far apart, fits differ."
        : "Each mark is the tau distance of a fit to Kemeny's order: the share of pairs in another order. A cross is a fit that does not count in the consensus.",
    notes: (report, choice) => (choice.what === "order" ? allNotes : fitNotes)(report, choice),
    summary: (report, choice) => `From first to last: ${listed(kemenyFirst(choice.rows).map((name) => marked(shortened(name), biomarkerMarks(report, choice).map((each) => shortened(each)))))}.`,
    table: plainTable(["kind", "place", "biomarker", "method", "trained_on", "value", "counts"], ["doubts", "separates"]),
    spec: (report, choice, width) => (choice.what === "order" ? orderSpec : distanceSpec)(report, choice, width),
  });

  /** Names down the left, a mark or two in each row. @param kinds  the names of colours and shapes */
  function rowsOfMarks(values, { names, marks: isMarked, kinds: [legendKinds, ownShapes], value, title, step, tooltip }, width) {
    const room = nameRoom(names.map((name) => marked(name, isMarked)), width);
    const legend = { title: null, orient: "top" };
    return {
      width: width - room - 20,
      height: { step },
      data: { values },
      layer: [{
        name: "marks",
        mark: { type: "point", filled: true, size: 80, opacity: 1 },
        encoding: {
          x: { field: value, type: "quantitative", title, scale: { zero: false, nice: true }, axis: { grid: true, gridDash: [2, 3], tickCount: width / 80 } },
          y: { field: "name", type: "nominal", scale: { domain: names }, axis: { ...nameAxis(room, isMarked), grid: true } },
          color: { field: "kind", type: "nominal", scale: colourScale(legendKinds), legend },
          shape: { field: "kind", type: "nominal", scale: { domain: legendKinds, range: ownShapes }, legend },
          tooltip,
        },
      }],
    };
  }
  function orderSpec(report, choice, width) {
    const names = kemenyFirst(choice.rows);
    const values = choice.rows.filter((row) => row.kind === "kemeny" || row.kind === "borda").map((row) => ({
      name: row.biomarker, at: row.kind === "kemeny" ? row.place : row.value, kind: row.kind === "kemeny" ? "place (Kemeny)" : "mean rank (Borda)",
    }));
    return rowsOfMarks(values, {
      names, marks: biomarkerMarks(report, choice), kinds: [["place (Kemeny)", "mean rank (Borda)"], ["square", "circle"]], value: "at",
      title: "place in the order, 1 is the first event", step: names.length > 40 ? 12 : 26,
      tooltip: [{ field: "name", title: "biomarker" }, { field: "kind" }, { field: "at", title: "place", format: ".2f" }],
    }, width);
  }
  function distanceSpec(report, choice, width) {
    const values = choice.rows.filter((row) => row.kind === "kemeny distance" && row.method).map((row) => ({
      name: fitName(row), at: row.value, kind: row.counts ? "counts" : "does not count",
    }));
    const found = ["counts", "does not count"].filter((kind) => values.some((row) => row.kind === kind));
    return rowsOfMarks(values, {
      names: [...values].sort((a, b) => a.at - b.at).map((row) => row.name), marks: fitMarks(report, choice),
      kinds: [found, found.map((kind) => (kind === "counts" ? "circle" : "cross"))], value: "at",
      title: "tau distance to Kemeny's order", step: 24,
      tooltip: [{ field: "name", title: "fit" }, { field: "kind" }, { field: "at", title: "tau distance", format: ".4f" }],
    }, width);
  }

  // ---- Agreement --------------------------------------------------------------------------------

  const pairsOf = ({ rows }) => {
    const pairs = rows.map((row) => ({
      ...row, first: fitName(row), second: fitName({ method: row.other_method, trained_on: row.other_trained_on }),
    }));
    return [...pairs, ...pairs.map((row) => ({ ...row, first: row.second, second: row.first }))];
  };
  addFigure({
    id: "agreement",
    section: "Real cohort",
    title: "How far do the fits agree?",
    choices: (report) =>
      [["kendall_tau", "order (Kendall's tau)"], ["spearman", "stages (Spearman)"], ["icc", "stages (intraclass correlation)"]].flatMap(([field, label]) =>
        choicesOf(report, rowsOf(report, "agreement"), () => label)
          .map((choice) => ({ ...choice, field }))
          .filter((choice) => choice.rows.some((row) => row[field] !== null))),
    caption: (report, { field }) =>
      "Each cell compares two fits: 1 is the same, 0 unrelated, below 0 reversed. A fit whose row is faint stands alone. Look at it before you believe it." +
      (field === "kendall_tau" ? "" : " Stages are compared over the diseased. Methods that stage by the label have the healthy at 0, and agree on that without looking."),
    notes: (report, choice) => {
      const { doubts, refuted, overFits, disagreements } = caution(report, choice);
      return [...notesOf(doubts, unique(pairsOf(choice), "first").filter((fit) => !refuted.includes(fit))), ...overFits, ...disagreements];
    },
    summary: (report, choice) => {
      const values = choice.rows.filter((row) => row[choice.field] !== null).sort((a, b) => a[choice.field] - b[choice.field]);
      const name = (row) => `${shortened(fitName(row))}${fitMarks(report, choice).includes(fitName(row)) ? mark : ""}`;
      const words = (row) => `${name(row)} with ${name({ method: row.other_method, trained_on: row.other_trained_on })} ${number(row[choice.field], 2)}`;
      return `Least: ${words(values[0])}; most: ${words(values.at(-1))}.`;
    },
    table: plainTable(["method", "trained_on", "other_method", "other_trained_on", "kendall_tau", "spearman", "icc"], []),
    spec: (report, choice, width) => {
      const values = pairsOf(choice).filter((pair) => pair[choice.field] !== null).map((pair) => ({ first: pair.first, second: pair.second, value: pair[choice.field] }));
      const fits = unique(pairsOf({ rows: choice.rows }), "first");
      const isMarked = fitMarks(report, choice);
      const room = nameRoom(fits.map((fit) => marked(fit, isMarked)), width, 150);
      const size = Math.min(54, (width - room - 60) / fits.length);
      return {
        width: size * fits.length,
        height: Math.max(24, Math.min(40, size)) * fits.length,
        data: { values },
        encoding: {
          x: { field: "second", type: "nominal", scale: { domain: fits }, axis: { title: null, orient: "top", labelAngle: -40, labelLimit: 130, domain: false, ticks: false, ...markedLabels(isMarked, 15) } },
          y: { field: "first", type: "nominal", scale: { domain: fits }, axis: nameAxis(room, isMarked) },
        },
        layer: [
          {
            name: "cells",
            mark: { type: "rect", cornerRadius: 3 },
            encoding: {
              color: { field: "value", type: "quantitative", scale: { domain: [Math.min(0, ...values.map((pair) => pair.value)), 1], interpolate: "rgb" }, legend: { title: null, gradientLength: 90, tickCount: 3 } },
              tooltip: [{ field: "first", title: "fit" }, { field: "second", title: "other fit" }, { field: "value", format: ".3f" }],
            },
          },
          ...(size < 30 ? [] : [{ mark: { type: "text", fontSize: 11 }, encoding: { text: { field: "value", format: ".2f" }, color: onHeat("value", 0.55) } }]),
        ],
      };
    },
  });
})();
