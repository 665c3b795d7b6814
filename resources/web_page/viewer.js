
// Shows one result: its panes, which turn together, with photographs, legend and measures. Texts of
// results are whatever files are called: they enter the page through textContent alone.
const makeViewer = (root, settings) => {
  const kTurn = Math.PI / 36, kMaxPanes = 6, kTitle = 44;  // kTitle: height of a pane's, viewer.css
  const kPhotograph = 'photograph', kVertexRatio = 2;
  const kAbout = { coarse: 'the network’s first stage', refined: 'the network’s result',
    hull: 'largest shape inside all silhouettes', fitted: 'follows the photographs', truth: 'to compare with' };
  const aboutOf = ({ about, name }) => about || (Object.hasOwn(kAbout, name) ? kAbout[name] : '');
  const element = (parent, name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const labelled = (parent, text, control) => {
    const label = element(parent, 'label');
    label.append(...(control.type === 'checkbox' ? [control, text] : [text, control]));
    return control;
  };
  const select = (options) => {
    const made = document.createElement('select');
    for (const [value, text] of options) made.append(new Option(text, value));
    return made;
  };

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
  const css = ([r, g, b]) => `rgb(${Math.round(255 * r)}, ${Math.round(255 * g)}, ${Math.round(255 * b)})`;
  const themeColour = (name) => {
    const hex = getComputedStyle(root).getPropertyValue(name).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
  };
  const number = (value) => String(Number(value.toPrecision(3))).replace('-', '−');
  const whole = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

  // `framed`: nobody has moved the camera from the first view, which then follows the panes' size.
  let graphics, result, meshes = [], camera, framed = true, photograph = 0, pending = 0, flight = 0;

  const cells = () => [...panes.querySelectorAll('.pane')];
  const meshCell = () => cells().find((cell) => !cell.classList.contains('photograph'));
  const aspect = () => { const cell = meshCell(); return cell ? cell.clientWidth / Math.max(cell.clientHeight - kTitle, 1) : 1; };
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
    const line = panes.querySelector('.seam');
    if (line) line.style.left = `${100 * wipe.value}%`;
    for (const picture of panes.querySelectorAll('.pane:not(.photograph) img')) {
      const at = `${100 * (picture.dataset.side === '0' ? 1 - wipe.value : wipe.value)}%`;
      picture.style.clipPath = picture.dataset.side === '0' ? `inset(0 ${at} 0 0)` : `inset(0 0 0 ${at})`;
    }
  }

  const fly = (to, toFirstView = false) => {
    cancelAnimationFrame(flight);
    framed = toFirstView;
    const from = camera, begun = performance.now();
    const turn = to.yaw - from.yaw - 2 * Math.PI * Math.round((to.yaw - from.yaw) / (2 * Math.PI));
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const step = (now) => {
      const t = still ? 1 : Math.min(Math.max((now - begun) / 400, 0), 1), s = t * t * (3 - 2 * t);
      const between = (a, b) => a + s * (b - a);
      camera = { yaw: from.yaw + s * turn, pitch: between(from.pitch, to.pitch),
        distance: between(from.distance, to.distance), halfAngle: between(from.halfAngle, to.halfAngle),
        target: from.target.map((v, k) => between(v, to.target[k])) };
      draw();
      if (t < 1) flight = requestAnimationFrame(step);
    };
    step(begun);
  };
  const firstView = () => {
    const made = meshes.filter((mesh) => mesh.source.leads);
    if (result.photographs.length) return photographView(result.photographs[0]);
    return drawing.framed({ yaw: 0.6, pitch: 0.4 }, made.length ? made : meshes, aspect());
  };
  const photographView = ({ yaw, pitch, distance, halfAngle }) => ({ yaw, pitch, distance, target: [0, 0, 0],
    halfAngle: Math.atan(Math.tan(halfAngle) / Math.min(1, aspect())) });
  const move = (change) => { cancelAnimationFrame(flight); framed = false; camera = { ...camera, ...change }; draw(); };
  const orbit = (x, y) => move({ yaw: camera.yaw - x,
    pitch: Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + y)) });
  const pan = (x, y) => {
    const [right, up] = drawing.rowsOf(camera);
    const unit = 2 * camera.distance * Math.tan(camera.halfAngle) / Math.max(meshCell() ? meshCell().clientHeight - kTitle : 1, 1);
    move({ target: camera.target.map((v, k) => v + unit * (y * up[k] - x * right[k])) });
  };
  const zoom = (steps) => move({ distance: Math.max(1e-5, Math.min(1e6, camera.distance * 0.875 ** steps)) });
  const moveSeam = (to) => { wipe.value = Math.max(0, Math.min(1, to)); draw(); };

  // Arranges the panes: the photograph, then the chosen meshes; or one pane with two of them.
  const arrange = () => {
    panes.textContent = '';
    const isWipe = layout.value === 'wipe';
    const boxes = [...shown.querySelectorAll('input')];
    shown.hidden = isWipe;
    for (const control of [...sides, wipe]) control.parentNode.hidden = !isWipe;
    const pane = (source) => {
      const made = element(panes, 'div', 'pane');
      const title = element(made, 'div', 'title');
      element(title, 'strong', '', source.name);
      element(title, 'small', '', aboutOf(source));
      return made;
    };
    const current = () => ({ ...result.photographs[photograph], about: 'photograph, does not turn' });
    const addPicture = (made) => {
      const picture = element(made, 'img');
      picture.alt = '';
      picture.src = result.photographs[photograph].picture;
      return picture;
    };
    if (isWipe) {
      const [left, right] = sides.map((side) => (side.value === kPhotograph ? current() : meshes[+side.value].source));
      const made = pane(left);
      made.dataset.sides = 'two';
      const title = element(made, 'div', 'title right');
      element(title, 'strong', '', right.name);
      element(title, 'small', '', aboutOf(right));
      sides.forEach((side, i) => { if (side.value === kPhotograph) addPicture(made).dataset.side = i; });
      element(made, 'div', 'seam');
    } else {
      for (const box of boxes.filter((each) => each.checked)) {
        const made = pane(box.dataset.mesh ? meshes[+box.dataset.mesh].source : current());
        if (box.dataset.mesh) { made.dataset.mesh = box.dataset.mesh; continue; }
        made.classList.add('photograph');
        addPicture(made);
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

  const histogram = (cell, values, scale) => {
    const kBins = 50, { lowest, highest, logarithmic, table } = scale;
    const share = logarithmic ? (v) => Math.log(v / lowest) / Math.log(highest / lowest) : (v) => (v - lowest) / (highest - lowest);
    const bins = new Array(kBins).fill(0);
    for (const value of values) {
      const at = share(value);
      if (at >= 0 && at <= 1) ++bins[Math.min(Math.floor(at * kBins), kBins - 1)];
    }
    const most = Math.max(...bins, 1);
    const svg = (name, attributes) => {
      const made = document.createElementNS('http://www.w3.org/2000/svg', name);
      for (const key in attributes) made.setAttribute(key, attributes[key]);
      return made;
    };
    const chart = svg('svg', { viewBox: `0 0 ${kBins} 20`, preserveAspectRatio: 'none' });
    bins.forEach((count, i) => chart.append(svg('rect', { x: i, width: 1, y: 20 - 20 * count / most,
      height: 20 * count / most, fill: css(table[Math.round((i + 0.5) / kBins * 255)]) })));
    cell.append(chart);
  };

  // About five round numbers.
  const ticksOf = (lowest, highest) => {
    const raw = (highest - lowest) / 5, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= raw * 0.999);
    const ticks = [];
    for (let i = Math.ceil(lowest / step - 1e-6); i * step < highest * (1 + 1e-6); ++i) ticks.push(i * step);
    return ticks;
  };
  const showLegend = () => {
    legend.textContent = '';
    const given = drawing.fields.filter((field) => meshes.some((mesh) => mesh[field]));
    legend.hidden = !given.length;
    if (!given.length) return;
    const field = given.includes(colour.value) ? colour.value : given[0];
    legend.classList.toggle('idle', field !== colour.value);  // keeps its place
    const { caption, table, lowest, highest, logarithmic } = scales[field];
    element(legend, 'div', 'caption', caption);
    const stops = Array.from({ length: 33 }, (_, i) => css(table[Math.round(i / 32 * (table.length - 1))]));
    element(legend, 'div', 'map').style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    const ticks = element(legend, 'div', 'ticks');
    const colouredBy = (mesh) => mesh[field] && !mesh.source.missing;
    const beyond = meshes.some((mesh) => colouredBy(mesh) && mesh[field].some((value) => value > highest));
    const below = meshes.some((mesh) => colouredBy(mesh) && mesh[field].some((value) => value < lowest));
    const tick = (at, text) => {
      const made = element(ticks, 'span', at < 0.02 ? 'first' : at > 0.98 ? 'last' : '', text);
      made.style.left = `${100 * at}%`;
    };
    tick(0, (below ? '≤ ' : '') + number(lowest));
    tick(1, (beyond ? '≥ ' : '') + number(highest));
    const inner = logarithmic ? [0.25, 0.5, 0.75].map((t) => [t, lowest * (highest / lowest) ** t])
      : ticksOf(lowest, highest).map((value) => [(value - lowest) / (highest - lowest), value]);
    for (const [at, value] of inner) if (at > 0.1 && at < 0.86) tick(at, number(value));
    const red = meshes.find((mesh) => mesh.source.missing);
    if (red) element(legend, 'div', `caption missing${colour.value === 'values' ? '' : ' unused'}`, `${red.source.name}: ${red.source.missingText}`);
  };

  const showTable = () => {
    tables.textContent = '';
    notes.textContent = '';
    // A truth has nothing to be compared with.
    const columns = meshes.filter((mesh) => mesh.source.numbers.length || mesh.source.name !== 'truth');
    const counts = columns.filter((mesh) => mesh.source.faces && mesh.source.numbers.length).map((mesh) => mesh.source.vertices);
    if (Math.max(...counts) > kVertexRatio * Math.min(...counts))
      element(notes, 'p', 'warning', `These meshes have from ${whole(Math.min(...counts))} to ${whole(Math.max(...counts))} vertices. ` +
        'Chamfer, F, precision and recall compare vertices with the points of the truth, which favours more vertices. ' +
        'Those of 10\u00a0000 points of the surface do not.');
    const table = element(tables, 'table');
    const row = (section, heading, cellOf) => {
      const made = element(section, 'tr');
      element(made, 'th', '', heading);
      columns.forEach((mesh, i) => cellOf(element(made, section.tagName === 'THEAD' ? 'th' : 'td'), mesh, i));
    };
    row(element(table, 'thead'), '', (cell, mesh) => { cell.textContent = mesh.source.name; });
    const body = element(table, 'tbody');
    for (const field of drawing.fields)
      if (columns.some((mesh) => mesh[field]))
        row(body, `${scales[field].caption}: from ${number(scales[field].lowest)} to ${number(scales[field].highest)}, each to its own highest bar`,
          (cell, mesh) => { if (mesh[field]) histogram(cell, mesh[field], scales[field]); });
    settings.measures.forEach((heading, i) => {
      const texts = columns.map((mesh) => mesh.source.numbers[i] || '–');
      if (texts.every((text) => text === '–')) return;
      const values = texts.map((text) => parseFloat(text.replace('−', '-').replace(/\s/g, '')));  // NaN: not measured
      const measured = values.filter((value) => !Number.isNaN(value));
      const best = heading.includes('↓') ? Math.min(...measured) : heading.includes('↑') ? Math.max(...measured) : NaN;
      row(body, heading, (cell, _, k) => {
        cell.textContent = texts[k];
        cell.classList.toggle('best', measured.length > 1 && values[k] === best);
      });
    });
    if (settings.measures.length && meshes.some((mesh) => mesh.source.numbers.length))
      element(notes, 'p', 'hint', 'Against the truth. Chamfer: mean squared distances of both ways, summed. F: points within a threshold of the other side, ' +
        'precision and recall in one. ↓: less is better, ↑: more is better, bold: the best. The box of a ShapeNet model has a diagonal of 0.57 object units.');
    row(body, 'vertices', (cell, mesh) => { cell.textContent = whole(mesh.source.vertices); });
    row(body, 'faces', (cell, mesh) => { cell.textContent = mesh.source.faces ? whole(mesh.source.faces) : '–'; });
    const properties = [['connected parts', ({ components }) => whole(components)], ['watertight', ({ watertight }) => (watertight ? 'yes' : 'no')],
      ['handles: holes that lead through', ({ handles }) => (handles === null ? '–' : whole(handles))]];
    if (columns.some((mesh) => mesh.source.faces))
      for (const [heading, text] of properties)
        row(body, heading, (cell, mesh) => { cell.textContent = mesh.source.faces ? text(mesh.source) : '–'; });
    const truth = meshes.find((mesh) => !columns.includes(mesh));
    if (truth) element(notes, 'p', 'hint', `The truth has ${whole(truth.source.vertices)} ${truth.source.faces ? 'vertices' : 'points'} here.`);
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
      const made = document.createElement('input');
      Object.assign(made, { type: 'checkbox', checked });
      if (mesh !== undefined) made.dataset.mesh = mesh;
      made.addEventListener('change', arrange);
      labelled(shown, name, made);
    };
    if (result.photographs.length) box('photograph', undefined, true);
    meshes.forEach((mesh, i) => box(mesh.source.name, i, shown.children.length < kMaxPanes));
    sides.forEach((side, i) => {
      side.textContent = '';
      meshes.forEach((mesh, k) => side.append(new Option(mesh.source.name, k)));
      if (result.photographs.length) side.append(new Option('photograph', kPhotograph));
      // The last two stages; the truth is no stage.
      const made = meshes.map((mesh, k) => [mesh.source.name, k]).filter(([name]) => name !== 'truth').map(([, k]) => k);
      side.selectedIndex = made.length > 1 ? made[made.length - 2 + i] : Math.min(i, meshes.length - 1);
    });
    layout.parentNode.hidden = meshes.length < 2;
    if (meshes.length < 2) layout.value = 'side';
  };

  // Pointers: one turns or moves, two pinch; on the seam, one drags the seam.
  const pointers = new Map();
  let grip = '';
  const place = (event) => ({ x: event.clientX, y: event.clientY });
  panes.addEventListener('contextmenu', (event) => event.preventDefault());
  panes.addEventListener('pointerdown', (event) => {
    panes.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    const line = panes.querySelector('.seam');
    const onSeam = line && Math.abs(event.clientX - line.getBoundingClientRect().left) < 14;
    grip = onSeam ? 'seam' : event.shiftKey || event.button > 0 ? 'pan' : 'orbit';
  });
  panes.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (!before || !camera) return;
    const now = place(event), [x, y] = [now.x - before.x, now.y - before.y];
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, now);
    if (other) {
      const apart = (p) => Math.max(Math.hypot(p.x - other[1].x, p.y - other[1].y), 1);
      zoom(Math.log(apart(before) / apart(now)) / Math.log(0.875));
      pan(x / 2, y / 2);
    } else if (grip === 'seam') {
      const box = panes.getBoundingClientRect();
      moveSeam((event.clientX - box.left) / box.width);
    } else if (grip === 'pan') {
      pan(x, y);
    } else {
      const angle = Math.PI / Math.max(meshCell() ? meshCell().clientHeight - kTitle : 1, 1);
      orbit(angle * x, angle * y);
    }
  });
  for (const end of ['pointerup', 'pointercancel']) panes.addEventListener(end, (event) => pointers.delete(event.pointerId));
  // Without the focus the wheel scrolls the page, or the notebook around it.
  panes.addEventListener('wheel', (event) => {
    if (!camera || (document.activeElement !== panes && !event.ctrlKey)) return;
    event.preventDefault();
    zoom(-event.deltaY / (event.deltaMode === 1 ? 3 : 100));
  }, { passive: false });
  root.addEventListener('keydown', (event) => {
    if (event.target.closest('select, input')) return;  // their keys are their own
    if (!camera || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && event.shiftKey) pan(20 * arrow[0], 20 * arrow[1]);
    else if (arrow) orbit(kTurn * arrow[0], kTurn * arrow[1]);
    else if (event.key === '+' || event.key === '=') zoom(1);
    else if (event.key === '-') zoom(-1);
    else if (event.key === '0' || event.key === 'Home') fly(firstView(), true);
    else if (event.key === '[') moveSeam(+wipe.value - 0.05);
    else if (event.key === ']') moveSeam(+wipe.value + 0.05);
    else return;
    event.preventDefault();
  });
  layout.addEventListener('change', arrange);
  for (const side of sides)
    side.addEventListener('change', () => {
      arrange();
      // A photograph lies over a mesh from its own camera alone.
      if (side.value === kPhotograph) fly(photographView(result.photographs[photograph]), photograph === 0);
    });
  colour.addEventListener('change', () => { showLegend(); draw(); });
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
    showLegend();
    showTable();
    framed = true;
    arrange();
    return true;
  }
  return { show, draw };
};
