// Times of the network, and of the steps of a sample.

/** Cells of a table of times: for each of `rows` name, bar, mean, deviation, median and 95th percentile. */
function barRows(title, rows) {
  const maxMean = Math.max(...rows.map(({ mean }) => mean));
  return [
    html('div', { class: 'head title' }, title),
    ...['mean', 'deviation', 'median', rows.some(hasPercentiles) ? 'p95' : 'max'].map((head) =>
      html('div', { class: `head number${head === 'deviation' ? ' optional' : ''}` }, head)),
    ...rows.flatMap(({ key, title: tip, share: fraction, mean, deviation, median, p95, highest: max }) => [
      html('div', { title: tip }, fraction ? `${key} · ${(100 * fraction).toFixed(1)} %` : key),
      html('div', { title: tip }, html('div', { class: `bar${mean === maxMean ? ' longest' : ''}`, style: `width:${maxMean > 0 ? 100 * mean / maxMean : 0}%` })),
      html('div', { class: 'number' }, milliseconds(mean)),
      html('div', { class: 'number optional' }, `± ${milliseconds(deviation)}`),
      html('div', { class: 'number' }, milliseconds(median)),
      html('div', { class: 'number' }, milliseconds(rows.some(hasPercentiles) ? p95 : max)),
    ]),
  ];
}

function drawTimings() {
  const timing = data.timing, network = timing.network;
  byId('timings-section').hidden = !network;
  if (!network) return;
  const { lowest: min, highest: max } = network;
  byId('timings').replaceChildren(
    html('div', { class: 'big' }, [`${milliseconds(network.mean)} ± ${milliseconds(network.deviation)}`, html('small', {}, ` ms a sample, the network ${fitsBeside ? 'with fits beside it' : 'alone'}`)]),
    html('p', { class: 'muted' }, `median ${milliseconds(network.median)} · min ${milliseconds(min)} · max ${milliseconds(max)} · ` +
      `${hasPercentiles(network) ? `p95 ${milliseconds(network.p95)} · ` : ''}${timing.samples_per_second.toFixed(2)} samples/s · ${whole(network.count)} samples · ` +
      `warm-up runs left out: ${data.run.warm_up_runs}`),
    html('p', { class: 'verdict' }, timing.verdict),
    html('div', { class: 'bars' }, [
      ...barRows('steps of a sample, running in parallel', timing.parts),
      ...(timing.stages.length ? barRows('stages of the network', timing.stages) : []),
    ]));
}
