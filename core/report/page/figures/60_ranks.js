// Where a method thinks each event may stand: its posterior of ranks.

(() => {
  const doubtsOf = (posterior) => new Map(posterior.doubts.length > 0 ? [[fitName(posterior), posterior.doubts]] : []);

  /** Biomarkers by mean place; `truth` is absent in runs that kept none. */
  function rowsOf(posterior) {
    return posterior.biomarkers
      .map((biomarker, b) => {
        const per_mille = posterior.per_mille[b];
        const total = sum(per_mille) || 1;
        return {
          biomarker, per_mille, mean: sum(per_mille.map((p, rank) => (p * (rank + 1)) / total)), truth: posterior.true_ranks?.[b],
          shares: per_mille.map((p) => p / 1000),
        };
      })
      .sort((a, b) => a.mean - b.mean);
  }

  addFigure({
    id: "ranks",
    section: "A look inside",
    title: "How sure is a method of the order?",
    choices: (report) =>
      report.rank_posteriors.map((posterior) => ({
        posterior,
        label: [pointLabel(report, posterior.sweep), posterior.hypothesis, marked(fitName(posterior), [...doubtsOf(posterior).keys()])].filter(Boolean).join(": "),
      })),
    caption: (report, { posterior }) =>
      `This is cohort ${posterior.cohort} of ${shortened(posterior.hypothesis)} as ${shortened(fitName(posterior))} sees it. ` +
      "Each cell says how probable a place in the order is for a biomarker. Biomarkers are sorted by their mean place. " +
      "A strong diagonal is an order known for sure. Where rows share strong cells, the data cannot tell their events apart." +
      (posterior.true_ranks ? " A ring is at the true place. On a faint cell it means that the method puts the event elsewhere." : ""),
    notes: (report, { posterior }) => notesOf(doubtsOf(posterior), [fitName(posterior)]),
    summary: (report, { posterior }) => {
      const rows = rowsOf(posterior);
      const truth = rows.filter((row) => row.truth).sort((a, b) => a.truth - b.truth);
      return `Biomarkers by mean place: ${listed(rows.map((row) => shortened(row.biomarker)))}.` +
        (truth.length ? ` The true order: ${listed(truth.map((row) => shortened(row.biomarker)))}.` : "");
    },
    table: (report, { posterior }) => ({
      columns: ["biomarker", "mean_rank", ...(posterior.true_ranks ? ["true_rank"] : []), ...posterior.biomarkers.map((_, rank) => `p_rank_${rank + 1}`)],
      rows: rowsOf(posterior).map((row) => [row.biomarker, Number(row.mean.toFixed(3)), ...(posterior.true_ranks ? [row.truth] : []), ...row.shares]),
    }),
    spec: (report, { posterior }, width) => placeHeatmap(rowsOf(posterior), "probability", width),
  });
})();

/**
 * Biomarkers by places in the order.
 * @param rows  [{biomarker, shares: [share of each place], truth: its true place, if known}], from the top
 * @param what  the shares are
 * @param marks  biomarkers to mark
 */
function placeHeatmap(rows, what, width, marks = []) {
  const names = rows.map((row) => row.biomarker);
  const room = nameRoom(names.map((name) => marked(name, marks)), width, 170);
  const isNarrow = width < 480;
  const size = Math.min(44, (width - room - (isNarrow ? 20 : 90)) / names.length);
  const height = Math.min(26, Math.max(size, names.length > 30 ? 9 : 18));
  // Cells that are as good as empty are not drawn: of 100 biomarkers most are.
  const cells = rows.flatMap((row) =>
    row.shares.flatMap((share, place) => (share >= 0.005 ? [{ biomarker: row.biomarker, place: place + 1, share }] : [])));
  const truth = rows.filter((row) => row.truth).map((row) => ({ biomarker: row.biomarker, place: row.truth, share: row.shares[row.truth - 1] }));
  const x = {
    field: "place", type: "ordinal", scale: { domain: names.map((_, i) => i + 1) },
    axis: { title: "place in the order", labelAngle: 0, labelOverlap: true, domain: false, ticks: false, labelFontSize: size < 16 ? 10 : 12 },
  };
  const y = { field: "biomarker", type: "nominal", scale: { domain: names }, axis: { ...nameAxis(room, marks), labelFontSize: height < 12 ? 8 : 12 } };
  const tooltip = [{ field: "biomarker" }, { field: "place" }, { field: "share", title: what, format: ".3f" }];
  const across = Math.max(5, 0.62 * Math.min(size, height));
  const ring = (strokeWidth) => ({ type: "point", filled: false, opacity: 1, size: across * across, strokeWidth });
  return {
    width: size * names.length,
    height: height * names.length,
    layer: [
      {
        name: "cells",
        data: { values: cells },
        mark: { type: "rect", cornerRadius: size > 12 ? 2 : 0 },
        encoding: {
          x, y, tooltip,
          color: {
            field: "share", type: "quantitative", scale: { domain: [0, 1], interpolate: "rgb" },
            legend: { title: what, orient: isNarrow ? "bottom" : "right", gradientLength: 90, tickCount: 3, format: "~g" },
          },
        },
      },
      // A ring of the page's ink with a rim of its paper is seen on faint cells and on strong ones.
      ...(truth.length === 0 ? [] : [
        { data: { values: truth }, mark: { ...ring(across < 8 ? 2.5 : 4.5), stroke: { expr: "paper" } }, encoding: { x, y } },
        {
          name: "truth",
          data: { values: truth },
          mark: { ...ring(across < 8 ? 1 : 1.8), stroke: { expr: "ink" } },
          encoding: {
            x, y, tooltip: [{ field: "biomarker" }, { field: "place", title: "true place" }, { field: "share", title: what, format: ".3f" }],
            shape: {
              datum: "true place", scale: { domain: ["true place"], range: ["circle"] },
              legend: { title: null, orient: isNarrow ? "bottom" : "right", symbolStrokeColor: { expr: "ink" }, symbolSize: 110 },
            },
          },
        },
      ]),
    ],
  };
}
