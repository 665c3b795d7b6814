// Lists of samples with pictures, and failed samples.

/** "4.66 → 3.97": of a sample's meshes, as far as they were measured. */
const changeOf = (key, values, sample) => [...networkMeshes, fitted]
  .map((mesh) => values[mesh]?.[key]?.[sample] ?? null).filter((value) => value !== null)
  .map((value) => formatted(key, value)).join(' → ');

const idOf = (sample) => `sample-${sample}`;
const turns = (sample) => resultDialog.has(idOf(sample));

/** A sample's name: opens its meshes where the page has them, else leads to its row. */
const nameButton = (sample, listed) => html('button', { class: 'link', type: 'button',
  title: turns(sample) ? 'Turn its meshes' : 'Find its row',
  onclick: () => (turns(sample) ? resultDialog.open(idOf(sample), listed.map(idOf)) : showSample(sample)) }, samples.name[sample]);

const measuredCount = hasScores ? data.all.protocols[data.run.protocols[0].name].scored : data.all.silhouettes.measured;
/** Whether a list holds all samples: such a list only sorts them. */
const isWhole = (list) => list.samples.length >= measuredCount;

function listTexts({ key, samples: { length } }, whole) {
  const protocol = data.run.protocols[0]?.name;
  const order = (more) => (hasScores
    ? `${more ? 'largest' : 'smallest'} ${resultMesh} Chamfer distance (CD, 10⁻⁴ object units²), ${protocol} protocol`
    : `${more ? 'least' : 'largest'} overlap of the ${resultMesh} silhouettes`);
  const change = (from, to) => `largest change of ${hasScores ? `F(τ), ${protocol} protocol,` : 'the overlap'} from ${from} to ${to}, in either direction`;
  const [title, wholeTitle, text] = { worst: ['Worst', 'Worst first', order(true)], best: ['Best', 'Best first', order(false)],
    refinement: ['Most changed by refinement', 'By change of refinement', change(firstMesh, resultMesh)],
    fit: ['Most changed by the fit', 'By change of the fit', change(resultMesh, fitted)] }[key];
  return whole ? [wholeTitle, `All ${length} samples`, `${wholeTitle.toLowerCase()}: ${text}`] : [title, `${title} ${length}`, text];
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
  const pictured = ['input', ...networkMeshes, data.run.fit ? fitted : null, hasScores ? 'truth' : null].filter(Boolean);
  byId('list-note').textContent = `Pictures, from left to right: ${pictured.join(', ')}.` +
    (list.samples.some(turns) ? ' A click on one turns its meshes.' : '');
  const own = samples.scores[data.run.protocols[0]?.name], seen = samples.silhouettes;
  const numbers = (sample) => [
    own && own[resultMesh].chamfer[sample] !== null && `CD ${changeOf('chamfer', own, sample)} · F(τ) ${changeOf('f_tau', own, sample)} %`,
    seen[resultMesh].overlap[sample] !== null && `overlap ${changeOf('overlap', seen, sample)}`,
  ].filter(Boolean).join(' · ');
  const regressed = (sample) => (own && own[resultMesh].chamfer[sample] !== null ? own.regressed[sample] : overlapsLess(sample));
  byId('list').replaceChildren(...list.samples.map((sample) => {
    const name = samples.name[sample], picture = data.pictures[sample];
    const still = picture ? html('img', { src: picture, alt: `${pictured.join(', ')} of ${name}` })
      : html('div', { class: 'none' }, 'no picture');
    return html('div', {}, [
      turns(sample) ? html('button', { class: 'turns', type: 'button', title: 'Turn its meshes',
        onclick: () => resultDialog.open(idOf(sample), list.samples.map(idOf)) }, still) : still,
      html('div', { class: 'caption' }, [
        nameButton(sample, list.samples),
        regressed(sample) ? html('span', { class: 'bad' }, ' worse after refinement') : null,
        html('div', { class: 'muted' }, numbers(sample)),
      ]),
    ]);
  }));
}

function drawFailed() {
  byId('failed-section').hidden = !data.failures.length;
  byId('failed-heading').textContent = `Failed · ${whole(data.all.failed)} of ${whole(count)}`;
  const named = 12;
  byId('failed').replaceChildren(...data.failures.map((group) => html('div', { class: 'group' }, [
    html('div', { class: 'reason' }, [html('span', { class: 'bad' }, `${whole(group.samples.length)} × `), group.reason]),
    html('div', { class: 'names' }, [
      ...group.samples.slice(0, named).map((i) => html('button', { class: 'link', type: 'button', onclick: () => showSample(i) }, samples.name[i])),
      group.samples.length > named ? html('span', {}, `and ${whole(group.samples.length - named)} more, in the table below`) : null,
    ]),
  ])));
}
