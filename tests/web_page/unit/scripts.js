'use strict';
// Runs the pages' scripts without a browser. They are no modules: constants of one script are visible to the next.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { fakeDocument } = require('./fake_document.js');

const kRoot = path.join(__dirname, '../../..');
const kData = path.join(kRoot, 'tests/engine/web_page/data');

/** Reads a JSON file that C++ tests also read. */
const sharedData = (file) => JSON.parse(fs.readFileSync(path.join(kData, file), 'utf8'));

/**
 * Runs scripts of resources/ in one context with `globals`. Returns a function that evaluates an expression in that
 * context.
 */
const run = (files, globals = {}) => {
  const context = vm.createContext({ ...globals });
  const text = files.map((file) => fs.readFileSync(path.join(kRoot, 'resources', file), 'utf8')).join('');
  vm.runInContext(`'use strict';\n${text}`, context);
  return (expression) => vm.runInContext(expression, context);
};

/** Runs the viewer's scripts that need no document. */
const viewer = (globals = {}) => run([...['clouds', 'mesh_data', 'camera', 'shaders', 'drawing'].map((name) => `web_page/${name}.js`),
  'pages/plots.js'], { atob, ...globals });

/** A report's data: two measured samples and a failed one. `changes`: replaced keys. */
const reportData = (changes = {}) => {
  const measure = (key, title, unit, better) => ({ key, title, unit, better });
  const group = (name, category) => ({ name, category, samples: 3, failed: 1, protocols: { published: { scored: 2, regressed: 1, measures: {} } },
    silhouettes: { measured: 2, regressed: 0, measures: {} }, distances: { measured: 0, measures: {} } });
  const scores = (chamfer, f) => ({ chamfer: [...chamfer, null], f_tau: [...f, null] });
  return {
    run: { protocols: [{ name: 'published', description: '' }], tau: 1e-4, fit: null, list: 'list.txt', list_size: 3, version: '1',
      shard: { index: 0, count: 1 }, machines: [] },
    measures: [measure('chamfer', 'Chamfer distance', 'object units²', 'less'), measure('f_tau', 'F(τ)', '%', 'more'),
      measure('f_2tau', 'F(2τ)', '%', 'more'), measure('precision_tau', 'Precision(τ)', '%', 'more'),
      measure('recall_tau', 'Recall(τ)', '%', 'more'), measure('hausdorff', 'Hausdorff distance', 'object units', 'less'),
      measure('normal_consistency', 'Normal consistency', 'mean |cos|', 'more')],
    silhouette_measures: [measure('overlap', 'Silhouette overlap', 'intersection over union', 'more'),
      measure('outline_distance', 'Distance of the outlines', 'pixels', 'less')],
    surface_measures: [measure('surface_mean', 'Distance to the surface, mean', 'object units', 'less'),
      measure('surface_largest', 'Distance to the surface, largest', 'object units', 'less')],
    all: group('All'), categories: [group('car', '02958343')], failures: [], lists: [], pictures: {},
    timing: { network: null, parts: [], stages: [] }, network_meshes: ['coarse', 'refined'],
    samples: { name: ['car 10', 'car 9', 'car 8'], category: [0, 0, 0], error: { 2: 'no image' },
      scores: { published: { coarse: scores([5e-4, 4e-4], [60, 62]), refined: scores([4e-4, 4.5e-4], [66, 61]), regressed: [0, 1, 0] } },
      silhouettes: { coarse: { overlap: [0.8, 0.8, null] }, refined: { overlap: [0.9, 0.85, null] } }, distances: {},
      times: { network: [20, 21, null] } },
    ...changes,
  };
};

/** Runs the report's scripts that draw nothing. `known`: elements of the page by identifier. */
const report = (data = reportData(), known = {}) =>
  run(['pages/plots.js', ...['data', 'elements', 'numbers', 'columns'].map((name) => `report/${name}.js`)],
    { document: fakeDocument({ data: { textContent: JSON.stringify(data) }, ...known }) });

/** Draws a report. Returns its document, and the results that were opened, as [id, identifiers of the list]. */
const drawnReport = (data = reportData(), idsOfResults = []) => {
  const document = fakeDocument({ data: { textContent: JSON.stringify(data) } }), opened = [];
  const resultDialog = { has: (id) => idsOfResults.includes(id), open: (id, listed) => opened.push([id, [...listed]]) };
  const names = ['data', 'elements', 'numbers', 'head', 'categories', 'fitted', 'histograms', 'scatter', 'timings', 'run', 'lists',
    'columns', 'samples_table', 'page'];
  run(['pages/plots.js', ...names.map((name) => `report/${name}.js`)], { document, resultDialog, addEventListener() {} });
  return { document, opened };
};

module.exports = { sharedData, run, viewer, report, reportData, drawnReport };
