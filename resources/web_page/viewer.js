// Shows one result: its panes, which turn together, with photographs, legend and measures. Texts of
// results are whatever files are called: they enter the page through textContent alone.
const makeViewer = (root, settings) => {
  const { element, labelled, select } = viewerElements;
  const kMaxPanes = 6, kPhotograph = 'photograph';
  const kTitle = 44;  // height of a pane's title in CSS pixels, as in viewer.css
  const kAbout = { coarse: 'the network’s first stage', refined: 'the network’s result',
    hull: 'largest shape inside all silhouettes', fitted: 'follows the photographs', truth: 'to compare with' };
  const aboutOf = ({ about, name }) => about || (Object.hasOwn(kAbout, name) ? kAbout[name] : '');

  root.textContent = '';
  root.className = 'viewer';
  const about = element(root, 'p', 'about');
  const bar = element(root, 'div', 'bar');
  const layout = labelled(bar, 'Panes', select([['side', 'side by side'], ['wipe', 'wipe between two']]));
  const colour = labelled(bar, 'Colour', select([]));
  const sides = ['Left', 'Right'].map((name) => labelled(bar, name, select([])));
  const wipe = document.createElement('input');
  Object.assign(wipe, { type: 'range', min: 0, max: 1, step: 0.01, value: 0.5 });
  labelled(bar, 'Seam', wipe);
  const shown = element(bar, 'span', 'bar');
  const reset = element(bar, 'button', '', 'Reset view');
  reset.type = 'button';
  const stage = element(root, 'div', 'stage');
  let canvas = element(stage, 'canvas');
  const panes = element(stage, 'div', 'panes');
  panes.tabIndex = 0;
  panes.setAttribute('role', 'application');
  panes.setAttribute('aria-label', 'Meshes; arrow keys turn them');
  element(root, 'p', 'hint', 'Drag or arrow keys: turn · Shift: move · pinch, + and −, or the wheel after a click: zoom · ' +
    '0: first view · [ and ]: seam');
  const details = element(root, 'div', 'details');
  const beside = element(details, 'div');
  const photographs = element(beside, 'div', 'photographs');
  const legend = element(beside, 'div', 'legend');
  const tables = element(details, 'div', 'tables');
  const notes = element(beside, 'div');

  const scales = Object.fromEntries(drawing.fields.map((field) =>
    [field, { ...settings[field], table: drawing.tableOf(settings[field].table) }]));
  const showLegend = makeLegend(legend, scales);
  const showMeasures = makeMeasuresTable(tables, notes, scales, settings.measures);
  const themeColour = (name) => {
    const hex = getComputedStyle(root).getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  };

  // `framed`: nobody has moved the camera from the first view, which then follows the panes' size.
  let graphics, result, meshes = [], camera, framed = true, photograph = 0, pending = 0, flight = 0;

  const cells = () => [...panes.querySelectorAll('.pane')];
  const meshCell = () => cells().find((cell) => !cell.classList.contains('photograph'));
  const paneHeight = () => { const cell = meshCell(); return cell ? Math.max(cell.clientHeight - kTitle, 1) : 1; };
  const aspect = () => { const cell = meshCell(); return cell ? cell.clientWidth / paneHeight() : 1; };
  const draw = () => { if (!pending) pending = requestAnimationFrame(paint); };

  function paint() {
    pending = 0;
    if (!graphics || !result || !stage.clientWidth) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    const [width, height] = [Math.round(stage.clientWidth * ratio), Math.round(stage.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const theme = { viewport: themeColour('--viewport'), surface: themeColour('--surface') };
    graphics.begin(themeColour('--border'));
    const whole = canvas.getBoundingClientRect();
    for (const cell of cells()) {
      if (cell.classList.contains('photograph')) continue;
      // Edges are rounded, not sizes: else the line between two panes is lost at some widths.
      const box = cell.getBoundingClientRect();
      const [left, right] = [box.left, box.right].map((x) => Math.round((x - whole.left) * ratio));
      const [bottom, top] = [box.bottom, box.top + kTitle].map((y) => Math.round((whole.bottom - y) * ratio));
      const rect = [left, bottom, right - left, top - bottom];
      const seam = Math.round(rect[2] * wipe.value);
      const drawn = cell.dataset.sides ? [[sides[0].value, [rect[0], rect[1], seam, rect[3]]],
        [sides[1].value, [rect[0] + seam, rect[1], rect[2] - seam, rect[3]]]] : [[cell.dataset.mesh, rect]];
      for (const [index, part] of drawn)
        if (part[2] > 0 && index !== kPhotograph) graphics.drawPane(meshes[index], camera, rect, part, theme, colour.value, ratio);
    }
    const seamLine = panes.querySelector('.seam');
    if (seamLine) seamLine.style.left = `${100 * wipe.value}%`;
    for (const picture of panes.querySelectorAll('.pane:not(.photograph) img')) {
      const at = `${100 * (picture.dataset.side === '0' ? 1 - wipe.value : wipe.value)}%`;
      picture.style.clipPath = picture.dataset.side === '0' ? `inset(0 ${at} 0 0)` : `inset(0 0 0 ${at})`;
    }
  }

  const fly = (to, toFirstView = false) => {
    cancelAnimationFrame(flight);
    framed = toFirstView;
    const from = camera, begun = performance.now();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const step = (now) => {
      const t = still ? 1 : Math.min(Math.max((now - begun) / 400, 0), 1), s = t * t * (3 - 2 * t);
      camera = viewerCamera.between(from, to, s);
      draw();
      if (t < 1) flight = requestAnimationFrame(step);
    };
    step(begun);
  };
  const firstView = () => {
    const leading = meshes.filter((mesh) => mesh.source.leads);
    if (result.photographs.length) return photographView(result.photographs[0]);
    return drawing.framed({ yaw: 0.6, pitch: 0.4 }, leading.length ? leading : meshes, aspect());
  };
  const photographView = (each) => viewerCamera.ofPhotograph(each, aspect());
  const move = (to) => { cancelAnimationFrame(flight); framed = false; camera = to; draw(); };
  const moveSeam = (to) => { wipe.value = Math.max(0, Math.min(1, to)); draw(); };

  // Arranges the panes: the photograph, then the chosen meshes; or one pane with two of them.
  const arrange = () => {
    panes.textContent = '';
    const isWipe = layout.value === 'wipe';
    const boxes = [...shown.querySelectorAll('input')];
    shown.hidden = isWipe;
    for (const control of [...sides, wipe]) control.parentNode.hidden = !isWipe;
    const pane = (source) => {
      const cell = element(panes, 'div', 'pane');
      const title = element(cell, 'div', 'title');
      element(title, 'strong', '', source.name);
      element(title, 'small', '', aboutOf(source));
      return cell;
    };
    const current = () => ({ ...result.photographs[photograph], about: 'photograph, does not turn' });
    const addPicture = (cell) => {
      const picture = element(cell, 'img');
      picture.alt = '';
      picture.src = result.photographs[photograph].picture;
      return picture;
    };
    if (isWipe) {
      const [left, right] = sides.map((side) => (side.value === kPhotograph ? current() : meshes[+side.value].source));
      const cell = pane(left);
      cell.dataset.sides = 'two';
      const title = element(cell, 'div', 'title right');
      element(title, 'strong', '', right.name);
      element(title, 'small', '', aboutOf(right));
      sides.forEach((side, i) => { if (side.value === kPhotograph) addPicture(cell).dataset.side = i; });
      element(cell, 'div', 'seam');
    } else {
      for (const box of boxes.filter((each) => each.checked)) {
        const cell = pane(box.dataset.mesh ? meshes[+box.dataset.mesh].source : current());
        if (box.dataset.mesh) { cell.dataset.mesh = box.dataset.mesh; continue; }
        cell.classList.add('photograph');
        addPicture(cell);
      }
    }
    resize();
  };
  const resize = () => {
    const count = Math.max(cells().length, 1);
    const fitting = Math.min(count, Math.max(1, Math.floor(root.clientWidth / 220)));
    const columns = Math.ceil(count / Math.ceil(count / fitting));  // rows as full as each other
    const tallest = Math.max(220, 0.7 * window.innerHeight);
    panes.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    panes.style.gridAutoRows = `${Math.round(Math.min(root.clientWidth / columns, tallest)) + kTitle}px`;
    if (framed && meshes.length) {
      cancelAnimationFrame(flight);
      camera = firstView();
    }
    draw();
  };

  const showPhotographs = () => {
    photographs.textContent = '';
    photographs.hidden = result.photographs.length === 0;
    const order = [...result.photographs.keys()].sort((a, b) =>
      result.photographs[a].name.localeCompare(result.photographs[b].name, undefined, { numeric: true }));
    order.forEach((i) => {
      const each = result.photographs[i];
      const button = element(photographs, 'button');
      button.type = 'button';
      button.title = `${each.name}: fly to its camera${each.input ? '; the network’s input' : ''}`;
      button.setAttribute('aria-pressed', i === photograph);
      element(button, 'small', each.input ? 'input' : '', each.name.replace(/^view /, ''));
      const picture = element(button, 'img');
      picture.alt = each.name;
      picture.src = each.picture;
      button.addEventListener('click', () => {
        photograph = i;
        [...photographs.children].forEach((other) => other.setAttribute('aria-pressed', other === button));
        arrange();
        fly(photographView(each));
      });
    });
    if (result.photographs.some(({ input }) => input) && result.photographs.some(({ input }) => !input))
      element(photographs, 'p', 'hint', 'Blue numbers: the network’s input. The others are seen by the fit alone.');
  };

  const showControls = () => {
    const has = (name) => meshes.some((mesh) => (name === 'texture' ? mesh.source.texture : mesh[name]));
    const kept = colour.value || settings.chosen;
    colour.textContent = '';
    for (const [value, text] of [...drawing.fields.map((field) => [field, scales[field].caption]), ['texture', 'photographs'], ['plain', 'plain'],
      ['normals', 'normals']])
      if (value === 'plain' || value === 'normals' || has(value)) colour.append(new Option(text, value));
    colour.value = [...colour.options].some((option) => option.value === kept) ? kept : colour.options[0].value;
    shown.textContent = '';
    const box = (name, mesh, checked) => {
      const control = document.createElement('input');
      Object.assign(control, { type: 'checkbox', checked });
      if (mesh !== undefined) control.dataset.mesh = mesh;
      control.addEventListener('change', arrange);
      labelled(shown, name, control);
    };
    if (result.photographs.length) box('photograph', undefined, true);
    meshes.forEach((mesh, i) => box(mesh.source.name, i, shown.children.length < kMaxPanes));
    sides.forEach((side, i) => {
      side.textContent = '';
      meshes.forEach((mesh, k) => side.append(new Option(mesh.source.name, k)));
      if (result.photographs.length) side.append(new Option('photograph', kPhotograph));
      // The last two stages; the truth is no stage.
      const stages = meshes.map((mesh, k) => [mesh.source.name, k]).filter(([name]) => name !== 'truth').map(([, k]) => k);
      side.selectedIndex = stages.length > 1 ? stages[stages.length - 2 + i] : Math.min(i, meshes.length - 1);
    });
    layout.parentNode.hidden = meshes.length < 2;
    if (meshes.length < 2) layout.value = 'side';
  };

  addViewerInput(root, panes, {
    isShown: () => camera !== undefined,
    height: paneHeight,
    orbit: (x, y) => move(viewerCamera.orbited(camera, x, y)),
    pan: (x, y) => move(viewerCamera.panned(camera, x, y, paneHeight())),
    zoom: (steps) => move(viewerCamera.zoomed(camera, steps)),
    flyToFirst: () => fly(firstView(), true),
    seam: () => +wipe.value,
    moveSeam,
  });
  layout.addEventListener('change', arrange);
  for (const side of sides)
    side.addEventListener('change', () => {
      arrange();
      // A photograph lies over a mesh from its own camera alone.
      if (side.value === kPhotograph) fly(photographView(result.photographs[photograph]), photograph === 0);
    });
  colour.addEventListener('change', () => { showLegend(meshes, colour.value); draw(); });
  wipe.addEventListener('input', draw);
  reset.addEventListener('click', () => fly(firstView(), true));
  new ResizeObserver(resize).observe(root);
  // A browser takes the context away from the oldest of many frames. The next touch asks for another.
  const lose = () => {
    const next = canvas.cloneNode();
    next.addEventListener('webglcontextlost', lose);
    canvas.replaceWith(next);
    [canvas, graphics] = [next, null];
  };
  canvas.addEventListener('webglcontextlost', lose);
  for (const touch of ['pointerenter', 'focus']) panes.addEventListener(touch, () => { if (result && !graphics) show(result); });

  // Returns whether the browser can draw; if not, nothing is shown.
  function show(next) {
    root.hidden = false;
    graphics = graphics || drawing.open(canvas, scales, draw);
    root.hidden = !graphics;
    if (!graphics) return false;
    const first = result !== next;
    if (first) meshes.forEach(graphics.remove);
    result = next;
    meshes = result.meshes.map(graphics.add);
    if (!first) { draw(); return true; }
    photograph = 0;
    about.textContent = result.note;
    about.hidden = !result.note;
    showControls();
    showPhotographs();
    showLegend(meshes, colour.value);
    showMeasures(meshes);
    framed = true;
    arrange();
    return true;
  }
  return { show, draw };
};
