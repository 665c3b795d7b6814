'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const { run } = require('./scripts.js');

/** A fake element that ignores its settings; fire() calls the listener of an event. */
const fakeElement = () => {
  const listeners = {};
  return { cloneNode: fakeElement, replaceWith() {}, addEventListener: (name, listener) => { listeners[name] = listener; },
    fire: (name) => listeners[name]() };
};

/** Makes a viewer of fake parts. Returns it with its panes, canvas, contexts, and the removed meshes. */
const viewerWithoutPage = () => {
  const removed = [], contexts = [], canvases = [];
  const open = (canvas) => {
    const context = contexts.push(canvas);
    return { add: () => ({ context }), remove: (uploaded) => removed.push([uploaded.context, context]) };
  };
  const nothing = () => {};
  const panes = { element: fakeElement(), draw: nothing, arrange: nothing, resize: nothing };
  const makeViewer = run(['web_page/viewer.js'], {
    viewerElements: { element: (_, name) => { const made = fakeElement(); if (name === 'canvas') canvases.push(made); return made; } },
    meshData: { fields: [], unpack: (source) => ({ source }) }, drawing: { open }, makePanes: () => panes, addViewerInput: nothing,
    makeControls: () => ({ listen: nothing, setResult: nothing, colouring: nothing }),
    makePhotographs: () => nothing, makeLegend: () => nothing, makeMeasuresTable: () => nothing,
    ResizeObserver: class { observe() {} },
  })('makeViewer');
  return { viewer: makeViewer(fakeElement(), {}), panes, canvas: canvases[0], contexts, removed };
};
const result = () => ({ meshes: [{}], photographs: [], note: '' });

test('Viewer.removesTheMeshes_whenItShowsAnotherResult', () => {
  const { viewer, removed } = viewerWithoutPage();
  viewer.show(result());
  viewer.show(result());
  assert.deepEqual(removed, [[1, 1]]);
});

test('Viewer.removesNothingFromANewContext_whenTheOldOneWasLost', () => {
  const { viewer, canvas, contexts, removed } = viewerWithoutPage();
  viewer.show(result());
  canvas.fire('webglcontextlost');
  viewer.show(result());
  assert.equal(contexts.length, 2);
  assert.deepEqual(removed, []);
});

test('Viewer.showsItsResultAgain_whenTouchedAfterItsContextWasLost', () => {
  const { viewer, canvas, panes, contexts, removed } = viewerWithoutPage();
  viewer.show(result());
  canvas.fire('webglcontextlost');
  panes.element.fire('pointerenter');
  panes.element.fire('focus');
  assert.equal(contexts.length, 2);
  assert.deepEqual(removed, []);
});

test('Wheel.zoomsByOneStepANotch_inPixelsLinesAndPages', () => {
  const panes = fakeElement(), steps = [];
  panes.addEventListener = (name, listener) => { if (name === 'wheel') panes.turn = listener; };
  run(['web_page/input.js'], { document: { activeElement: panes } })('addViewerInput')(fakeElement(), panes,
    { isShown: () => true, zoom: (by) => steps.push(by) });
  [100, 3, 1].forEach((deltaY, deltaMode) => panes.turn({ deltaY, deltaMode, preventDefault() {} }));
  assert.deepEqual(steps, [-1, -1, -1]);
});
