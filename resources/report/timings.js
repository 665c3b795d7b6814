// Times of the network, and of the steps of a sample.

/** Rows of a table of times: name, bar, mean, deviation, median and 95th percentile of each of `columns`. */
function barRows(title, columns) {
  const max = Math.max(...columns.map((column) => column.mean));
  return [
    html('div', { class: 'head title' }, title),
    ...['mean', 'deviation', 'median', columns.some(hasPercentiles) ? 'p95' : 'max'].map((head) =>
      html('div', { class: `head number${head === 'deviation' ? ' optional' : ''}` }, head)),
    ...columns.flatMap((column) => [
      html('div', { title: column.title }, column.share ? `${column.key} · ${(100 * column.share).toFixed(1)} %` : column.key),
      html('div', { title: column.title }, html('div', { class: `bar${column.mean === max ? ' longest' : ''}`, style: `width:${max > 0 ? 100 * column.mean / max : 0}%` })),
      html('div', { class: 'number' }, milliseconds(column.mean)),
      html('div', { class: 'number optional' }, `± ${milliseconds(column.deviation)}`),
      html('div', { class: 'number' }, milliseconds(column.median)),
      html('div', { class: 'number' }, milliseconds(columns.some(hasPercentiles) ? column.p95 : column.highest)),
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
