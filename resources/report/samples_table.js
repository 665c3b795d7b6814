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
  for (let i = 0; i < count; ++i) {
    if (state.category !== '' && samples.category[i] !== Number(state.category)) continue;
    if (state.status === 'failed' && !isFailed(i)) continue;
    if (state.status === 'done' && isFailed(i)) continue;
    if (state.status === 'unscored' && (isFailed(i) || isScored(i))) continue;
    if (state.status === 'worse' && !isWorse(i)) continue;
    if (words.length) {
      const group = data.categories[samples.category[i]];
      const text = `${samples.name[i]} ${group.name} ${group.category} ${samples.error[i] || ''}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
    }
    kept.push(i);
  }
  const sortColumn = columns.find((c) => c.key === state.sort.key);
  const values = new Map(kept.map((i) => [i, sortColumn.value(i)]));
  const sign = state.sort.down ? -1 : 1;
  return kept.sort((a, b) => {
    const va = values.get(a), vb = values.get(b);
    if (va === vb) return a - b;
    if (va === null) return 1;
    if (vb === null) return -1;
    return (va < vb ? -1 : 1) * sign;
  });
}

function sampleRow(at) {
  const i = rowOrder[at];
  const classes = [isWorse(i) && 'worse', isFailed(i) && 'failed', i === state.current && 'current'].filter(Boolean).join(' ');
  const filledColumns = isFailed(i) ? shownColumns.filter((c) => c.isText) : shownColumns;
  const cells = filledColumns.map((c) => html('td', {
    class: [c.isText && 'text', c.verdictClass && c.verdictClass(i)].filter(Boolean).join(' ') || null, title: c.isText ? c.text(i) : null,
  }, c.key === 'name' && hasMeshes(i) ? [html('span', { class: 'turns-mark', 'aria-hidden': true }, '◆'), nameButton(i, rowOrder)] : c.text(i)));
  if (isFailed(i)) cells.push(html('td', { class: 'text reason', colspan: shownColumns.length - filledColumns.length, title: samples.error[i] }, samples.error[i]));
  return html('tr', { class: classes || null, id: i === state.current ? 'current-row' : null, 'aria-rowindex': at + 2,
                      onclick: (event) => openRow(at, event) }, cells);
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
      `${hasTwoMeshes || data.run.fit ? ' unless a head names another' : ''}; Hausdorff: object units; Normals: mean |cos|. ` : '') +
    (hasSilhouettes ? 'Overlap: silhouettes against the photographs, intersection over union, mean of the views; ' +
      `Outlines: how far those of the ${resultMesh} mesh are off, mean, pixels of the photographs. ` : '') +
    'A red edge marks a sample that is worse after refinement. Arrow keys move in the table, Enter or a click opens a row’s meshes (◆); a column head sorts.';
}

function setCurrent(at) {
  if (at < 0 || at >= rowOrder.length) return;
  state.current = rowOrder[at];
  redrawRows();
}

/** Marks a row, and opens the meshes of its sample if the page has them; the table keeps the focus. */
function openRow(at, event) {
  if (event && event.target.closest('button')) return;  // the button does its own work
  setCurrent(at);
  byId('samples').focus({ preventScroll: true });
  if (hasMeshes(state.current)) resultDialog.open(idOf(state.current), rowOrder.map(idOf));
}

function keepInSight(at) {
  const box = byId('samples'), head = samplesTable.tHead.offsetHeight;
  const top = at * kRowHeight, seen = box.clientHeight - head;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + kRowHeight > box.scrollTop + seen) box.scrollTop = top + kRowHeight - seen;
}

/** Scrolls to a sample's row; clears the filters if they hide it. */
function showSample(i) {
  if (!rowOrder.includes(i)) {
    state.text = state.category = state.status = '';
    byId('search').value = byId('category').value = byId('status').value = '';
    drawSamples();
  }
  const at = rowOrder.indexOf(i);
  const box = byId('samples');
  box.scrollTop = Math.max(0, at * kRowHeight - box.clientHeight / 2 + kRowHeight);
  setCurrent(at);
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
    const at = Math.max(0, Math.min(rowOrder.length - 1, before < 0 && Math.abs(step) === 1 ? 0 : before + step));
    keepInSight(at);
    setCurrent(at);
  });
  const option = (value, title) => html('option', { value }, title);
  byId('category').replaceChildren(option('', 'All categories'), ...data.categories.map((group, at) => option(at, `${group.name} (${group.samples})`)));
  byId('category').hidden = data.categories.length < 2;
  byId('status').replaceChildren(option('', 'All outcomes'), option('done', 'Done'), option('worse', 'Worse after refinement'),
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
