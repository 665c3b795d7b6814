// The bar above a viewer's panes: their layout, the colouring, the shown meshes, and a wipe's sides.

/**
 * Makes the bar's controls.
 *   `bar`: element that they are appended to.
 *   `scales`: colour map and range of each field of meshData.
 *   `initialColouring`: the colouring until the user chooses another.
 * A pane is a list of its contents, or of the two sides of a wipe: an index of a mesh, or null for the photograph.
 */
const makeControls = (bar, scales, initialColouring) => {
  const { element, labelled, select } = viewerElements;
  const kMaxPanes = 6, kPhotograph = 'photograph';

  const layout = labelled(bar, 'Panes', select([['side', 'side by side'], ['wipe', 'wipe between two']]));
  const colour = labelled(bar, 'Colour', select([]));
  const sides = ['Left', 'Right'].map((name) => labelled(bar, name, select([])));
  const seam = document.createElement('input');
  Object.assign(seam, { type: 'range', min: 0, max: 1, step: 0.01, value: 0.5 });
  labelled(bar, 'Seam', seam);
  const meshBoxes = element(bar, 'span', 'bar');
  const reset = element(bar, 'button', '', 'Reset view');
  reset.type = 'button';

  const isWipe = () => layout.value === 'wipe';
  /** Index of a mesh that a control's value names; null: the photograph. */
  const meshIndexOf = ({ value }) => (value === kPhotograph ? null : Number(value));

  /** Fills the list with the colourings that a mesh has; keeps the chosen one as long as it is among them. */
  const fillColourings = (meshes) => {
    const has = (name) => meshes.some((mesh) => (name === 'texture' ? mesh.source.texture : mesh[name]));
    const kept = colour.value || initialColouring;
    const captions = meshData.fields.map((field) => [field, scales[field].caption]);
    colour.textContent = '';
    for (const [value, text] of [...captions, ['texture', 'photographs'], ['plain', 'plain'], ['normals', 'normals']])
      if (value === 'plain' || value === 'normals' || has(value)) colour.append(new Option(text, value));
    colour.value = [...colour.options].some((option) => option.value === kept) ? kept : colour.options[0].value;
  };
  const addMeshBoxes = (meshes, hasPhotographs, onPanesChanged) => {
    meshBoxes.textContent = '';
    const addBox = (name, value, checked) => {
      const box = document.createElement('input');
      Object.assign(box, { type: 'checkbox', value, checked });
      box.addEventListener('change', onPanesChanged);
      labelled(meshBoxes, name, box);
    };
    if (hasPhotographs) addBox('photograph', kPhotograph, true);
    meshes.forEach((mesh, i) => addBox(mesh.source.name, i, meshBoxes.children.length < kMaxPanes));
  };
  const fillSides = (meshes, hasPhotographs) => {
    // At first the sides are the last two stages; the truth is no stage.
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
    /** Position of a wipe's seam, from 0 (left) to 1. */
    seam: () => Number(seam.value),
    setSeam: (to) => { seam.value = Math.max(0, Math.min(1, to)); },
    /** Returns the chosen panes, as lists of contents; hides the controls of the other layout. */
    panes: () => {
      meshBoxes.hidden = isWipe();
      for (const control of [...sides, seam]) control.parentNode.hidden = !isWipe();
      if (isWipe()) return [sides.map(meshIndexOf)];
      return [...meshBoxes.querySelectorAll('input')].filter((box) => box.checked).map((box) => [meshIndexOf(box)]);
    },
    /** Makes the choices of a new result. `onPanesChanged` is called when a box is checked or cleared. */
    setResult: (meshes, hasPhotographs, onPanesChanged) => {
      fillColourings(meshes);
      addMeshBoxes(meshes, hasPhotographs, onPanesChanged);
      fillSides(meshes, hasPhotographs);
      layout.parentNode.hidden = meshes.length < 2;
      if (meshes.length < 2) layout.value = 'side';
    },
    /** Sets the functions that the controls call; `onPhotographChosen`: a side of the wipe became the photograph. */
    listen: ({ onPanesChanged, onPhotographChosen, onColouringChanged, onSeamMoved, onReset }) => {
      layout.addEventListener('change', onPanesChanged);
      for (const side of sides)
        side.addEventListener('change', () => {
          onPanesChanged();
          if (meshIndexOf(side) === null) onPhotographChosen();
        });
      colour.addEventListener('change', onColouringChanged);
      seam.addEventListener('input', onSeamMoved);
      reset.addEventListener('click', onReset);
    },
  };
};
