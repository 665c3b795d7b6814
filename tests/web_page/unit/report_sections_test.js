'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { drawnReport, reportData } = require('./scripts.js');

/** Returns the texts of the first cells of a table's rows. */
const firstCells = (table) => table.all('tbody')[0].all('tr').map((row) => row.all('td')[0].textContent);

test('Report.countsSamplesThatRefinementMadeWorse', () => {
  const { document } = drawnReport();
  const text = document.getElementById('headline').textContent;
  assert.match(text, /Worse after refinement1 of 2by the Chamfer distanceby F\(τ\) 1by silhouette overlap 0/);
  assert.match(text, /1 failed/);
});

test('Histogram.hasNoMedian_ofAMeshWithoutValues', () => {
  const data = reportData();
  Object.assign(data.samples.scores.published.coarse, { chamfer: [null, null, null] });
  const { document } = drawnReport(data);
  const lines = document.getElementById('chamfer-histogram').all('line');
  assert.deepEqual(lines.map((line) => line.attributes.class), ['median of-refined', 'axis']);
});

test('Categories.leaveOutOnesWithoutAMeasuredSample', () => {
  const [car] = reportData().categories;
  const unmeasured = { ...car, name: 'chair', protocols: { published: { scored: 0, regressed: 0, measures: {} } },
    silhouettes: { measured: 0, regressed: 0, measures: {} } };
  const { document } = drawnReport(reportData({ categories: [car, unmeasured] }));
  assert.deepEqual(firstCells(document.getElementById('categories')), ['All', 'car02958343']);
});

test('SamplesTable.marksWorseSamples_andShowsTheReasonOfAFailedOne', () => {
  const { document } = drawnReport();
  const rows = document.getElementById('samples').all('tbody')[0].all('tr');
  assert.deepEqual(rows.map((row) => row.attributes.class), [undefined, 'worse', 'failed']);
  assert.match(rows[2].textContent, /no image/);
});

test('SamplesTable.opensAResult_whenItsNameIsClicked', () => {
  const { document, opened } = drawnReport(reportData(), ['sample-0', 'sample-1']);
  const [, second] = document.getElementById('samples').all('tbody')[0].all('tr');
  second.all('button')[0].listeners.click();
  assert.deepEqual(opened, [['sample-1', ['sample-0', 'sample-1', 'sample-2']]]);
});

/** A report's data whose samples have measures of silhouettes, but no truths. `changes`: replaced keys. */
const dataWithoutTruths = (changes = {}) => {
  const data = reportData(changes);
  const unscored = (group) => ({ ...group, protocols: { published: { scored: 0, regressed: 0, measures: {} } } });
  const none = () => ({ chamfer: [null, null, null], f_tau: [null, null, null] });
  data.samples.scores.published = { coarse: none(), refined: none(), regressed: [0, 0, 0] };
  return { ...data, all: unscored(data.all), categories: data.categories.map(unscored) };
};

test('SamplesTable.marksNoSample_whoseRefinedSilhouettesWereNotMeasured', () => {
  const data = dataWithoutTruths();
  data.samples.silhouettes.refined.overlap = [0.9, null, null];
  const { document } = drawnReport(data);
  const rows = document.getElementById('samples').all('tbody')[0].all('tr');
  assert.deepEqual(rows.map((row) => row.attributes.class), [undefined, undefined, 'failed']);
});

test('Report.saysNothingOfRefinement_whenTheNetworkHasOneMesh', () => {
  for (const data of [reportData({ network_meshes: ['refined'] }), dataWithoutTruths({ network_meshes: ['refined'] })]) {
    const { document } = drawnReport(data);
    for (const id of ['headline', 'categories', 'samples-note', 'status'])
      assert.doesNotMatch(document.getElementById(id).textContent, /worse/i, id);
  }
});

test('Report.showsAFit_whoseMeanIsZero', () => {
  const data = reportData();
  const statistics = (mean) => ({ mean, low: mean, high: mean, count: 2 });
  data.all.protocols.published.measures.f_tau = { coarse: statistics(60), refined: statistics(63), fitted: statistics(0) };
  const { document } = drawnReport(data);
  assert.match(document.getElementById('headline').textContent, /F\(τ\), refined → fitted63\.00 → 0\.00/);
});
