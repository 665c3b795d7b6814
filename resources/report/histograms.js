// Histograms of the measures and times.

/** Number of values in each of `bins` equal parts of low…high; values outside count in the first and the last part. */
function binCounts(values, bins, low, high) {
  const counts = new Array(bins).fill(0);
  for (const value of values) ++counts[Math.max(0, Math.min(bins - 1, Math.floor(bins * (value - low) / (high - low))))];
  return counts;
}

/**
 * Draws a histogram. `series`: [mesh, values], the result's as bars, others as outlines; `range`: of the axis;
 * null: from the smallest value to the 97.5th percentile.
 */
function histogram(element, series, range, name) {
  const width = 320, height = 150, bottom = 124;
  const all = series.flatMap(([, values]) => Array.from(values));
  element.replaceChildren();
  if (!all.length) {
    element.append(html('p', { class: 'muted' }, 'nothing to show'));
    return;
  }
  const sorted = ascending(all);
  const bins = Math.max(10, Math.min(40, Math.ceil(1.5 * Math.sqrt(all.length))));
  let [low, high] = range || [sorted[0], percentileOf(sorted, .975)];
  if (!range && low < high * .5) low = 0;
  if (!(high > low)) { high = low + (Math.abs(low) * .1 || 1); low -= Math.abs(low) * .1; }
  const binned = series.map(([, values]) => binCounts(values, bins, low, high));
  const max = Math.max(...binned.flat());
  const x = (bin) => width * bin / bins;
  const y = (n) => bottom - 112 * n / max;
  const parts = [];
  series.forEach(([kind, values], s) => {
    if (kind === resultMesh) {
      binned[s].forEach((n, bin) => n && parts.push(svg('rect', { class: 'refined', x: x(bin) + .5, y: y(n), width: width / bins - 1, height: bottom - y(n) })));
    } else {
      const path = binned[s].map((n, bin) => `${bin ? 'L' : 'M'}${x(bin)} ${y(n)}L${x(bin + 1)} ${y(n)}`).join('');
      parts.push(svg('path', { class: 'coarse', d: path }));
    }
    if (!values.length) return;
    const median = medianOf(ascending(values));
    const position = Math.min(width, Math.max(0, width * (median - low) / (high - low)));
    parts.push(svg('line', { class: `median of-${kind === resultMesh ? 'refined' : 'coarse'}`, x1: position, x2: position, y1: 4, y2: bottom }));
  });
  parts.push(svg('line', { class: 'axis', x1: 0, x2: width, y1: bottom + .5, y2: bottom + .5 }));
  const overflow = sorted[sorted.length - 1] > high;
  for (const tick of ticksOf(low, high, 5)) {
    const position = width * (tick - low) / (high - low);
    if (overflow && position > width - 34) continue;
    parts.push(svg('text', { x: position, y: bottom + 18, 'text-anchor': position < 8 ? 'start' : position > width - 8 ? 'end' : 'middle' }, tickText(tick)));
  }
  if (overflow) parts.push(svg('text', { x: width, y: bottom + 18, 'text-anchor': 'end' }, `≥ ${tickText(Number((high - (high - low) / bins).toPrecision(2)))}`));
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Histogram of ${name}` }, parts);
  fill(picture, tipFor((event) => {
    const box = picture.getBoundingClientRect();
    const bin = Math.floor(bins * (event.clientX - box.left) / box.width);
    if (bin < 0 || bin >= bins) return '';
    const edge = (b) => tickText(Number((low + b * (high - low) / bins).toPrecision(3)));
    const upper = bin === bins - 1 && overflow ? 'and more' : `… ${edge(bin + 1)}`;
    return [`${edge(bin)} ${upper}`, ...series.map(([kind], s) => `${series.length > 1 ? kind : 'samples'} ${binned[s][bin]}`)].join('\n');
  }));
  element.append(picture);
}

function drawHistograms() {
  const seriesOf = (key) => [...networkMeshes].reverse().map((mesh) => [mesh, numbersOf(valuesOf(mesh, key)).map((v) => scaled(key, v))]);
  heading('chamfer-heading', shortTitleOf('chamfer'), `${unitOf('chamfer')} · ${state.protocol}`);
  heading('f-heading', html('span', { class: 'symbol' }, 'F(τ)'), `% · ${state.protocol}`);
  histogram(byId('chamfer-histogram'), seriesOf('chamfer'), null, 'the Chamfer distance');
  histogram(byId('f-histogram'), seriesOf('f_tau'), [0, 100], 'F(τ)');
  histogram(byId('overlap-histogram'), seriesOf('overlap'), [0, 1], 'the silhouettes’ overlap');
  for (const figure of document.querySelectorAll('#charts-section .by-truth')) figure.hidden = !hasScores;
  byId('overlap-figure').hidden = !hasSilhouettes;
  histogram(byId('time-histogram'), [[resultMesh, numbersOf(samples.times.network)]], null, 'the network’s time');
  byId('charts-section').hidden = !count || data.all.failed === count;
}
