// The result against the first mesh: a dot for each sample.

const kScatterSize = 480, kScatterLeft = 52, kScatterTop = 8, kScatterSide = kScatterSize - kScatterLeft - 12;

/** Samples with both values of a measure, as [sample, value of the first mesh, value of the result], scaled. */
function scatterPoints(key, isLogarithmic) {
  if (!hasTwoMeshes) return [];
  const before = valuesOf(firstMesh, key), after = valuesOf(resultMesh, key);
  const isShown = (a, b) => a !== null && b !== null && (!isLogarithmic || (a > 0 && b > 0));
  return samples.name.map((_, sample) => sample).filter((sample) => isShown(before[sample], after[sample]))
    .map((sample) => [sample, scaled(key, before[sample]), scaled(key, after[sample])]);
}

/** Common range of both axes: `low`, `high`; `x(value)`, `y(value)`: position in the picture. */
function scatterAxes(key, points, isLogarithmic) {
  let low = 0, high = key === 'overlap' ? 1 : 100;
  if (isLogarithmic) {
    low = high = points[0][1];
    for (const [, a, b] of points) { low = Math.min(low, a, b); high = Math.max(high, a, b); }
    low *= .9; high *= 1.1;
  }
  const warp = isLogarithmic ? Math.log : (value) => value;
  const position = (value) => kScatterSide * (warp(value) - warp(low)) / (warp(high) - warp(low));
  return { low, high, x: (value) => kScatterLeft + position(value), y: (value) => kScatterTop + kScatterSide - position(value) };
}

/** Ticks of a range: of a logarithmic one 1, 2 and 5 times powers of ten, if there are two of them. */
function scatterTicks(low, high, isLogarithmic) {
  if (!isLogarithmic) return ticksOf(low, high, 5);
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const f of [1, 2, 5]) if (f * 10 ** power >= low && f * 10 ** power <= high) ticks.push(f * 10 ** power);
  return ticks.length > 1 ? ticks : ticksOf(low, high, 4);
}

/** Frame, grid, diagonal and titles of the axes. */
function scatterFrame({ low, high, x, y }, isLogarithmic) {
  const [left, top, side] = [kScatterLeft, kScatterTop, kScatterSide];
  return [svg('rect', { class: 'axis', x: left, y: top, width: side, height: side }),
    ...scatterTicks(low, high, isLogarithmic).flatMap((tick) => [
      svg('line', { class: 'axis', x1: x(tick), x2: x(tick), y1: top, y2: top + side }),
      svg('line', { class: 'axis', x1: left, x2: left + side, y1: y(tick), y2: y(tick) }),
      svg('text', { x: x(tick), y: top + side + 16, 'text-anchor': 'middle' }, tickText(tick)),
      svg('text', { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, tickText(tick))]),
    svg('line', { class: 'diagonal', x1: left, y1: top + side, x2: left + side, y2: top }),
    svg('text', { x: left + side / 2, y: top + side + 34, 'text-anchor': 'middle' }, firstMesh + (isLogarithmic ? ' · logarithmic' : '')),
    svg('text', { x: 12, y: top + side / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${top + side / 2})` }, resultMesh)];
}

/**
 * Dots at `spots`, [sample, x, y] each; worse samples lie over the others. Each colour is one path: ten thousand elements
 * would be slow.
 */
function scatterDots(spots, isRed) {
  const width = spots.length > 3000 ? 3 : spots.length > 300 ? 4 : 6;
  return [false, true].map((worse) => {
    const d = spots.filter(([sample]) => isRed(sample) === worse).map(([, x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join('');
    return svg('path', { class: worse ? 'dots worse' : 'dots', d, 'stroke-width': width });
  });
}

/** Lets the pointer find the dot nearest to it: a ring and a tip show the sample, a click its row. */
function addScatterPointer(picture, ring, spots, key) {
  const before = valuesOf(firstMesh, key), after = valuesOf(resultMesh, key);
  const nearest = (event) => {
    const box = picture.getBoundingClientRect(), scale = kScatterSize / box.width;
    const px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
    let best = null, minSquared = 14 * 14;
    for (const spot of spots) {
      const squared = (spot[1] - px) ** 2 + (spot[2] - py) ** 2;
      if (squared < minSquared) { minSquared = squared; best = spot; }
    }
    ring.setAttribute('visibility', best ? 'visible' : 'hidden');
    if (best) { ring.setAttribute('cx', best[1]); ring.setAttribute('cy', best[2]); }
    return best;
  };
  fill(picture, tipFor((event) => {
    const best = nearest(event);
    if (!best) return '';
    const a = before[best[0]], b = after[best[0]];
    return `${samples.name[best[0]]}\n${firstMesh} ${formatted(key, a)} · ${resultMesh} ${formatted(key, b)} · Δ ${formatted(key, b - a, true)}`;
  }));
  fill(picture, { onclick: (event) => { const best = nearest(event); if (best) showSample(best[0]); } });
}

function drawScatter() {
  const choices = ['chamfer', 'f_tau', 'f_2tau', 'overlap'].filter(isMeasured).map((key) => [key, shortTitleOf(key)]);
  segments(byId('scatter-measures'), choices, state.scatter, (key) => {
    state.scatter = key;
    drawScatter();
  });
  const key = state.scatter, isLogarithmic = key === 'chamfer';
  const points = scatterPoints(key, isLogarithmic);
  byId('scatter-section').hidden = !points.length;
  if (!points.length) return;
  const axes = scatterAxes(key, points, isLogarithmic);
  const spots = points.map(([sample, a, b]) => [sample, axes.x(a), axes.y(b)]);
  const ring = svg('circle', { class: 'hover', r: 6, visibility: 'hidden' });
  const picture = svg('svg', { viewBox: `0 0 ${kScatterSize} ${kScatterSide + 46}`, role: 'img', style: 'max-width:640px',
    'aria-label': `${measures[key].title} of ${points.length} samples, ${resultMesh} over ${firstMesh}; the table below has each` },
  [...scatterFrame(axes, isLogarithmic), ...scatterDots(spots, ofSilhouettes.has(key) ? isWorseByOverlap : isWorse), ring]);
  addScatterPointer(picture, ring, spots, key);
  byId('scatter').replaceChildren(picture);
  byId('scatter-note').replaceChildren(
    html('span', { class: 'key', style: 'background:var(--accent)' }), html('span', {}, 'a sample'),
    html('span', { class: 'key', style: 'background:var(--bad)' }), html('span', {}, ofSilhouettes.has(key)
      ? `worse: its ${resultMesh} silhouettes overlap less` : `worse: its ${resultMesh} Chamfer distance is the larger one`),
    html('span', {}, `${measures[key].title}, ${unitOf(key)}${ofSilhouettes.has(key) ? '' : `, ${state.protocol} protocol`}. Click a dot to find its row.`));
}
