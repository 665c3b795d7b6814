// Data and state of the report. Names of samples come from names of files, which are untrusted: they enter the page
// through textContent and attributes alone, never as markup.
//
// All scripts of the report are one text with one scope. data.js, elements.js and numbers.js define constants and
// functions for all others; each of the others draws one section, and page.js calls them.

const data = JSON.parse(document.getElementById('data').textContent);
const samples = data.samples;
const count = samples.name.length;
const measures = Object.fromEntries([...data.measures, ...data.silhouette_measures, ...data.surface_measures].map((m) => [m.key, m]));
const ofSilhouettes = new Set(data.silhouette_measures.map((m) => m.key));
const ofDistances = new Set(data.surface_measures.map((m) => m.key));
const hasScores = data.run.protocols.some((p) => data.all.protocols[p.name].scored);
const hasSilhouettes = data.all.silhouettes.measured > 0;
const hasDistances = data.all.distances.measured > 0;
const isMeasured = (key) => (ofSilhouettes.has(key) ? hasSilhouettes : ofDistances.has(key) ? hasDistances : hasScores);
/** Rows of the tables by category: all samples, then each category, if the list has categories. */
const groups = [data.all, ...(data.categories.length > 1 || data.categories.some((group) => group.category) ? data.categories : [])];
const state = {
  protocol: data.run.protocols.length ? data.run.protocols[0].name : '',
  scatter: hasScores ? 'chamfer' : 'overlap',
  sort: { key: 'position', down: false },
  text: '', category: '', status: '',
  allColumns: false, allMeasures: false, list: '',
  current: -1,
};

/** Whether fits ran at the same time as the network, and so slowed the network. */
const fitsBeside = data.timing.parts.some(({ key, mean }) => key === 'fit' && mean > 0);
