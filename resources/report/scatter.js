// The result against the first mesh: a dot for each sample.

function drawScatter() {
  const choices = ['chamfer', 'f_tau', 'f_2tau', 'overlap'].filter(isMeasured).map((key) => [key, shortTitleOf(key)]);
  segments(byId('scatter-measures'), choices, state.scatter, (key) => {
    state.scatter = key;
    drawScatter();
  });
  const key = state.scatter, logarithmic = key === 'chamfer';
  const points = [];
  const before = valuesOf(firstMesh, key), after = valuesOf(resultMesh, key);
  const isRed = ofSilhouettes.has(key) ? overlapsLess : isWorse;
  for (let i = 0; i < count; ++i) {
    const a = compares ? before[i] : null, b = after[i];
    if (a !== null && b !== null && (!logarithmic || (a > 0 && b > 0))) points.push([i, scaled(key, a), scaled(key, b)]);
  }
  byId('scatter-section').hidden = !points.length;
  if (!points.length) return;
  const size = 480, left = 52, side = size - left - 12;
  let low = 0, high = key === 'overlap' ? 1 : 100;
  if (logarithmic) {
    low = high = points[0][1];
    for (const [, a, b] of points) { low = Math.min(low, a, b); high = Math.max(high, a, b); }
    low *= .9; high *= 1.1;
  }
  const warp = logarithmic ? Math.log : (value) => value;
  const position = (value) => side * (warp(value) - warp(low)) / (warp(high) - warp(low));
  const x = (value) => left + position(value);
  const y = (value) => 8 + side - position(value);
  const parts = [svg('rect', { class: 'axis', x: left, y: 8, width: side, height: side })];
  const decades = [];
  if (logarithmic) {
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
      for (const f of [1, 2, 5]) if (f * 10 ** power >= low && f * 10 ** power <= high) decades.push(f * 10 ** power);
    }
  }
  for (const tick of logarithmic ? (decades.length > 1 ? decades : ticksOf(low, high, 4)) : ticksOf(low, high, 5)) {
    parts.push(svg('line', { class: 'axis', x1: x(tick), x2: x(tick), y1: 8, y2: 8 + side }),
      svg('line', { class: 'axis', x1: left, x2: left + side, y1: y(tick), y2: y(tick) }),
      svg('text', { x: x(tick), y: 8 + side + 16, 'text-anchor': 'middle' }, tickText(tick)),
      svg('text', { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, tickText(tick)));
  }
  parts.push(svg('line', { class: 'diagonal', x1: left, y1: 8 + side, x2: left + side, y2: 8 }),
    svg('text', { x: left + side / 2, y: 8 + side + 34, 'text-anchor': 'middle' }, firstMesh + (logarithmic ? ' · logarithmic' : '')),
    svg('text', { x: 12, y: 8 + side / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${8 + side / 2})` }, resultMesh));
  // One path for all: ten thousand elements would be slow.
  const dot = points.length > 3000 ? 3 : points.length > 300 ? 4 : 6;
  const spots = points.map(([i, a, b]) => [i, x(a), y(b)]);
  for (const worse of [false, true]) {
    const d = spots.filter(([i]) => isRed(i) === worse).map(([, a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`).join('');
    parts.push(svg('path', { class: worse ? 'dots worse' : 'dots', d, 'stroke-width': dot }));
  }
  const ring = svg('circle', { class: 'hover', r: 6, visibility: 'hidden' });
  parts.push(ring);
  const picture = svg('svg', { viewBox: `0 0 ${size} ${side + 46}`, role: 'img', style: 'max-width:640px',
    'aria-label': `${measures[key].title} of ${points.length} samples, ${resultMesh} over ${firstMesh}; the table below has each` }, parts);
  const nearest = (event) => {
    const box = picture.getBoundingClientRect(), scale = size / box.width;
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
  byId('scatter').replaceChildren(picture);
  byId('scatter-note').replaceChildren(
    html('span', { class: 'key', style: 'background:var(--accent)' }), html('span', {}, 'a sample'),
    html('span', { class: 'key', style: 'background:var(--bad)' }), html('span', {}, ofSilhouettes.has(key)
      ? `worse: its ${resultMesh} silhouettes overlap less` : `worse: its ${resultMesh} Chamfer distance is the larger one`),
    html('span', {}, `${measures[key].title}, ${unitOf(key)}${ofSilhouettes.has(key) ? '' : `, ${state.protocol} protocol`}. Click a dot to find its row.`));
}
