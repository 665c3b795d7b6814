// The table of samples. Only the rows in sight exist; spacers stand for the others.

const kRowHeight = 28;  // pixels, as report.css
const kMaxPrintedRows = 500;
let rowOrder = [];  // samples of the rows, filtered and sorted
let drawn = [-1, -1];  // positions of the rows that exist: the first, and one after the last
let samplesTable = null;

/** Samples that the filters let through, sorted by the chosen column. */
function chosenRows() {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = [];
  for (let sample = 0; sample < count; ++sample) {
    if (state.category !== '' && samples.category[sample] !== Number(state.category)) continue;
    if (state.status === 'failed' && !isFailed(sample)) continue;
    if (state.status === 'done' && isFailed(sample)) continue;
    if (state.status === 'unscored' && (isFailed(sample) || isScored(sample))) continue;
    if (state.status === 'worse' && !isWorse(sample)) continue;
    if (words.length) {
      const group = data.categories[samples.category[sample]];
      const text = `${samples.name[sample]} ${group.name} ${group.category} ${samples.error[sample] || ''}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
    }
    kept.push(sample);
  }
  const sortColumn = columns.find((c) => c.key === state.sort.key);
  const values = new Map(kept.map((sample) => [sample, sortColumn.value(sample)]));
  const sign = state.sort.down ? -1 : 1;
  return kept.sort((a, b) => {
    const va = values.get(a), vb = values.get(b);
    if (va === vb) return a - b;
    if (va === null) return 1;
    if (vb === null) return -1;
    return (va < vb ? -1 : 1) * sign;
  });
}

function sampleRow(row) {
  const sample = rowOrder[row];
  const classes = [isWorse(sample) && 'worse', isFailed(sample) && 'failed', sample === state.current && 'current'].filter(Boolean).join(' ');
  const filledColumns = isFailed(sample) ? shownColumns.filter((c) => c.isText) : shownColumns;
  const cells = filledColumns.map((c) => html('td', {
    class: [c.isText && 'text', c.verdictClass && c.verdictClass(sample)].filter(Boolean).join(' ') || null, title: c.isText ? c.text(sample) : null,
  }, c.key === 'name' && hasMeshes(sample) ? [html('span', { class: 'turns-mark', 'aria-hidden': true }, '◆'), nameButton(sample, rowOrder)] : c.text(sample)));
  if (isFailed(sample)) cells.push(html('td', { class: 'text reason', colspan: shownColumns.length - filledColumns.length, title: samples.error[sample] }, samples.error[sample]));
  return html('tr', { class: classes || null, id: sample === state.current ? 'current-row' : null, 'aria-rowindex': row + 2,
                      onclick: (event) => openRow(row, event) }, cells);
}

const spacer = (height) => html('tr', { class: 'spacer', 'aria-hidden': true }, html('td', { colspan: shownColumns.length, style: `height:${height}px` }));

/** Rows of the positions from `begin` to before `end`; without any sample a row that says so. */
function rowsBetween(begin, end) {
  if (rowOrder.length) return Array.from({ length: end - begin }, (_, i) => sampleRow(begin + i));
  return [html('tr', {}, html('td', { class: 'text muted', colspan: shownColumns.length }, count ? 'no matching sample' : 'no samples'))];
}

/** Draws the rows in sight and some around them, unless they are drawn already. */
function drawRowsInSight() {
  const box = byId('samples');
  const inSight = Math.ceil((box.clientHeight || 640) / kRowHeight);
  let begin = Math.max(0, Math.floor(box.scrollTop / kRowHeight) - 8);
  begin -= begin % 8;  // so that most scrolling draws nothing
  const end = Math.min(rowOrder.length, begin + inSight + 24);
  if (begin === drawn[0] && end === drawn[1]) return;
  drawn = [begin, end];
  samplesTable.tBodies[0].replaceChildren(...(begin ? [spacer(begin * kRowHeight)] : []), ...rowsBetween(begin, end),
    ...(end < rowOrder.length ? [spacer((rowOrder.length - end) * kRowHeight)] : []));
}

function redrawRows() {
  drawn = [-1, -1];
  drawRowsInSight();
}

/** Draws the first rows, without spacers. */
function drawRowsToPrint() {
  samplesTable.tBodies[0].replaceChildren(...rowsBetween(0, Math.min(rowOrder.length, kMaxPrintedRows)));
}

function sortBy(key) {
  const same = state.sort.key === key;
  const text = columns.find((c) => c.key === key).isText;
  state.sort = { key, down: same ? !state.sort.down : !text };
  drawSamples();
  samplesTable.tHead.querySelector(`[data-key="${key}"]`).focus();
}

function drawSamples() {
  rowOrder = chosenRows();
  chooseColumns();
  const head = shownColumns.map((c) => html('th', {
    scope: 'col', title: c.note, style: c.isText ? 'text-align:left' : null,
    'aria-sort': c.key === state.sort.key ? (state.sort.down ? 'descending' : 'ascending') : null,
  }, html('button', { type: 'button', 'data-key': c.key, onclick: () => sortBy(c.key) },
    c.title + (c.key === state.sort.key ? (state.sort.down ? ' ↓' : ' ↑') : ''))));
  const width = shownColumns.reduce((sum, c) => sum + c.width, 0);
  samplesTable = html('table', { 'aria-rowcount': rowOrder.length + 1, style: `min-width:${width}px` }, [
    html('colgroup', {}, shownColumns.map((c) => html('col', { style: `width:${c.width}px` }))),
    html('thead', {}, html('tr', { 'aria-rowindex': 1 }, head)), html('tbody'),
  ]);
  const box = byId('samples');
  const top = box.scrollTop;
  box.replaceChildren(samplesTable);
  box.scrollTop = top;
  redrawRows();
  byId('samples-heading').textContent = rowOrder.length === count ? `Samples · ${whole(count)}` : `Samples · ${whole(rowOrder.length)} of ${whole(count)}`;
  byId('samples-note').textContent = (hasScores || !hasSilhouettes
    ? `${protocolTitle(state.protocol)} protocol. CD: Chamfer distance, ${unitOf('chamfer')}; F, P, R: %, of the ${resultMesh} mesh` +
      `${hasTwoMeshes || data.run.fit ? ' unless a column’s head names another' : ''}; Hausdorff: object units; Normals: mean |cos|. ` : '') +
    (hasSilhouettes ? 'Overlap: silhouettes against the photographs, intersection over union, mean of the views; ' +
      `Outlines: mean distance between the outlines of the ${resultMesh} mesh and of the photographs, in pixels of the photographs. ` : '') +
    (hasTwoMeshes ? 'A red edge marks a sample that is worse after refinement. ' : '') +
    'Arrow keys move in the table, Enter or a click opens a row’s meshes (◆); a click on a column’s head sorts.';
}

function setCurrent(row) {
  if (row < 0 || row >= rowOrder.length) return;
  state.current = rowOrder[row];
  redrawRows();
}

/** Marks a row, and opens the meshes of its sample if the page has them; the table keeps the focus. */
function openRow(row, event) {
  if (event && event.target.closest('button')) return;  // the button does its own work
  setCurrent(row);
  byId('samples').focus({ preventScroll: true });
  if (hasMeshes(state.current)) resultDialog.open(idOf(state.current), rowOrder.map(idOf));
}

function keepInSight(row) {
  const box = byId('samples'), head = samplesTable.tHead.offsetHeight;
  const top = row * kRowHeight, seen = box.clientHeight - head;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + kRowHeight > box.scrollTop + seen) box.scrollTop = top + kRowHeight - seen;
}

/** Scrolls to a sample's row; clears the filters if they hide it. */
function showSample(sample) {
  if (!rowOrder.includes(sample)) {
    state.text = state.category = state.status = '';
    byId('search').value = byId('category').value = byId('status').value = '';
    drawSamples();
  }
  const row = rowOrder.indexOf(sample);
  const box = byId('samples');
  box.scrollTop = Math.max(0, row * kRowHeight - box.clientHeight / 2 + kRowHeight);
  setCurrent(row);
  box.scrollIntoView({ block: 'center' });
  box.focus({ preventScroll: true });
}

function setUpSamples() {
  const box = byId('samples');
  box.addEventListener('scroll', drawRowsInSight, { passive: true });
  box.addEventListener('keydown', (event) => {
    if (event.target !== box) return;
    if (event.key === 'Enter' && rowOrder.includes(state.current)) { openRow(rowOrder.indexOf(state.current)); return; }
    const page = Math.max(1, Math.floor(box.clientHeight / kRowHeight) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rowOrder.length, End: rowOrder.length }[event.key];
    if (!step || !rowOrder.length) return;
    event.preventDefault();
    const before = rowOrder.indexOf(state.current);
    const row = Math.max(0, Math.min(rowOrder.length - 1, before < 0 && Math.abs(step) === 1 ? 0 : before + step));
    keepInSight(row);
    setCurrent(row);
  });
  const option = (value, title) => html('option', { value }, title);
  byId('category').replaceChildren(option('', 'All categories'), ...data.categories.map((group, i) => option(i, `${group.name} (${group.samples})`)));
  byId('category').hidden = data.categories.length < 2;
  byId('status').replaceChildren(option('', 'All outcomes'), option('done', 'Done'),
    ...(hasTwoMeshes ? [option('worse', 'Worse after refinement')] : []),
    ...(data.all.without_truth ? [option('unscored', 'Without a truth')] : []), option('failed', 'Failed'));
  const listen = (id, event, field) => byId(id).addEventListener(event, () => {
    state[field] = byId(id).value;
    byId('samples').scrollTop = 0;
    drawSamples();
  });
  listen('search', 'input', 'text');
  listen('category', 'change', 'category');
  listen('status', 'change', 'status');
}
