// Times of the network, and of the steps of a sample.

/** Cells of a table of times: for each of `rows` name, bar, mean, deviation, median and 95th percentile. */
function barRows(title, rows) {
  const max = Math.max(...rows.map((row) => row.mean));
  return [
    html('div', { class: 'head title' }, title),
    ...['mean', 'deviation', 'median', rows.some(hasPercentiles) ? 'p95' : 'max'].map((head) =>
      html('div', { class: `head number${head === 'deviation' ? ' optional' : ''}` }, head)),
    ...rows.flatMap((row) => [
      html('div', { title: row.title }, row.share ? `${row.key} · ${(100 * row.share).toFixed(1)} %` : row.key),
      html('div', { title: row.title }, html('div', { class: `bar${row.mean === max ? ' longest' : ''}`, style: `width:${max > 0 ? 100 * row.mean / max : 0}%` })),
      html('div', { class: 'number' }, milliseconds(row.mean)),
      html('div', { class: 'number optional' }, `± ${milliseconds(row.deviation)}`),
      html('div', { class: 'number' }, milliseconds(row.median)),
      html('div', { class: 'number' }, milliseconds(rows.some(hasPercentiles) ? row.p95 : row.highest)),
    ]),
  ];
}

function drawTimings() {
  const timing = data.timing, network = timing.network;
  byId('timings-section').hidden = !network;
  if (!network) return;
  byId('timings').replaceChildren(
    html('div', { class: 'big' }, [`${milliseconds(network.mean)} ± ${milliseconds(network.deviation)}`, html('small', {}, ` ms a sample, the network ${fitsBeside ? 'with fits beside it' : 'alone'}`)]),
    html('p', { class: 'muted' }, `median ${milliseconds(network.median)} · min ${milliseconds(network.lowest)} · max ${milliseconds(network.highest)} · ` +
      `${hasPercentiles(network) ? `p95 ${milliseconds(network.p95)} · ` : ''}${timing.samples_per_second.toFixed(2)} samples/s · ${whole(network.count)} samples · ` +
      `warm-up runs left out: ${data.run.warm_up_runs}`),
    html('p', { class: 'verdict' }, timing.verdict),
    html('div', { class: 'bars' }, [
      ...barRows('parts of a sample, side by side', timing.parts),
      ...(timing.stages.length ? barRows('stages of the network', timing.stages) : []),
    ]));
}
