'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { viewer } = require('./scripts.js');

const scripts = viewer();
const camera = scripts('viewerCamera');
const kCamera = { yaw: 0.3, pitch: 0.2, distance: 2, halfAngle: 0.4, target: [0.1, 0.2, 0.3] };

const near = (found, expected, message) => assert.ok(Math.abs(found - expected) < 1e-9, message || `${found}, not ${expected}`);
const atView = (rows, point) => Array.from(rows, (row) => row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3]);
const turnOf = (yaw) => [Math.cos(yaw), Math.sin(yaw)];

test('Camera.looksAtItsTarget_fromItsDistance', () => {
  const [x, y, z] = atView(camera.viewRows(kCamera), kCamera.target);
  near(x, 0);
  near(y, 0);
  near(z, -kCamera.distance);
});

test('Camera.stopsAtThePoles', () => {
  assert.equal(camera.orbited(kCamera, 0, 10).pitch, Math.PI / 2);
  assert.equal(camera.orbited(kCamera, 0, -10).pitch, -Math.PI / 2);
});

test('Camera.movesTheTargetWithThePointer_whenPanned', () => {
  const height = 400, moved = camera.panned(kCamera, 30, -20, height);
  const unit = 2 * kCamera.distance * Math.tan(kCamera.halfAngle) / height;
  const [x, y] = atView(camera.viewRows(moved), kCamera.target);
  near(x, 30 * unit);
  near(y, 20 * unit);
});

test('Camera.keepsItsDistanceWithinBounds_whenZoomed', () => {
  near(camera.zoomed(kCamera, 1).distance, 0.875 * kCamera.distance);
  assert.equal(camera.zoomed(kCamera, 1e4).distance, 1e-5);
  assert.equal(camera.zoomed(kCamera, -1e4).distance, 1e6);
});

test('CameraBetween.hasBothEnds', () => {
  const to = { yaw: -1, pitch: -0.4, distance: 1, halfAngle: 0.2, target: [0, 0, 0] };
  for (const [s, end] of [[0, kCamera], [1, to]]) {
    const found = camera.between(kCamera, to, s);
    for (const key of ['yaw', 'pitch', 'distance', 'halfAngle']) near(found[key], end[key], key);
    end.target.forEach((value, k) => near(found.target[k], value));
  }
});

test('CameraBetween.turnsTheShorterWay', () => {
  const from = { ...kCamera, yaw: 3 }, to = { ...kCamera, yaw: -3 };
  const middle = camera.between(from, to, 0.5);
  turnOf(middle.yaw).forEach((value, i) => near(value, turnOf(Math.PI)[i]));
  near(Math.abs(camera.between(from, to, 1).yaw - from.yaw), 2 * Math.PI - 6);
});

test('PhotographCamera.showsTheWholePhotograph_inAnyPane', () => {
  const photograph = { yaw: 1, pitch: 0.5, distance: 1.5, half_angle: 0.25, name: 'view 0' };
  near(camera.ofPhotograph(photograph, 1).halfAngle, 0.25);
  near(camera.ofPhotograph(photograph, 2).halfAngle, 0.25);
  const narrow = camera.ofPhotograph(photograph, 0.5);
  near(Math.tan(narrow.halfAngle) * 0.5, Math.tan(0.25), 'its width does not fit');
  assert.deepEqual(Array.from(narrow.target), [0, 0, 0]);
});

test('MeshesCamera.showsAllPoints_andFillsThePane', () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 2, 0, 0.3, 0.4, -0.7]);
  for (const aspect of [0.5, 1, 2]) {
    const found = camera.ofMeshes({ yaw: 0.6, pitch: 0.4 }, [{ positions }], aspect);
    const rows = camera.viewRows(found), height = Math.tan(found.halfAngle);
    let farthest = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = atView(rows, positions.subarray(i, i + 3));
      farthest = Math.max(farthest, Math.abs(x / z) / (height * aspect), Math.abs(y / z) / height);
    }
    assert.ok(farthest > 0.7 && farthest < 1, `${farthest} of the pane's half, aspect ${aspect}`);
  }
});
