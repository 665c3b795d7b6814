// Columns of the table of samples.

const valueIn = (mesh, key) => (sample) => valuesOf(mesh, key)[sample];
const changeOfMeasure = (key, from, to) => (sample) => difference(valuesOf(from, key)[sample], valuesOf(to, key)[sample]);
const groupName = (sample) => data.categories[samples.category[sample]].name;
/** Samples in the order of their names. */
const byName = samples.name.map((_, sample) => sample).sort((a, b) => samples.name[a].localeCompare(samples.name[b], 'en', { numeric: true }));
const nameRank = new Array(count);
byName.forEach((sample, rank) => { nameRank[sample] = rank; });
/** Width of the column of names, in pixels: room for the longest name and its mark, within bounds. */
const nameWidth = Math.min(300, Math.max(110, 44 + 7.5 * Math.max(0, ...samples.name.slice(0, 1000).map((name) => name.length))));
/**
 * All columns: `value(sample)` sorts a sample, `text(sample)` is its cell. `isText`: the cell is no number.
 * `verdictClass(sample)`: class of the cell. Columns with a higher `priority` are hidden first when the page is narrow.
 */
const columns = [
  { key: 'name', title: 'Sample', width: nameWidth, priority: 0, isText: true, value: (sample) => nameRank[sample], text: (sample) => samples.name[sample] },
  { key: 'position', title: '#', width: 38, priority: 1, isText: true, value: (sample) => sample, text: (sample) => whole(sample + 1), note: 'Position in this run’s list' },
  { key: 'category', title: 'Category', width: 76, priority: data.categories.length > 1 ? 1 : 60, isText: true, value: groupName, text: groupName },
  ...(hasScores || !hasSilhouettes ? [
    ...columnsOfMeshes({ key: 'f', title: 'F(τ)', measure: 'f_tau', priority: 2 }),
    ...columnsOfMeshes({ key: 'cd', title: 'CD', measure: 'chamfer', priority: 6 }),
  ] : []),
  ...(hasSilhouettes ? [
    ...columnsOfMeshes({ key: 'overlap', title: 'Overlap', measure: 'overlap', priority: 10 }),
    columnOf({ key: 'outlines', title: 'Outlines', measure: 'outline_distance', priority: 41, width: 72 }),
  ] : []),
  ...(hasScores || !hasSilhouettes ? [
    columnOf({ key: 'f2', title: 'F(2τ)', measure: 'f_2tau', priority: 42, width: 66 }),
    columnOf({ key: 'precision', title: 'P(τ)', measure: 'precision_tau', priority: 43, width: 66 }),
    columnOf({ key: 'recall', title: 'R(τ)', measure: 'recall_tau', priority: 44, width: 66 }),
    columnOf({ key: 'hausdorff', title: 'Hausdorff', measure: 'hausdorff', priority: 45, width: 82 }),
    columnOf({ key: 'normals', title: 'Normals', measure: 'normal_consistency', priority: 46, width: 74 }),
    ...(hasDistances ? [
      columnOf({ key: 'surface', title: 'Distance', measure: 'surface_mean', priority: 46, width: 76 }),
      columnOf({ key: 'farthest', title: 'Largest', measure: 'surface_largest', priority: 46, width: 76 }),
    ] : []),
    ...otherMeasures().map((measure) => columnOf({ key: measure, title: measures[measure].title, measure, priority: 47, width: 120 })),
  ] : []),
  { key: 'time', title: 'ms', width: 64, priority: 40, value: (sample) => samples.times.network[sample], text: (sample) => milliseconds(samples.times.network[sample]), note: `The network ${fitsBeside ? 'with fits beside it' : 'alone'}, milliseconds` },
];

/** Measures of the result that have no column of their own in the list above. */
function otherMeasures() {
  const shownAbove = ['chamfer', 'f_half_tau', 'f_tau', 'f_1_5_tau', 'f_2tau', 'precision_tau', 'recall_tau',
                      'hausdorff', 'normal_consistency'];
  return Object.keys(scores()?.[resultMesh] || {}).filter((key) => !shownAbove.includes(key));
}
/** A column of a measure of one mesh: of the result, unless `mesh` names another mesh. */
function columnOf({ key, title, measure, priority, width, mesh = resultMesh }) {
  const value = valueIn(mesh, measure);
  return { key, title, width, priority, value, text: (sample) => formatted(measure, value(sample)), note: `${measures[measure].title}, ${unitOf(measure)}` };
}
/** A column of a measure's change from one mesh to another. */
function changeColumnOf({ key, title, measure, priority, width, from, to }) {
  const value = changeOfMeasure(measure, from, to);
  return { key, title, width, priority, value, text: (sample) => formatted(measure, value(sample), true), verdictClass: (sample) => verdict(measure, value(sample)),
           note: `${to} − ${from}: ${measures[measure].title}, ${unitOf(measure)}` };
}
/**
 * Columns of a measure of each of the network's meshes and of the fitted one, with the changes between them.
 * `priority`: of the result's column.
 */
function columnsOfMeshes({ key, title, measure, priority }) {
  const isOverlap = measure === 'overlap';  // a fit is judged by the overlap first, and heads of overlaps are wider
  const meshColumn = (mesh) => columnOf({ key: `${mesh}_${key}`, title: `${title} ${mesh}`, measure, mesh, width: isOverlap ? 108 : 86,
    priority: mesh === resultMesh ? priority : mesh === fitted ? priority + 2 : 20 + priority });
  const refinement = { key: `${key}_change`, title: `Δ ${title}`, measure, from: firstMesh, to: resultMesh, width: 84,
    priority: isOverlap && data.run.fit ? priority + 3 : priority + 1 };
  const fit = { key: `${key}_fit`, title: `Δ ${title} fit`, measure, from: resultMesh, to: fitted, width: isOverlap ? 100 : 88,
    priority: isOverlap ? priority + 1 : priority + 3 };
  return [
    ...networkMeshes.map(meshColumn), ...(hasTwoMeshes ? [changeColumnOf(refinement)] : []),
    ...(data.run.fit ? [meshColumn(fitted), changeColumnOf(fit)] : []),
  ];
}

/** The shown columns: those that fit the table's width, or all if the user asked for all. */
let shownColumns = columns;
function chooseColumns() {
  let room = byId('samples').offsetWidth - 18;  // beside the scroll bar
  const fitting = new Set();
  for (const each of [...columns].sort((a, b) => a.priority - b.priority)) {
    room -= each.width;
    if (room < 0 && fitting.size) break;
    fitting.add(each);
  }
  byId('all-columns-label').hidden = fitting.size === columns.length;
  shownColumns = state.allColumns ? columns : columns.filter((each) => fitting.has(each));
}
