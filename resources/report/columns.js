// Columns of the table of samples.

const valueIn = (mesh, key) => (i) => valuesOf(mesh, key)[i];
const changeOfMeasure = (key, from, to) => (i) => difference(valuesOf(from, key)[i], valuesOf(to, key)[i]);
const groupName = (i) => data.categories[samples.category[i]].name;
/** Samples in the order of their names. */
const byName = samples.name.map((_, i) => i).sort((a, b) => samples.name[a].localeCompare(samples.name[b], 'en', { numeric: true }));
const nameRank = new Array(count);
byName.forEach((i, at) => { nameRank[i] = at; });
/** Room for the longest name and its mark, within bounds. */
const nameWidth = Math.min(300, Math.max(110, 44 + 7.5 * Math.max(0, ...samples.name.slice(0, 1000).map((name) => name.length))));
/** All columns. A column of a lower rank stays longer when the page is narrow. */
const columns = [
  { key: 'name', title: 'Sample', width: nameWidth, rank: 0, text: true, value: (i) => nameRank[i], shown: (i) => samples.name[i] },
  { key: 'position', title: '#', width: 38, rank: 1, text: true, value: (i) => i, shown: (i) => whole(i + 1), note: 'Position in this run’s list' },
  { key: 'category', title: 'Category', width: 76, rank: data.categories.length > 1 ? 1 : 60, text: true, value: groupName, shown: groupName },
  ...(hasScores || !hasSilhouettes ? [...columnsOf('f', 'F(τ)', 'f_tau', 2), ...columnsOf('cd', 'CD', 'chamfer', 6)] : []),
  ...(hasSilhouettes ? [
    ...columnsOf('overlap', 'Overlap', 'overlap', 10),
    measured('outlines', 'Outlines', 'outline_distance', valueIn(resultMesh, 'outline_distance'), 41, 72),
  ] : []),
  ...(hasScores || !hasSilhouettes ? [
    measured('f2', 'F(2τ)', 'f_2tau', valueIn(resultMesh, 'f_2tau'), 42, 66),
    measured('precision', 'P(τ)', 'precision_tau', valueIn(resultMesh, 'precision_tau'), 43, 66),
    measured('recall', 'R(τ)', 'recall_tau', valueIn(resultMesh, 'recall_tau'), 44, 66),
    measured('hausdorff', 'Hausdorff', 'hausdorff', valueIn(resultMesh, 'hausdorff'), 45, 82),
    measured('normals', 'Normals', 'normal_consistency', valueIn(resultMesh, 'normal_consistency'), 46, 74),
    ...(hasDistances ? [
      measured('surface', 'Distance', 'surface_mean', valueIn(resultMesh, 'surface_mean'), 46, 76),
      measured('farthest', 'Largest', 'surface_largest', valueIn(resultMesh, 'surface_largest'), 46, 76),
    ] : []),
    ...otherMeasures().map((key) => measured(key, measures[key].title, key, valueIn(resultMesh, key), 47, 120)),
  ] : []),
  { key: 'time', title: 'ms', width: 64, rank: 40, value: (i) => samples.times.network[i], shown: (i) => milliseconds(samples.times.network[i]), note: `The network ${fitsBeside ? 'with fits beside it' : 'alone'}, milliseconds` },
];

/** Measures of each sample that have no column of their own above. */
function otherMeasures() {
  const shownAbove = ['chamfer', 'f_half_tau', 'f_tau', 'f_1_5_tau', 'f_2tau', 'precision_tau', 'recall_tau',
                      'hausdorff', 'normal_consistency'];
  return Object.keys(scores()?.[resultMesh] || {}).filter((key) => !shownAbove.includes(key));
}
function measured(key, title, measure, value, rank, width) {
  return { key, title, width, rank, value, shown: (i) => formatted(measure, value(i)), note: `${measures[measure].title}, ${unitOf(measure)}` };
}
/** From one mesh to another; no column where they are the same. */
function changed(key, title, measure, rank, from = firstMesh, to = resultMesh, width = 84) {
  const value = changeOfMeasure(measure, from, to);
  const column = { key, title, width, rank, value, shown: (i) => formatted(measure, value(i), true), kind: (i) => verdict(measure, value(i)),
           note: `${to} − ${from}: ${measures[measure].title}, ${unitOf(measure)}` };
  return from !== to ? [column] : [];
}
/** A measure of each of the network's meshes and of the fitted one, with the changes between them. `rank`: of the result. */
function columnsOf(name, title, measure, rank) {
  const own = (mesh) => measured(`${mesh}_${name}`, `${title} ${mesh}`, measure, valueIn(mesh, measure),
    mesh === resultMesh ? rank : mesh === fitted ? rank + 2 : 20 + rank, name === 'overlap' ? 108 : 86);
  return [
    ...networkMeshes.map(own), ...changed(`${name}_change`, `Δ ${title}`, measure, name === 'overlap' && data.run.fit ? rank + 3 : rank + 1),
    ...(data.run.fit ? [own(fitted), ...changed(`${name}_fit`, `Δ ${title} fit`, measure, name === 'overlap' ? rank + 1 : rank + 3, resultMesh, fitted, name === 'overlap' ? 100 : 88)] : []),
  ];
}

/** The columns in sight: those that fit, unless all were asked for. */
let shownColumns = columns;
function chooseColumns() {
  let room = byId('samples').offsetWidth - 18;  // beside the scroll bar
  const fitting = new Set();
  for (const each of [...columns].sort((a, b) => a.rank - b.rank)) {
    room -= each.width;
    if (room < 0 && fitting.size) break;
    fitting.add(each);
  }
  byId('all-columns-label').hidden = fitting.size === columns.length;
  shownColumns = state.allColumns ? columns : columns.filter((each) => fitting.has(each));
}
