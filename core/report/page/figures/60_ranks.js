// Where a method thinks each event may stand: its posterior of ranks.

addFigure({
  id: "ranks",
  section: "A look inside",
  title: "How sure is a method of the order?",
  choices: (report) =>
    report.rank_posteriors.map((posterior) => ({
      posterior,
      label: [
        pointLabel(report, posterior.sweep), posterior.hypothesis,
        posterior.trained_on ? `${posterior.method} on ${posterior.trained_on}` : posterior.method,
      ].filter(Boolean).join(": "),
    })),
  caption: (report, { posterior }) =>
    `Cohort ${posterior.cohort} of ${shortened(posterior.hypothesis)} as ${shortened(posterior.method)} sees it: how probable each place in the ` +
    "order is for each biomarker. Biomarkers are sorted by their mean place. A strong diagonal is an order known for sure; " +
    "where rows share strong cells, the data cannot tell their events apart.",
  summary: (report, { posterior }) => `Biomarkers by mean place: ${listed(rankRows(posterior).map((row) => shortened(row.biomarker)))}.`,
  table: (report, { posterior }) => ({
    columns: ["biomarker", "mean_rank", ...posterior.biomarkers.map((_, rank) => `p_rank_${rank + 1}`)],
    rows: rankRows(posterior).map((row) => [row.biomarker, Number(row.mean.toFixed(3)), ...row.per_mille.map((p) => p / 1000)]),
  }),
  spec: (report, { posterior }, width) =>
    placeHeatmap(rankRows(posterior).map((row) => ({ biomarker: row.biomarker, shares: row.per_mille.map((p) => p / 1000) })), "probability", width),
});

/**
 * Biomarkers by places in the order.
 * @param rows  [{biomarker, shares: [share of each place]}], from the top
 * @param what  the shares are
 */
function placeHeatmap(rows, what, width) {
  const names = rows.map((row) => row.biomarker);
  const room = nameRoom(names, width, 170);
  const isNarrow = width < 480;
  const size = Math.min(44, (width - room - (isNarrow ? 20 : 70)) / names.length);
  const height = Math.min(26, Math.max(size, names.length > 30 ? 9 : 18));
  // Cells that are as good as empty are not drawn: of 100 biomarkers most are.
  const cells = rows.flatMap((row) =>
    row.shares.flatMap((share, place) => (share >= 0.005 ? [{ biomarker: row.biomarker, place: place + 1, share }] : [])));
  return {
    width: size * names.length,
    height: height * names.length,
    data: { values: cells },
    mark: { type: "rect", cornerRadius: size > 12 ? 2 : 0 },
    encoding: {
      x: {
        field: "place", type: "ordinal", scale: { domain: names.map((_, i) => i + 1) },
        axis: { title: "place in the order", labelAngle: 0, labelOverlap: true, domain: false, ticks: false, labelFontSize: size < 16 ? 10 : 12 },
      },
      y: { field: "biomarker", type: "nominal", scale: { domain: names }, axis: { ...nameAxis(room), labelFontSize: height < 12 ? 8 : 12 } },
      color: {
        field: "share", type: "quantitative", scale: { domain: [0, 1], interpolate: "rgb" },
        legend: { title: what, orient: isNarrow ? "bottom" : "right", gradientLength: 90, tickCount: 3, format: "~g" },
      },
      tooltip: [{ field: "biomarker" }, { field: "place" }, { field: "share", title: what, format: ".3f" }],
    },
  };
}

function rankRows(posterior) {
  return posterior.biomarkers
    .map((biomarker, b) => {
      const per_mille = posterior.per_mille[b];
      const total = sum(per_mille) || 1;
      return { biomarker, per_mille, mean: sum(per_mille.map((p, rank) => (p * (rank + 1)) / total)) };
    })
    .sort((a, b) => a.mean - b.mean);
}
