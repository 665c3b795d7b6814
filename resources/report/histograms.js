// Histograms of the measures and times.

const kHistogramWidth = 320, kHistogramHeight = 150, kHistogramBottom = 124;  // the axis is at the bottom

/** Number of values in each of `bins` equal parts of low…high; values outside count in the first and the last part. */
function binCounts(values, bins, low, high) {
  const counts = new Array(bins).fill(0);
  for (const value of values) ++counts[Math.max(0, Math.min(bins - 1, Math.floor(bins * (value - low) / (high - low))))];
  return counts;
}

/**
 * Value at a fraction of `sorted`, where an axis may end. Percentiles that C++ reports are nearest ranks, one value lower
 * where fraction × count is whole.
 */
const quantileForAxis = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];

/** Ends of the axis, [low, high]: `range`, or if it is null, from the smallest value to the 97.5th percentile. */
function histogramRange(sorted, range) {
  let [low, high] = range || [sorted[0], quantileForAxis(sorted, .975)];
  if (!range && low < high * .5) low = 0;
  if (!(high > low)) { high = low + (Math.abs(low) * .1 || 1); low -= Math.abs(low) * .1; }
  return [low, high];
}

/**
 * Positions in a histogram's picture: edge(bin) of the left edge of a bin, x(value), and y(number) of the top of a bar;
 * with `bins`, their number, and the ends of the axis.
 */
function histogramScale(bins, [low, high], max) {
  return { bins, low, high, edge: (bin) => kHistogramWidth * bin / bins, x: (value) => kHistogramWidth * (value - low) / (high - low),
    y: (number) => kHistogramBottom - 112 * number / max };
}

const histogramBars = (counts, { bins, edge, y }) => counts.map((number, bin) => number && svg('rect', { class: 'refined',
  x: edge(bin) + .5, y: y(number), width: kHistogramWidth / bins - 1, height: kHistogramBottom - y(number) })).filter(Boolean);

function histogramOutline(counts, { edge, y }) {
  const path = counts.map((number, bin) => `${bin ? 'L' : 'M'}${edge(bin)} ${y(number)}L${edge(bin + 1)} ${y(number)}`).join('');
  return svg('path', { class: 'coarse', d: path });
}

/** The line at the median, at an end of the axis if the median is beyond it. */
function histogramMedian(mesh, values, { x }) {
  const position = Math.min(kHistogramWidth, Math.max(0, x(medianOf(ascending(values)))));
  return svg('line', { class: `median of-${mesh === resultMesh ? 'refined' : 'coarse'}`, x1: position, x2: position, y1: 4, y2: kHistogramBottom });
}

/** The axis with its ticks; where values lie beyond its end (`overflows`), the last text is where the last bin begins. */
function histogramAxis({ bins, low, high, x }, overflows) {
  const text = (position, anchor, string) => svg('text', { x: position, y: kHistogramBottom + 18, 'text-anchor': anchor }, string);
  const parts = [svg('line', { class: 'axis', x1: 0, x2: kHistogramWidth, y1: kHistogramBottom + .5, y2: kHistogramBottom + .5 })];
  for (const tick of ticksOf(low, high, 5)) {
    const position = x(tick);
    if (overflows && position > kHistogramWidth - 34) continue;
    parts.push(text(position, position < 8 ? 'start' : position > kHistogramWidth - 8 ? 'end' : 'middle', tickText(tick)));
  }
  if (overflows) parts.push(text(kHistogramWidth, 'end', `≥ ${tickText(Number((high - (high - low) / bins).toPrecision(2)))}`));
  return parts;
}

/** Lets a tip show the bin under the pointer and its numbers. `counts`: of each series. */
function addBinTip(picture, series, counts, { bins, low, high }, overflows) {
  fill(picture, tipFor((event) => {
    const box = picture.getBoundingClientRect();
    const bin = Math.floor(bins * (event.clientX - box.left) / box.width);
    if (bin < 0 || bin >= bins) return '';
    const edge = (b) => tickText(Number((low + b * (high - low) / bins).toPrecision(3)));
    const upper = bin === bins - 1 && overflows ? 'and more' : `… ${edge(bin + 1)}`;
    return [`${edge(bin)} ${upper}`, ...series.map(([mesh], s) => `${series.length > 1 ? mesh : 'samples'} ${counts[s][bin]}`)].join('\n');
  }));
}

/**
 * Draws a histogram. `series`: [mesh, values], the result's as bars, others as outlines; `range`: of the axis;
 * null: from the smallest value to the 97.5th percentile.
 */
function histogram(element, series, range, name) {
  const all = series.flatMap(([, values]) => Array.from(values));
  element.replaceChildren();
  if (!all.length) {
    element.append(html('p', { class: 'muted' }, 'nothing to show'));
    return;
  }
  const sorted = ascending(all);
  const bins = Math.max(10, Math.min(40, Math.ceil(1.5 * Math.sqrt(all.length))));
  const [low, high] = histogramRange(sorted, range);
  const counts = series.map(([, values]) => binCounts(values, bins, low, high));
  const scale = histogramScale(bins, [low, high], Math.max(...counts.flat()));
  const overflows = sorted[sorted.length - 1] > high;
  const shapes = series.flatMap(([mesh, values], s) => [
    ...(mesh === resultMesh ? histogramBars(counts[s], scale) : [histogramOutline(counts[s], scale)]),
    ...(values.length ? [histogramMedian(mesh, values, scale)] : [])]);
  const picture = svg('svg', { viewBox: `0 0 ${kHistogramWidth} ${kHistogramHeight}`, role: 'img', 'aria-label': `Histogram of ${name}` },
    [...shapes, ...histogramAxis(scale, overflows)]);
  addBinTip(picture, series, counts, scale, overflows);
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
