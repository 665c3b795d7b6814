// Pointers, wheel and keys of a viewer.
const addViewerInput = (() => {
  const kTurn = Math.PI / 36;  // angle of an arrow key's turn, in radians
  const kSeamStep = 0.05;  // distance that a bracket key moves the seam, in widths of a pane
  const kSeamReach = 14;  // distance from the seam that still drags it, in CSS pixels
  const kUnitsPerStep = [100, 3, 1];  // of a wheel that counts pixels, lines or pages: WheelEvent.deltaMode

  /** Adds pointers: one turns or moves, two pinch; one that begins near the seam drags the seam. */
  const addPointers = (panes, view) => {
    const orbit = (event, x, y) => {
      const angle = Math.PI / view.height();
      view.orbit(angle * x, angle * y);
    };
    const pan = (event, x, y) => view.pan(x, y);
    const moveSeam = (event) => {
      const box = panes.getBoundingClientRect();
      view.moveSeam((event.clientX - box.left) / box.width);
    };
    const dragFrom = (event) => {
      const line = panes.querySelector('.seam');
      if (line && Math.abs(event.clientX - line.getBoundingClientRect().left) < kSeamReach) return moveSeam;
      return event.shiftKey || event.button > 0 ? pan : orbit;
    };
    const pinch = (before, now, other) => {
      const apart = (p) => Math.max(Math.hypot(p.x - other.x, p.y - other.y), 1);
      view.zoom(Math.log(apart(before) / apart(now)) / Math.log(viewerCamera.kZoomStep));
      view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    };

    const positions = new Map();  // of the pointers that are down, by identifier
    const positionOf = (event) => ({ x: event.clientX, y: event.clientY });
    let drag = orbit;
    panes.addEventListener('contextmenu', (event) => event.preventDefault());
    panes.addEventListener('pointerdown', (event) => {
      panes.setPointerCapture(event.pointerId);
      positions.set(event.pointerId, positionOf(event));
      drag = dragFrom(event);
    });
    panes.addEventListener('pointermove', (event) => {
      const before = positions.get(event.pointerId);
      if (!before || !view.isShown()) return;
      const now = positionOf(event);
      const other = [...positions].find(([id]) => id !== event.pointerId);
      positions.set(event.pointerId, now);
      if (other) pinch(before, now, other[1]);
      else drag(event, now.x - before.x, now.y - before.y);
    });
    for (const end of ['pointerup', 'pointercancel'])
      panes.addEventListener(end, (event) => positions.delete(event.pointerId));
  };

  const addWheel = (panes, view) => {
    // Without the focus the wheel scrolls the page, or the notebook around it.
    panes.addEventListener('wheel', (event) => {
      if (!view.isShown() || (document.activeElement !== panes && !event.ctrlKey)) return;
      event.preventDefault();
      view.zoom(-event.deltaY / kUnitsPerStep[event.deltaMode]);
    }, { passive: false });
  };

  const addKeys = (root, view) => {
    root.addEventListener('keydown', (event) => {
      if (event.target.closest('select, input')) return;  // controls have keys of their own
      if (!view.isShown() || event.ctrlKey || event.altKey || event.metaKey) return;
      const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (arrow && event.shiftKey) view.pan(20 * arrow[0], 20 * arrow[1]);
      else if (arrow) view.orbit(kTurn * arrow[0], kTurn * arrow[1]);
      else if (event.key === '+' || event.key === '=') view.zoom(1);
      else if (event.key === '-') view.zoom(-1);
      else if (event.key === '0' || event.key === 'Home') view.flyToFirst();
      else if (event.key === '[') view.moveSeam(view.seam() - kSeamStep);
      else if (event.key === ']') view.moveSeam(view.seam() + kSeamStep);
      else return;
      event.preventDefault();
    });
  };

  /**
   * Adds pointers, wheel and keys. `view`: isShown(), height() of a mesh's pane in CSS pixels, orbit(x, y) in radians,
   * pan(x, y) in CSS pixels, zoom(steps), flyToFirst(), seam() and moveSeam(to) from 0 to 1.
   */
  return (root, panes, view) => {
    addPointers(panes, view);
    addWheel(panes, view);
    addKeys(root, view);
  };
})();
