// The table of a viewer: histograms, measures and properties of each mesh, with notes beside it.

/** Returns a function that shows the table of `meshes`. `measures`: heading and better direction of each measure. */
const makeMeasuresTable = (tables, notes, scales, measures) => {
  const { element, css, number, whole } = viewerElements;
  const kFairVertexRatio = 2;  // largest ratio of numbers of vertices at which measures compare meshes fairly

  const addHistogram = (cell, values, scale) => {
    const kBins = 50, { min, max, logarithmic, table } = scale;
    const positionOf = logarithmic ? (v) => Math.log(v / min) / Math.log(max / min) : (v) => (v - min) / (max - min);
    const bins = new Array(kBins).fill(0);
    for (const value of values) {
      const at = positionOf(value);
      if (at >= 0 && at <= 1) ++bins[Math.min(Math.floor(at * kBins), kBins - 1)];
    }
    const fullest = Math.max(...bins, 1);
    const chart = plots.svg('svg', { viewBox: `0 0 ${kBins} 20`, preserveAspectRatio: 'none' });
    bins.forEach((count, i) => chart.append(plots.svg('rect', { x: i, width: 1, y: 20 - 20 * count / fullest,
      height: 20 * count / fullest, fill: css(table[Math.round((i + 0.5) / kBins * (table.length - 1))]) })));
    cell.append(chart);
  };

  /** Returns the text of the best of a measure's numbers; undefined if fewer than two were measured. */
  const bestText = (numbers, better) => {
    const measured = numbers.filter(({ value }) => value !== null);
    if (measured.length < 2) return undefined;
    const sign = better === 'less' ? 1 : -1;
    return measured.reduce((best, each) => (sign * each.value < sign * best.value ? each : best)).text;
  };

  /** Warns of meshes whose numbers of vertices differ so much that some measures favour the larger ones. */
  const addVertexWarning = (columns) => {
    const counts = columns.filter((mesh) => mesh.source.faces && mesh.source.numbers.length).map((mesh) => mesh.source.vertices);
    if (Math.max(...counts) <= kFairVertexRatio * Math.min(...counts)) return;
    element(notes, 'p', 'warning', `These meshes have from ${whole(Math.min(...counts))} to ${whole(Math.max(...counts))} vertices. ` +
      'Chamfer, F, precision and recall compare vertices with the points of the truth, which favours more vertices. ' +
      'Measures of 10\u00a0000 points of each surface do not favour either.');
  };

  /** Adds a row of a table's section: a heading, and a cell for each column, filled by fillCell(cell, mesh, index). */
  const addRow = (section, columns, heading, fillCell) => {
    const line = element(section, 'tr');
    element(line, 'th', '', heading);
    columns.forEach((mesh, i) => fillCell(element(line, section.tagName === 'THEAD' ? 'th' : 'td'), mesh, i));
  };

  const addHistogramRows = (body, columns) => {
    for (const field of meshData.fields)
      if (columns.some((mesh) => mesh[field]))
        addRow(body, columns, `${scales[field].caption}: from ${number(scales[field].min)} to ${number(scales[field].max)}, each to its own highest bar`,
          (cell, mesh) => { if (mesh[field]) addHistogram(cell, mesh[field], scales[field]); });
  };

  const addMeasureRows = (body, columns) => measures.forEach(({ heading, better }, i) => {
    const numbers = columns.map((mesh) => mesh.source.numbers[i] || { text: '–', value: null });
    if (numbers.every(({ text }) => text === '–')) return;
    const best = bestText(numbers, better);
    addRow(body, columns, heading, (cell, _, k) => {
      cell.textContent = numbers[k].text;
      cell.classList.toggle('best', numbers[k].value !== null && numbers[k].text === best);  // equal texts are all marked
    });
  });

  /** Adds numbers of vertices and faces, and properties that only surfaces have. */
  const addPropertyRows = (body, columns) => {
    addRow(body, columns, 'vertices', (cell, mesh) => { cell.textContent = whole(mesh.source.vertices); });
    addRow(body, columns, 'faces', (cell, mesh) => { cell.textContent = mesh.source.faces ? whole(mesh.source.faces) : '–'; });
    if (!columns.some((mesh) => mesh.source.faces)) return;
    const properties = [['connected parts', ({ components }) => whole(components)], ['watertight', ({ watertight }) => (watertight ? 'yes' : 'no')],
      ['handles: holes that lead through', ({ handles }) => (handles === null ? '–' : whole(handles))]];
    for (const [heading, text] of properties)
      addRow(body, columns, heading, (cell, mesh) => { cell.textContent = mesh.source.faces ? text(mesh.source) : '–'; });
  };

  return (meshes) => {
    tables.textContent = '';
    notes.textContent = '';
    // The truth is not compared with itself.
    const columns = meshes.filter((mesh) => mesh.source.numbers.length || mesh.source.name !== 'truth');
    addVertexWarning(columns);
    const table = element(tables, 'table');
    addRow(element(table, 'thead'), columns, '', (cell, mesh) => { cell.textContent = mesh.source.name; });
    const body = element(table, 'tbody');
    addHistogramRows(body, columns);
    addMeasureRows(body, columns);
    addPropertyRows(body, columns);
    if (measures.length && meshes.some((mesh) => mesh.source.numbers.length))
      element(notes, 'p', 'hint', 'Against the truth. Chamfer: mean squared distances of both ways, summed. F: points within a threshold of the other side, ' +
        'precision and recall in one. ↓: less is better, ↑: more is better, bold: the best. The box of a ShapeNet model has a diagonal of 0.57 object units.');
    const truth = meshes.find((mesh) => !columns.includes(mesh));
    if (truth) element(notes, 'p', 'hint', `The truth has ${whole(truth.source.vertices)} ${truth.source.faces ? 'vertices' : 'points'} here.`);
  };
};
