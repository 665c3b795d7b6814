// The bar above a viewer's panes: their layout, the colouring, the meshes in sight, and a wipe's sides.

/**
 * Makes the bar's controls. Panes of the layout are lists of what they show: one index of a mesh, or
 * the two sides of a wipe; null: the photograph. `scales`: of meshData.fields; `chosen`: the colouring
 * at first.
 */
const makeControls = (bar, scales, chosen) => {
  const { element, labelled, select } = viewerElements;
  const kMaxPanes = 6, kPhotograph = 'photograph';

  const layout = labelled(bar, 'Panes', select([['side', 'side by side'], ['wipe', 'wipe between two']]));
  const colour = labelled(bar, 'Colour', select([]));
  const sides = ['Left', 'Right'].map((name) => labelled(bar, name, select([])));
  const seam = document.createElement('input');
  Object.assign(seam, { type: 'range', min: 0, max: 1, step: 0.01, value: 0.5 });
  labelled(bar, 'Seam', seam);
  const shown = element(bar, 'span', 'bar');
  const reset = element(bar, 'button', '', 'Reset view');
  reset.type = 'button';

  const isWipe = () => layout.value === 'wipe';
  const shows = ({ value }) => (value === kPhotograph ? null : Number(value));

  /** Offers the colourings that a mesh has, and keeps the chosen one as long as it is among them. */
  const offerColourings = (meshes) => {
    const has = (name) => meshes.some((mesh) => (name === 'texture' ? mesh.source.texture : mesh[name]));
    const kept = colour.value || chosen;
    const captions = meshData.fields.map((field) => [field, scales[field].caption]);
    colour.textContent = '';
    for (const [value, text] of [...captions, ['texture', 'photographs'], ['plain', 'plain'], ['normals', 'normals']])
      if (value === 'plain' || value === 'normals' || has(value)) colour.append(new Option(text, value));
    colour.value = [...colour.options].some((option) => option.value === kept) ? kept : colour.options[0].value;
  };
  const offerPanes = (meshes, hasPhotographs, changed) => {
    shown.textContent = '';
    const addBox = (name, value, checked) => {
      const box = document.createElement('input');
      Object.assign(box, { type: 'checkbox', value, checked });
      box.addEventListener('change', changed);
      labelled(shown, name, box);
    };
    if (hasPhotographs) addBox('photograph', kPhotograph, true);
    meshes.forEach((mesh, i) => addBox(mesh.source.name, i, shown.children.length < kMaxPanes));
  };
  const offerSides = (meshes, hasPhotographs) => {
    // The last two stages; the truth is no stage.
    const stages = [...meshes.keys()].filter((i) => meshes[i].source.name !== 'truth');
    sides.forEach((side, i) => {
      side.textContent = '';
      meshes.forEach((mesh, k) => side.append(new Option(mesh.source.name, k)));
      if (hasPhotographs) side.append(new Option('photograph', kPhotograph));
      side.selectedIndex = stages.length > 1 ? stages[stages.length - 2 + i] : Math.min(i, meshes.length - 1);
    });
  };

  return {
    isWipe,
    colouring: () => colour.value,
    /** Where the seam of a wipe is, from 0 to 1. */
    seam: () => Number(seam.value),
    setSeam: (to) => { seam.value = Math.max(0, Math.min(1, to)); },
    /** Panes of the layout, as above; hides the controls of the other layout. */
    panes: () => {
      shown.hidden = isWipe();
      for (const control of [...sides, seam]) control.parentNode.hidden = !isWipe();
      if (isWipe()) return [sides.map(shows)];
      return [...shown.querySelectorAll('input')].filter((box) => box.checked).map((box) => [shows(box)]);
    },
    /** Offers all that a result has. `changed`: of the meshes in sight. */
    offer: (meshes, hasPhotographs, changed) => {
      offerColourings(meshes);
      offerPanes(meshes, hasPhotographs, changed);
      offerSides(meshes, hasPhotographs);
      layout.parentNode.hidden = meshes.length < 2;
      if (meshes.length < 2) layout.value = 'side';
    },
    /** Calls what changes with the controls; `photographChosen` where a side of the wipe becomes the photograph. */
    listen: ({ panes, photographChosen, colouring, seam: seamMoved, reset: resetChosen }) => {
      layout.addEventListener('change', panes);
      for (const side of sides)
        side.addEventListener('change', () => {
          panes();
          if (shows(side) === null) photographChosen();
        });
      colour.addEventListener('change', colouring);
      seam.addEventListener('input', seamMoved);
      reset.addEventListener('click', resetChosen);
    },
  };
};
