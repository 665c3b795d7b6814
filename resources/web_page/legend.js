// The legend of a viewer: the colour map of the chosen values, its range, and vertices without a value.

/** Returns a function that shows the legend of `meshes`, coloured by `colouring`. */
const makeLegend = (legend, scales) => {
  const { element, css, number } = viewerElements;

  return (meshes, colouring) => {
    legend.textContent = '';
    const available = meshData.fields.filter((field) => meshes.some((mesh) => mesh[field]));
    legend.hidden = !available.length;
    if (!available.length) return;
    const field = available.includes(colouring) ? colouring : available[0];
    legend.classList.toggle('idle', field !== colouring);  // hidden, but keeps its room
    const { caption, table, min, max, logarithmic } = scales[field];
    element(legend, 'div', 'caption', caption);
    const stops = Array.from({ length: 33 }, (_, i) => css(table[Math.round(i / 32 * (table.length - 1))]));
    element(legend, 'div', 'map').style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    const ticks = element(legend, 'div', 'ticks');
    const colouredBy = (mesh) => mesh[field] && !mesh.source.max_shown_distance;
    const above = meshes.some((mesh) => colouredBy(mesh) && mesh[field].some((value) => value > max));
    const below = meshes.some((mesh) => colouredBy(mesh) && mesh[field].some((value) => value < min));
    const tick = (at, text) => {
      const mark = element(ticks, 'span', at < 0.02 ? 'first' : at > 0.98 ? 'last' : '', text);
      mark.style.left = `${100 * at}%`;
    };
    tick(0, (below ? '≤ ' : '') + number(min));
    tick(1, (above ? '≥ ' : '') + number(max));
    const inner = logarithmic ? [0.25, 0.5, 0.75].map((t) => [t, min * (max / min) ** t])
      : plots.ticksOf(min, max, 5, [1, 2, 2.5, 5, 10]).map((value) => [(value - min) / (max - min), value]);
    for (const [at, value] of inner) if (at > 0.1 && at < 0.86) tick(at, number(value));
    const red = meshes.find((mesh) => mesh.source.max_shown_distance);
    if (red) element(legend, 'div', `caption missing${colouring === 'values' ? '' : ' unused'}`, `${red.source.name}: ${red.source.beyond_max_text}`);
  };
};
