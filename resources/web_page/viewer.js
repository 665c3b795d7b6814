// A viewer of one result: its panes, which turn together, with photographs, legend and measures. Names of results come
// from names of files, which are untrusted: they enter the page through textContent alone.

/**
 * Makes a viewer in `root`. `settings`: the data of viewerJson() (engine/web_page/page_parts.h). Returns
 * { show(result), draw() }; show() returns whether the browser can draw.
 */
const makeViewer = (root, settings) => {
  const { element } = viewerElements;
  const kFlightMilliseconds = 400;  // duration of a flight to another camera

  const scaleOf = ({ caption, table, logarithmic, min, max }) =>
    ({ caption, table: drawing.tableOf(table), logarithmic, min, max });
  const scales = Object.fromEntries(meshData.fields.map((field) => [field, scaleOf(settings[field])]));
  /**
   * `meshes`: of meshData.unpack(); `uploads`: of graphics.add(), one for each mesh; `isFramed`: the user has not moved the
   * camera, so it still follows the panes' size.
   */
  const state = { canvas: null, graphics: null, result: null, meshes: [], uploads: [], camera: undefined, isFramed: true,
    photographIndex: 0 };
  let flight = 0;  // request of the flight's next frame

  root.textContent = '';
  root.className = 'viewer';
  const about = element(root, 'p', 'about');
  const controls = makeControls(element(root, 'div', 'bar'), scales, settings.initial_colouring);
  const stage = element(root, 'div', 'stage');
  state.canvas = element(stage, 'canvas');
  const panes = makePanes(root, stage, state, controls, () => {
    if (!state.isFramed || !state.meshes.length) return;
    cancelAnimationFrame(flight);
    state.camera = firstView();
  });
  element(root, 'p', 'hint', 'Drag or arrow keys: turn · Shift: move · pinch, + and −, or the wheel after a click: zoom · ' +
    '0: first view · [ and ]: seam');
  const details = element(root, 'div', 'details');
  const beside = element(details, 'div');
  const showPhotographs = makePhotographs(element(beside, 'div', 'photographs'), (index) => {
    state.photographIndex = index;
    panes.arrange();
    flyToPhotograph(index);
  });
  const showLegend = makeLegend(element(beside, 'div', 'legend'), scales);
  const tables = element(details, 'div', 'tables');
  const showMeasures = makeMeasuresTable(tables, element(beside, 'div'), scales, settings.measures);

  const photographView = (photograph) => viewerCamera.ofPhotograph(photograph, panes.aspect());
  const firstView = () => {
    if (state.result.photographs.length) return photographView(state.result.photographs[0]);
    const primary = state.meshes.filter((mesh) => mesh.source.sets_range);
    return viewerCamera.ofMeshes({ yaw: 0.6, pitch: 0.4 }, primary.length ? primary : state.meshes, panes.aspect());
  };
  const move = (to) => {
    cancelAnimationFrame(flight);
    state.isFramed = false;
    state.camera = to;
    panes.draw();
  };
  const fly = (to, toFirstView = false) => {
    cancelAnimationFrame(flight);
    state.isFramed = toFirstView;
    const from = state.camera, begun = performance.now();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const step = (now) => {
      const t = isStill ? 1 : Math.min(Math.max((now - begun) / kFlightMilliseconds, 0), 1), s = t * t * (3 - 2 * t);
      state.camera = viewerCamera.between(from, to, s);
      panes.draw();
      if (t < 1) flight = requestAnimationFrame(step);
    };
    step(begun);
  };
  const flyToFirst = () => fly(firstView(), true);
  const flyToPhotograph = (index) => fly(photographView(state.result.photographs[index]), index === 0);

  addViewerInput(root, panes.element, {
    isShown: () => state.camera !== undefined,
    height: panes.height,
    orbit: (x, y) => move(viewerCamera.orbited(state.camera, x, y)),
    pan: (x, y) => move(viewerCamera.panned(state.camera, x, y, panes.height())),
    zoom: (steps) => move(viewerCamera.zoomed(state.camera, steps)),
    flyToFirst,
    seam: controls.seam,
    moveSeam: (to) => { controls.setSeam(to); panes.draw(); },
  });
  controls.listen({
    onPanesChanged: panes.arrange,
    // A photograph and a mesh coincide only as seen from the photograph's camera.
    onPhotographChosen: () => flyToPhotograph(state.photographIndex),
    onColouringChanged: () => { showLegend(state.meshes, controls.colouring()); panes.draw(); },
    onSeamMoved: panes.draw,
    onReset: flyToFirst,
  });
  new ResizeObserver(panes.resize).observe(root);

  // A browser takes the WebGL context away from the oldest of many frames. The next pointer or focus asks for a new one.
  const replaceLostContext = () => {
    const next = state.canvas.cloneNode();
    next.addEventListener('webglcontextlost', replaceLostContext);
    state.canvas.replaceWith(next);
    Object.assign(state, { canvas: next, graphics: null });
  };
  state.canvas.addEventListener('webglcontextlost', replaceLostContext);
  for (const touch of ['pointerenter', 'focus'])
    panes.element.addEventListener(touch, () => { if (state.result && !state.graphics) show(state.result); });

  /** Shows a result, or the shown one again after its context was lost; hides the viewer if the browser cannot draw. */
  const show = (next) => {
    root.hidden = false;
    const isContextNew = !state.graphics;
    state.graphics = state.graphics || drawing.open(state.canvas, scales, panes.draw);
    root.hidden = !state.graphics;
    if (!state.graphics) return false;
    const isNew = state.result !== next;
    if (!isContextNew) state.uploads.forEach(state.graphics.remove);  // a lost context took its uploads along
    state.result = next;
    if (isNew) state.meshes = next.meshes.map(meshData.unpack);
    state.uploads = state.meshes.map(state.graphics.add);
    if (!isNew) { panes.draw(); return true; }
    state.photographIndex = 0;
    about.textContent = next.note;
    about.hidden = !next.note;
    controls.setResult(state.meshes, next.photographs.length > 0, panes.arrange);
    showPhotographs(next.photographs, state.photographIndex);
    showLegend(state.meshes, controls.colouring());
    showMeasures(state.meshes);
    state.isFramed = true;
    panes.arrange();
    return true;
  };
  return { show, draw: panes.draw };
};
