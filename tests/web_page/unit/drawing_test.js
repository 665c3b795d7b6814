'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { sharedData, viewer } = require('./scripts.js');

const { unpack } = viewer()('meshData');
const shared = sharedData('packed_mesh.json');
const source = (changes = {}) => ({ name: 'refined', vertices: shared.positions.length, faces: shared.faces.length,
  coordinates: true, ...shared.packed, ...changes });

const near = (found, expected, tolerance) =>
  expected.forEach((value, i) => assert.ok(Math.abs(found[i] - value) <= tolerance, `${i}: ${found[i]}, not ${value}`));

// packed_mesh_test.cpp (tests/engine/web_page) reads the same file, so unpack() is tested with packMesh()'s output.
test('Unpack.restoresPositions_withinAStepOfTheBox', () => {
  near(unpack(source()).positions, shared.positions.flat(), Math.max(...shared.packed.size) / 65535);
});

test('Unpack.restoresFaces', () => assert.deepEqual([...unpack(source()).faces], shared.faces.flat()));

test('Unpack.restoresValues_andMissingOnes', () => {
  const mesh = unpack(source());
  for (const field of ['values', 'difference']) {
    const [low, high] = shared.packed[field];
    shared[field].forEach((value, i) => {
      if (value === null) assert.ok(Number.isNaN(mesh[field][i]), `${field} ${i} is ${mesh[field][i]}`);
      else near([mesh[field][i]], [value], (high - low) / 65534);
    });
  }
});

test('Unpack.countsTextureCoordinatesFromAbove_andMarksMissingOnes', () => {
  const expected = shared.coordinates.flatMap(([u, v]) => (u === null ? [-1, -1] : [u, 1 - v]));
  near(unpack(source()).texCoords, expected, 1 / 65534);
});

test('Unpack.makesUnitNormals_ofMeshesAndClouds', () => {
  const cloud = { ...source({ faces: 0, values: null, difference: null, coordinates: false }) };
  for (const mesh of [unpack(source()), unpack(cloud)]) {
    let units = 0;
    for (let i = 0; i < mesh.normals.length; i += 3) {
      const length = Math.hypot(...mesh.normals.subarray(i, i + 3));
      assert.ok(length < 1.0001, `normal ${i / 3} has a length of ${length}`);
      units += length > 0.9999;
    }
    assert.ok(units >= 6, `${units} unit normals`);
  }
});

/** A fake WebGL context that counts living objects. `values`: results of other functions, by name. */
const countingContext = (values = {}) => {
  const alive = { Buffer: 0, VertexArray: 0, Texture: 0 };
  const gl = new Proxy({}, { get: (_, name) => {
    const [, verb, kind] = String(name).match(/^(create|delete)(Buffer|VertexArray|Texture)$/) || [];
    if (verb === 'create') return () => { ++alive[kind]; return { kind }; };
    if (verb === 'delete') return (object) => { if (object) --alive[kind]; };
    if (/^[A-Z0-9_]+$/.test(String(name))) return String(name);
    return () => (name in values ? values[name] : {});
  } });
  return { gl, alive };
};

/** Returns the groups of a pattern's match in a source file of the repository, as numbers. */
const numbers = (file, pattern) =>
  fs.readFileSync(path.join(__dirname, '../../..', file), 'utf8').match(pattern).slice(1).map(Number);

test('Thresholds.areThoseOfTheWindow', () => {
  const names = { 'render/mesh_geometry.cpp': ['web_page/mesh_data.js', ['kMinRelativeLength', 'kVerticesPerCancelled', 'kEdgesPerRepeated']],
    'ui/panes/pane_cameras.cpp': ['web_page/camera.js', ['kMargin', 'kMinDistance']] };
  for (const [source, [script, constants]] of Object.entries(names))
    for (const name of constants) {
      const value = new RegExp(`\\b${name} = ([\\d.]+(?:e-?\\d+)?)`);
      assert.deepEqual(numbers(`resources/${script}`, value), numbers(source, value), name);
    }
});

test('MissedTruth.hasOneColour_inShaderLegendAndWindow', () => {
  const legend = numbers('resources/web_page/viewer.css', /\.missing::before[^}]*rgb\((\d+) (\d+) (\d+)\)/).map((c) => c / 255);
  const shader = numbers('resources/web_page/shaders.js', /kMissing = vec3\(([\d.]+), ([\d.]+), ([\d.]+)\)/);
  const shown = numbers('ui/results/result.cpp', /red = render::packedColour\(\{([\d.]+)F, ([\d.]+)F, ([\d.]+)F\}\)/);
  near(shown, legend, 1 / 255);
  near(shader, shown.map((c) => ((c + 0.055) / 1.055) ** 2.4), 1e-3);
});

const kScale = { table: [[0, 0, 0], [1, 1, 1]], min: 0, max: 1, logarithmic: false };
const kScales = { values: kScale, difference: kScale };

test('Graphics.areAbsent_whenTheShadersDoNotLink', () => {
  const warnings = [];
  const drawing = viewer({ console: { warn: (error) => warnings.push(error.message) } })('drawing');
  const { gl } = countingContext({ getProgramParameter: false, getProgramInfoLog: 'no varyings left' });
  assert.equal(drawing.open({ getContext: () => gl }, kScales, () => {}), null);
  assert.deepEqual(warnings, ['no varyings left']);
});

test('Graphics.warnWithTheShadersLogs_whenTheShadersDoNotCompile', () => {
  const warnings = [];
  const drawing = viewer({ console: { warn: (error) => warnings.push(error.message) } })('drawing');
  const { gl } = countingContext({ getProgramParameter: false, getProgramInfoLog: '', getShaderParameter: false,
    getShaderInfoLog: 'no such type' });
  assert.equal(drawing.open({ getContext: () => gl }, kScales, () => {}), null);
  assert.deepEqual(warnings, ['no such type\nno such type']);
});

test('Graphics.leaveNoTexture_whenAMeshIsRemovedBeforeItsPictureHasArrived', () => {
  const pictures = [];
  class Image { constructor() { pictures.push(this); } }
  const drawing = viewer({ Image })('drawing');
  const { gl, alive } = countingContext();
  let redrawn = 0;
  const graphics = drawing.open({ getContext: () => gl }, kScales, () => { ++redrawn; });
  const before = { ...alive };

  const shown = graphics.add(unpack(source({ texture: 'data:' })));
  pictures.pop().onload();
  assert.equal(redrawn, 1);
  assert.equal(alive.Texture, before.Texture + 1);
  graphics.remove(shown);
  assert.deepEqual(alive, before);

  graphics.remove(graphics.add(unpack(source({ texture: 'data:' }))));
  pictures.pop().onload();
  assert.deepEqual(alive, before);
  assert.equal(redrawn, 1);
});
