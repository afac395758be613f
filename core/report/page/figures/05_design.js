// What the hypotheses assume, and what became of the fits.

(() => {
  const parts = { event_times: "event times", stages: "stages", measurements: "measurements" };
  const described = (report) => (report.about.hypotheses ?? []).filter((hypothesis) => hypothesis.stages);
  const cellsOf = (report) =>
    described(report).flatMap((hypothesis) =>
      Object.entries(parts).map(([key, part]) => ({ hypothesis: hypothesis.id, part, value: hypothesis[key] })));
  const kindsOf = (report) => [...new Set(cellsOf(report).map((cell) => cell.value))];
  addFigure({
    id: "design",
    section: "Performance",
    title: "What each hypothesis assumes",
    choices: (report) => (described(report).length > 0 ? [{ label: "" }] : []),
    caption: () =>
      "Each row is a hypothesis, each column a part of it. Equal parts have equal colours. " +
      "Compare two hypotheses that differ in one part: their scores show what this part does to the methods.",
    summary: (report) =>
      `${listed(described(report).map((h) => `${shortened(h.id)}: ${h.event_times}, ${h.stages}, ${h.measurements}`))}.`,
    table: (report) => ({
      columns: ["hypothesis", ...Object.values(parts)],
      rows: described(report).map((h) => [h.id, h.event_times, h.stages, h.measurements]),
    }),
    spec: (report, choice, width) => {
      const hypotheses = described(report).map((hypothesis) => hypothesis.id);
      const room = nameRoom(hypotheses, width, 140);
      const y = { field: "hypothesis", type: "nominal", sort: hypotheses, axis: nameAxis(room) };
      const x = { field: "part", type: "nominal", sort: Object.values(parts), axis: { title: null, orient: "top", labelAngle: 0, domain: false, ticks: false } };
      const wide = Math.min(860, width - room - 10);
      const isNarrow = wide < 480;
      return {
        width: wide,
        height: { step: isNarrow ? 36 : 30 },
        data: { values: cellsOf(report).map((cell) => ({ ...cell, text: isNarrow ? cell.value.replace(/(_|, )/, "$1\n") : cell.value })) },
        encoding: { x, y },
        layer: [
          {
            name: "cells",
            mark: { type: "rect", cornerRadius: 4, opacity: 0.3, width: { band: 0.96 }, height: { band: 0.88 } },
            encoding: { color: { field: "value", type: "nominal", scale: colourScale(kindsOf(report)), legend: null } },
          },
          {
            mark: { type: "text", fontSize: isNarrow ? 9.5 : 12, limit: wide / 3 - 6, lineBreak: "\n", dy: { expr: "indexof(datum.text, '\\n') > 0 ? -5 : 0" } },
            encoding: { text: { field: "text" } },
          },
        ],
      };
    },
  });

  const statusColours = {
    ok: "#0072B2", failed: "#D55E00", "timed out": "#E69F00", "out of memory": "#CC79A7", "bad answer": "#882255", "not applicable": "#56B4E9", pending: "#b9c0c8",
  };
  const shownStatuses = Object.keys(statusColours);
  const statusOf = (report, choice) =>
    methodIds(report).flatMap((method) => {
      const fits = fitsOf(report).filter((fit) => fit.point === choice.point && fit.method === method);
      return shownStatuses
        .map((status) => ({ method, status, fits: fits.filter((fit) => fit.status === status).length }))
        .filter((entry) => entry.fits > 0);
    });
  addFigure({
    id: "status",
    section: "Performance",
    title: "What became of the fits",
    choices: (report) =>
      pointChoices(report).filter((choice) => statusOf(report, choice).some((entry) => entry.status !== "ok")),
    caption: () =>
      "Other figures leave out fits that failed or are still to be made. A method that fails on hard cohorts looks better there than it is. " +
      "The errors are listed below, under Failures and warnings.",
    notes: (report, choice) => trainingNotes(report, [...new Set(statusOf(report, choice).map(({ method }) => method))]),
    summary: (report, choice) =>
      `${listed(statusOf(report, choice).map((entry) => `${called(report, entry.method)}: ${entry.fits} ${entry.status}`))}.`,
    table: (report, choice) => ({
      columns: ["method", "status", "fits"],
      rows: statusOf(report, choice).map((entry) => [entry.method, entry.status, entry.fits]),
    }),
    spec: (report, choice, width) => {
      const methods = methodsByRank(report);
      const doubtful = warnedMethods(report, methods);
      const room = nameRoom(methods.map((method) => marked(method, doubtful)), width);
      const entries = statusOf(report, choice);
      const colours = Object.entries(statusColours)
        .filter(([status]) => entries.some((entry) => entry.status === status));
      return {
        width: width - room - 20,
        height: { step: 26 },
        data: { values: entries.map((entry) => ({ ...entry, order: shownStatuses.indexOf(entry.status) })) },
        mark: { type: "bar", cornerRadius: 2 },
        encoding: {
          y: { field: "method", type: "nominal", sort: methods, axis: nameAxis(room, doubtful) },
          x: { field: "fits", type: "quantitative", title: "fits", axis: { tickMinStep: 1 } },
          order: { field: "order" },
          color: {
            field: "status", type: "nominal",
            scale: { domain: colours.map(([status]) => status), range: colours.map(([, colour]) => colour) },
            legend: { title: null, orient: "top" },
          },
          tooltip: [{ field: "method" }, { field: "status" }, { field: "fits" }],
        },
      };
    },
  });
})();
