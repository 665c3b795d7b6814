// The panes of a viewer, with one canvas below all of them: meshes that turn together, and a photograph.

/**
 * Makes the panes in `stage`. `state`: the viewer's own, which the panes read and never change (`canvas`, `graphics`,
 * `result`, `meshes`, `uploads`, `camera`, `photographIndex`). `controls`: of makeControls(). `onResized` is called when
 * the size of the panes has changed.
 */
const makePanes = (root, stage, state, controls, onResized) => {
  const { element } = viewerElements;
  const kTitleHeight = 44;  // of a pane's title, in CSS pixels, as in viewer.css
  const kMinWidth = 220;  // of a pane, in CSS pixels
  const kDescriptions = { coarse: 'the network’s first stage', refined: 'the network’s result',
    hull: 'largest shape inside all silhouettes', fitted: 'follows the photographs', truth: 'to compare with' };
  const descriptionOf = ({ caption, name }) => caption || (Object.hasOwn(kDescriptions, name) ? kDescriptions[name] : '');

  const grid = element(stage, 'div', 'panes');
  grid.tabIndex = 0;
  grid.setAttribute('role', 'application');
  grid.setAttribute('aria-label', 'Meshes; arrow keys turn them');
  let panes = [];  // { cell, contents }: the element of a pane, and its contents as controls.panes() returns them
  let pending = 0;  // request of the next frame

  const firstMeshCell = () => panes.find(({ cell }) => !cell.classList.contains('photograph'))?.cell;
  /** Height of a mesh's pane without its title, in CSS pixels. */
  const height = () => Math.max((firstMeshCell()?.clientHeight ?? 0) - kTitleHeight, 1);
  const aspect = () => { const cell = firstMeshCell(); return cell ? cell.clientWidth / height() : 1; };
  const themeColour = (name) => {
    const hex = getComputedStyle(root).getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  };

  /** Left, bottom, width and height of a cell below its title, in pixels of the canvas. */
  const rectOf = (cell, whole, ratio) => {
    // Edges are rounded, not sizes: else the line between two panes is lost at some widths.
    const box = cell.getBoundingClientRect();
    const [left, right] = [box.left, box.right].map((x) => Math.round((x - whole.left) * ratio));
    const [bottom, top] = [box.bottom, box.top + kTitleHeight].map((y) => Math.round((whole.bottom - y) * ratio));
    return [left, bottom, right - left, top - bottom];
  };
  /** Indices of the meshes that are drawn into a rectangle, each with its part of the rectangle. */
  const partsOf = (contents, [left, bottom, width, rectHeight]) => {
    const seam = Math.round(width * controls.seam());
    const parts = contents.length === 1 ? [[left, bottom, width, rectHeight]]
      : [[left, bottom, seam, rectHeight], [left + seam, bottom, width - seam, rectHeight]];
    return contents.map((index, i) => [index, parts[i]]).filter(([index, part]) => index !== null && part[2] > 0);
  };
  const placeSeam = () => {
    const line = grid.querySelector('.seam');
    if (!line) return;
    line.style.left = `${100 * controls.seam()}%`;
    for (const picture of grid.querySelectorAll('.pane:not(.photograph) img')) {
      const isLeft = picture.dataset.side === '0';
      const cut = `${100 * (isLeft ? 1 - controls.seam() : controls.seam())}%`;
      picture.style.clipPath = isLeft ? `inset(0 ${cut} 0 0)` : `inset(0 0 0 ${cut})`;
    }
  };
  const paint = () => {
    pending = 0;
    const { canvas, graphics, meshes, uploads, camera } = state;
    if (!graphics || !state.result || !stage.clientWidth) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    const [canvasWidth, canvasHeight] = [Math.round(stage.clientWidth * ratio), Math.round(stage.clientHeight * ratio)];
    if (canvas.width !== canvasWidth || canvas.height !== canvasHeight)
      Object.assign(canvas, { width: canvasWidth, height: canvasHeight });
    const theme = { viewport: themeColour('--viewport'), surface: themeColour('--surface') };
    const colouring = controls.colouring();
    graphics.clearCanvas(themeColour('--border'));
    const whole = canvas.getBoundingClientRect();
    for (const { cell, contents } of panes) {
      const rect = rectOf(cell, whole, ratio);
      for (const [index, part] of partsOf(contents, rect))
        graphics.drawPane({ mesh: meshes[index], uploaded: uploads[index], camera, rect, part, theme, colouring, ratio });
    }
    placeSeam();
  };
  const draw = () => { if (!pending) pending = requestAnimationFrame(paint); };

  const addPane = (contents) => {
    const photograph = state.result.photographs[state.photographIndex];
    const sources = contents.map((index) =>
      (index === null ? { ...photograph, caption: 'photograph, does not turn' } : state.meshes[index].source));
    const cell = element(grid, 'div', 'pane');
    const addTitle = (source, className) => {
      const title = element(cell, 'div', className);
      element(title, 'strong', '', source.name);
      element(title, 'small', '', descriptionOf(source));
    };
    const addPicture = () => {
      const picture = element(cell, 'img');
      picture.alt = '';
      picture.src = photograph.picture;
      return picture;
    };
    addTitle(sources[0], 'title');
    if (controls.isWipe()) {
      cell.dataset.sides = 'two';
      addTitle(sources[1], 'title right');
      contents.forEach((index, side) => { if (index === null) addPicture().dataset.side = side; });
      element(cell, 'div', 'seam');
    } else if (contents[0] === null) {
      cell.classList.add('photograph');
      addPicture();
    }
    return { cell, contents };
  };
  const resize = () => {
    const count = Math.max(panes.length, 1);
    const fitting = Math.min(count, Math.max(1, Math.floor(root.clientWidth / kMinWidth)));
    const columns = Math.ceil(count / Math.ceil(count / fitting));  // rows as full as each other
    const tallest = Math.max(kMinWidth, 0.7 * window.innerHeight);
    grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    grid.style.gridAutoRows = `${Math.round(Math.min(root.clientWidth / columns, tallest)) + kTitleHeight}px`;
    onResized();
    draw();
  };
  /** Makes the chosen panes anew: the photograph, then the chosen meshes; in a wipe one pane with two of them. */
  const arrange = () => {
    grid.textContent = '';
    panes = controls.panes().map(addPane);
    resize();
  };

  return { element: grid, height, aspect, draw, arrange, resize };
};
