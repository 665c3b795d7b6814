// Pointers, wheel and keys of a viewer. `view`: isShown(), height() of a mesh's pane in CSS pixels,
// orbit(x, y) in radians, pan(x, y) in CSS pixels, zoom(steps), flyToFirst(), seam() and moveSeam(to)
// from 0 to 1.
const addViewerInput = (root, panes, view) => {
  const kTurn = Math.PI / 36;  // of an arrow key

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
    if (!before || !view.isShown()) return;
    const now = place(event), [x, y] = [now.x - before.x, now.y - before.y];
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, now);
    if (other) {
      const apart = (p) => Math.max(Math.hypot(p.x - other[1].x, p.y - other[1].y), 1);
      view.zoom(Math.log(apart(before) / apart(now)) / Math.log(0.875));
      view.pan(x / 2, y / 2);
    } else if (grip === 'seam') {
      const box = panes.getBoundingClientRect();
      view.moveSeam((event.clientX - box.left) / box.width);
    } else if (grip === 'pan') {
      view.pan(x, y);
    } else {
      const angle = Math.PI / view.height();
      view.orbit(angle * x, angle * y);
    }
  });
  for (const end of ['pointerup', 'pointercancel']) panes.addEventListener(end, (event) => pointers.delete(event.pointerId));
  // Without the focus the wheel scrolls the page, or the notebook around it.
  panes.addEventListener('wheel', (event) => {
    if (!view.isShown() || (document.activeElement !== panes && !event.ctrlKey)) return;
    event.preventDefault();
    view.zoom(-event.deltaY / (event.deltaMode === 1 ? 3 : 100));
  }, { passive: false });
  root.addEventListener('keydown', (event) => {
    if (event.target.closest('select, input')) return;  // their keys are their own
    if (!view.isShown() || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && event.shiftKey) view.pan(20 * arrow[0], 20 * arrow[1]);
    else if (arrow) view.orbit(kTurn * arrow[0], kTurn * arrow[1]);
    else if (event.key === '+' || event.key === '=') view.zoom(1);
    else if (event.key === '-') view.zoom(-1);
    else if (event.key === '0' || event.key === 'Home') view.flyToFirst();
    else if (event.key === '[') view.moveSeam(view.seam() - 0.05);
    else if (event.key === ']') view.moveSeam(view.seam() + 0.05);
    else return;
    event.preventDefault();
  });
};
