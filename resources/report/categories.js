// The table of categories.

/** A picture of the intervals of the means, the first mesh's above the result's, on a scale shared by all rows. */
function intervalBar(statistics, key, scale, authorsValue) {
  if (!statistics || !statistics[resultMesh]) return null;
  const x = (value) => 4 + 60 * (value - scale[0]) / (scale[1] - scale[0] || 1);
  const bar = (s, y, colour, height) => [
    hasInterval(s) && svg('rect', { x: x(s.low), y: y - height / 2, width: Math.max(1, x(s.high) - x(s.low)), height, fill: colour, opacity: .45 }),
    svg('rect', { x: x(s.mean) - 1, y: y - 3.5, width: 2, height: 7, fill: colour }),
  ];
  const parts = [svg('line', { class: 'axis', x1: 4, x2: 64, y1: 19.5, y2: 19.5 })];
  if (hasTwoMeshes && statistics[firstMesh]) parts.push(...bar(statistics[firstMesh], 5, 'var(--muted)', 3));
  parts.push(...bar(statistics[resultMesh], 13, 'var(--accent)', 3));
  if (authorsValue !== undefined) {
    parts.push(svg('circle', { cx: x(authorsValue), cy: 13, r: 3, fill: 'var(--panel)', stroke: 'var(--hot)', 'stroke-width': 1.5 }));
  }
  const label = networkMeshes.filter((mesh) => statistics[mesh]).map((mesh) =>
    `${mesh} ${formatted(key, statistics[mesh].mean)} (${formatted(key, statistics[mesh].low)} … ${formatted(key, statistics[mesh].high)})`).join('\n');
  return fill(svg('svg', { viewBox: '0 0 68 20', width: 68, height: 20, style: 'width:68px', role: 'img',
                           'aria-label': label }, parts), tipFor(() => label));
}

function drawCategories() {
  const shownGroups = groups.filter(isGroupMeasured);
  byId('categories-section').hidden = !shownGroups.length;
  if (!shownGroups.length) return;
  const hasAuthorsValues = hasScores && state.protocol === 'published' && data.run.tau === 1e-4 &&
    groups.some((group) => group.published);
  // In the order of importance: those that fit are shown.
  const all = ['chamfer', 'f_tau', 'overlap', 'surface_mean', hasScores ? 'f_2tau' : 'outline_distance'].filter(isMeasured);
  const box = byId('categories').parentElement;
  const fits = () => byId('categories').offsetWidth <= box.clientWidth;
  let kept = all.length;
  drawCategoryTable(shownGroups, all, hasAuthorsValues);
  while (!state.allMeasures && kept > 1 && !fits()) drawCategoryTable(shownGroups, all.slice(0, --kept), hasAuthorsValues);
  byId('all-measures-label').hidden = kept === all.length && !state.allMeasures;
  byId('categories-note').replaceChildren(
    ...(hasTwoMeshes ? [html('span', { class: 'key', style: 'background:var(--muted)' }), html('span', {}, firstMesh)] : []),
    html('span', { class: 'key', style: 'background:var(--accent)' }), html('span', {}, resultMesh),
    ...(hasAuthorsValues ? [
      html('span', { class: 'key', style: 'border:1.5px solid var(--hot)' }),
      html('span', {}, data.published_label.replace(/^published/, kAuthors)),
    ] : []));
}

/** Interval of the means of a measure over all rows, with the authors’ values: the scale of its bars. */
function scaleOf(key, shownGroups, hasAuthorsValue) {
  const values = shownGroups.flatMap((group) => {
    const statistics = statisticsOf(group, key) || {};
    return networkMeshes.map((mesh) => statistics[mesh]).filter(Boolean).flatMap((s) => [s.low, s.high])
      .concat(hasAuthorsValue(key) && group.published ? [group.published[key]] : []);
  });
  return [Math.min(...values), Math.max(...values)];
}

function categoryHead(keys, hasAuthorsValue) {
  const over = html('tr', { class: 'over' }, [
    html('th', { colspan: hasTwoMeshes ? 3 : 2 }),
    ...keys.map((key) => html('th', { colspan: (hasTwoMeshes ? 4 : 2) + (hasAuthorsValue(key) ? 1 : 0), class: 'gap', scope: 'colgroup' }, groupHeading(key))),
  ]);
  const head = html('tr', {}, [
    html('th', { scope: 'col' }, 'Category'), html('th', { scope: 'col' }, 'n'),
    hasTwoMeshes ? html('th', { scope: 'col' }, 'worse') : null,
    ...keys.flatMap((key) => [
      ...networkMeshes.map((mesh) => html('th', { class: mesh === firstMesh ? 'gap' : null, scope: 'col' }, mesh)),
      hasTwoMeshes ? html('th', { scope: 'col' }, 'Δ') : null,
      html('th', { scope: 'col', style: 'text-align:left', title: 'interval of the mean' }, '95 %'),
      hasAuthorsValue(key) ? html('th', { scope: 'col' }, kAuthors) : null,
    ]),
  ]);
  return html('thead', {}, [over, head]);
}

/** Cells of a measure in a category's row. */
function measureCells(group, key, scale, hasAuthorsValue) {
  const statistics = statisticsOf(group, key) || {}, change = statistics.difference;
  const authorsValue = hasAuthorsValue(key) && group.published ? group.published[key] : undefined;
  const interval = change && change.low !== change.high
    ? `95 %: ${formatted(key, change.low, true)} … ${formatted(key, change.high, true)}` : null;
  return [
    ...networkMeshes.map((mesh) => html('td', { class: mesh === firstMesh ? 'gap' : null }, formatted(key, statistics[mesh]?.mean))),
    hasTwoMeshes ? html('td', { class: sureVerdict(key, change), title: interval }, formatted(key, change?.mean, true)) : null,
    html('td', {}, intervalBar(statistics, key, scale, authorsValue)),
    hasAuthorsValue(key) ? html('td', { class: 'muted' }, authorsValue === undefined ? '' : formatted(key, authorsValue)) : null,
  ];
}

function categoryRow(group, measureCellsOf) {
  const byTruth = hasScores ? groupScores(group) : null;
  const worse = byTruth ? byTruth.regressed : group.silhouettes.regressed;
  const code = group.category && group.category !== group.name ? html('span', { class: 'code' }, group.category) : null;
  const rule = byTruth ? `the ${resultMesh} Chamfer distance is the larger one` : `the ${resultMesh} overlap is the smaller one`;
  return html('tr', { class: group === data.all ? 'all' : null }, [
    html('td', {}, [group.name, code]),
    html('td', {}, whole(byTruth ? byTruth.scored : group.silhouettes.measured)),
    hasTwoMeshes ? html('td', { class: worse ? 'bad' : '', title: `worse: ${rule}` }, whole(worse)) : null,
    ...measureCellsOf(group),
  ]);
}

function drawCategoryTable(shownGroups, keys, hasAuthorsValues) {
  const hasAuthorsValue = (key) => hasAuthorsValues && !ofSilhouettes.has(key) && !ofDistances.has(key);
  const scales = Object.fromEntries(keys.map((key) => [key, scaleOf(key, shownGroups, hasAuthorsValue)]));
  const cellsOf = (group) => keys.flatMap((key) => measureCells(group, key, scales[key], hasAuthorsValue));
  byId('categories').replaceChildren(categoryHead(keys, hasAuthorsValue),
    html('tbody', {}, shownGroups.map((group) => categoryRow(group, cellsOf))));
}
