'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { report, reportData, sharedData } = require('./scripts.js');

// shared_data_test.cpp (tests/engine/web_page) reads the same file: pages must format numbers as the program does.
test('ReportNumbers.showAsShownNumber', () => {
  const formatted = report()('formatted');
  for (const { key, value, sign, text } of sharedData('shown_numbers.json')) assert.equal(formatted(key, value, sign), text, key);
});

test('ReportNumbers.showADash_whenNotMeasured', () => {
  assert.equal(report()('formatted')('chamfer', null), '–');
  assert.equal(report()('formatted')('chamfer', undefined), '–');
});

test('Verdict.followsTheBetterDirection', () => {
  const verdict = report()('verdict');
  assert.equal(verdict('chamfer', -1e-5), 'good');
  assert.equal(verdict('chamfer', 1e-5), 'bad');
  assert.equal(verdict('f_tau', 1), 'good');
  assert.equal(verdict('overlap', -0.1), 'bad');
  assert.equal(verdict('f_tau', 0), '');
});

test('SureVerdict.isEmpty_whenTheIntervalIncludesZero', () => {
  const sureVerdict = report()('sureVerdict');
  assert.equal(sureVerdict('f_tau', { count: 9, mean: 1, low: 0.5, high: 2 }), 'good');
  assert.equal(sureVerdict('f_tau', { count: 9, mean: -1, low: -2, high: -0.5 }), 'bad');
  assert.equal(sureVerdict('f_tau', { count: 9, mean: 1, low: -0.5, high: 2 }), '');
});

test('SureVerdict.isEmpty_belowEightSamples', () => {
  const sureVerdict = report()('sureVerdict');
  assert.equal(sureVerdict('f_tau', { count: 7, mean: 1, low: 0.5, high: 2 }), '');
  assert.equal(sureVerdict('f_tau', { count: 8, mean: 1, low: 0.5, high: 2 }), 'good');
  assert.equal(sureVerdict('f_tau', undefined), '');
});

test('ReportNumbers.nameMeasures_asTheDataDoes', () => {
  const scripts = report();
  assert.equal(scripts('groupHeading')('chamfer'), 'Chamfer distance, × 10⁻⁴');
  assert.equal(scripts('groupHeading')('overlap'), 'Silhouette overlap');
  assert.equal(scripts('shortTitleOf')('f_2tau'), 'F(2τ)');
});

/** Returns the keys of the columns that a table of this width shows. */
const shownKeys = (width, changes = {}, state = '') => {
  const scripts = report(reportData(changes), { samples: { offsetWidth: width }, 'all-columns-label': {} });
  scripts(`${state}; chooseColumns()`);
  return Array.from(scripts('shownColumns'), ({ key }) => key);
};

test('Columns.areAllShown_whenTheyFit', () => {
  const keys = shownKeys(5000);
  for (const key of ['name', 'coarse_f', 'refined_f', 'f_change', 'refined_cd', 'overlap_change', 'normals', 'time'])
    assert.ok(keys.includes(key), `${key} is not among ${keys}`);
  assert.ok(!keys.includes('fitted_f'), 'a column of the fit without a fit');
});

test('Columns.keepNameAndResult_whenNarrow', () => {
  const keys = shownKeys(340);
  assert.deepEqual(keys.slice(0, 2), ['name', 'position']);
  assert.ok(keys.includes('refined_f') && !keys.includes('coarse_f'), `${keys}`);
  assert.deepEqual(shownKeys(1), ['name']);
});

test('Columns.areAllShown_whenAskedFor', () => {
  assert.equal(shownKeys(1, {}, 'state.allColumns = true').length, shownKeys(5000).length);
});

test('Columns.haveTheFit_whenThereIsOne', () => {
  const keys = shownKeys(5000, { run: { ...reportData().run, fit: 'all' } });
  for (const key of ['fitted_f', 'f_fit', 'fitted_overlap', 'overlap_fit']) assert.ok(keys.includes(key), `${key} is not among ${keys}`);
});

test('Columns.haveNoChanges_whenTheNetworkHasOneMesh', () => {
  const keys = shownKeys(5000, { network_meshes: ['refined'] });
  assert.ok(!keys.some((key) => key.endsWith('_change')), `${keys}`);
});
