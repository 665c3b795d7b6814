'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { viewer } = require('./scripts.js');

const ticksOf = viewer()('plots.ticksOf');

const near = (found, expected) => {
  assert.equal(found.length, expected.length, `${found}`);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-12, `${found}`));
};

test('Ticks.areMultiplesOfARoundStep', () => {
  near(ticksOf(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  near(ticksOf(0.013, 0.021, 4), [0.014, 0.016, 0.018, 0.02]);
  near(ticksOf(-0.5, 0.5, 5), [-0.4, -0.2, 0, 0.2, 0.4]);
});

test('Ticks.keepBothEnds_whenTheyAreMultiplesButForRounding', () => {
  near(ticksOf(0.1 + 0.2, 0.7 + 0.2, 6), [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
});

test('Ticks.takeTheGivenFactors', () => near(ticksOf(0, 1, 4, [1, 2, 2.5, 5, 10]), [0, 0.25, 0.5, 0.75, 1]));

test('Ticks.end_whenTheRangeIsEmpty', () => near(ticksOf(3, 3, 5), [3]));
