// Lists of samples with pictures, and failed samples.

/** The measured values of a sample's meshes by one measure: "4.66 → 3.97". */
const valuesText = (key, values, sample) => [...networkMeshes, fitted]
  .map((mesh) => values[mesh]?.[key]?.[sample] ?? null).filter((value) => value !== null)
  .map((value) => formatted(key, value)).join(' → ');

const idOf = (sample) => `sample-${sample}`;
/** Whether the page has a sample's meshes. */
const hasMeshes = (sample) => resultDialog.has(idOf(sample));

/**
 * A button with a sample's name, which opens its meshes if the page has them, else leads to its row. `order`: samples
 * in the order of "previous" and "next".
 */
const nameButton = (sample, order) => html('button', { class: 'link', type: 'button',
  title: hasMeshes(sample) ? 'Turn its meshes' : 'Find its row',
  onclick: () => (hasMeshes(sample) ? resultDialog.open(idOf(sample), order.map(idOf)) : showSample(sample)) }, samples.name[sample]);

const measuredCount = hasScores ? data.all.protocols[data.run.protocols[0].name].scored : data.all.silhouettes.measured;
/** Whether a list holds all measured samples, and so only sorts them. */
const isWhole = (list) => list.samples.length >= measuredCount;

/** Name of a list's button, heading over the list, and the order that the heading names. */
function listTexts({ key, samples: { length } }, isWholeList) {
  const protocol = data.run.protocols[0]?.name;
  const order = (more) => (hasScores
    ? `${more ? 'largest' : 'smallest'} ${resultMesh} Chamfer distance (CD, 10⁻⁴ object units²), ${protocol} protocol`
    : `${more ? 'least' : 'largest'} overlap of the ${resultMesh} silhouettes`);
  const change = (from, to) => `largest change of ${hasScores ? `F(τ), ${protocol} protocol,` : 'the overlap'} from ${from} to ${to}, in either direction`;
  const [title, wholeTitle, text] = { worst: ['Worst', 'Worst first', order(true)], best: ['Best', 'Best first', order(false)],
    refinement: ['Most changed by refinement', 'By change of refinement', change(firstMesh, resultMesh)],
    fit: ['Most changed by the fit', 'By change of the fit', change(resultMesh, fitted)] }[key];
  return isWholeList ? [wholeTitle, `All ${length} samples`, `${wholeTitle.toLowerCase()}: ${text}`] : [title, `${title} ${length}`, text];
}

/** Meshes and images of a sample's picture, from left to right. */
const pictured = () => ['input', ...networkMeshes, data.run.fit ? fitted : null, hasScores ? 'truth' : null].filter(Boolean);

/** Scores by the first protocol, which orders the lists; undefined without a protocol. */
const listScores = () => samples.scores[data.run.protocols[0]?.name];
const hasListScore = (sample) => Boolean(listScores()) && listScores()[resultMesh].chamfer[sample] !== null;

/** The numbers below a sample's picture: "CD 4.66 → 3.97 · F(τ) 60 → 66 % · overlap 0.800 → 0.900". */
function numbersText(sample) {
  const silhouettes = samples.silhouettes;
  return [
    hasListScore(sample) && `CD ${valuesText('chamfer', listScores(), sample)} · F(τ) ${valuesText('f_tau', listScores(), sample)} %`,
    silhouettes[resultMesh].overlap[sample] !== null && `overlap ${valuesText('overlap', silhouettes, sample)}`,
  ].filter(Boolean).join(' · ');
}

/** Whether refinement made a sample worse by the first protocol; without a score, by its photographs. */
const isWorseInLists = (sample) => (hasListScore(sample) ? listScores().regressed[sample] : isWorseByOverlap(sample));

/** A sample's picture, name and numbers. */
function listCard(sample, list) {
  const name = samples.name[sample], picture = data.pictures[sample];
  const still = picture ? html('img', { src: picture, alt: `${pictured().join(', ')} of ${name}` })
    : html('div', { class: 'none' }, 'no picture');
  return html('div', {}, [
    hasMeshes(sample) ? html('button', { class: 'turns', type: 'button', title: 'Turn its meshes',
      onclick: () => resultDialog.open(idOf(sample), list.samples.map(idOf)) }, still) : still,
    html('div', { class: 'caption' }, [
      nameButton(sample, list.samples),
      isWorseInLists(sample) ? html('span', { class: 'bad' }, ' worse after refinement') : null,
      html('div', { class: 'muted' }, numbersText(sample)),
    ]),
  ]);
}

function drawLists() {
  byId('lists-section').hidden = !data.lists.length;
  if (!data.lists.length) return;
  const list = data.lists.find(({ key }) => key === state.list) || data.lists[0];
  segments(byId('lists'), data.lists.map((each) => [each.key, listTexts(each, isWhole(each))[0]]), list.key, (key) => {
    state.list = key;
    drawLists();
  });
  const [, title, order] = listTexts(list, isWhole(list));
  heading('list-heading', title, order);
  byId('list-note').textContent = `Pictures, from left to right: ${pictured().join(', ')}.` +
    (list.samples.some(hasMeshes) ? ' A click on one turns its meshes.' : '');
  byId('list').replaceChildren(...list.samples.map((sample) => listCard(sample, list)));
}

function drawFailed() {
  byId('failed-section').hidden = !data.failures.length;
  byId('failed-heading').textContent = `Failed · ${whole(data.all.failed)} of ${whole(count)}`;
  const maxNames = 12;
  byId('failed').replaceChildren(...data.failures.map((group) => html('div', { class: 'group' }, [
    html('div', { class: 'reason' }, [html('span', { class: 'bad' }, `${whole(group.samples.length)} × `), group.reason]),
    html('div', { class: 'names' }, [
      ...group.samples.slice(0, maxNames).map((i) => html('button', { class: 'link', type: 'button', onclick: () => showSample(i) }, samples.name[i])),
      group.samples.length > maxNames ? html('span', {}, `and ${whole(group.samples.length - maxNames)} more, in the table below`) : null,
    ]),
  ])));
}
