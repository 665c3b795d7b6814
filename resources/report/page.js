// Draws all sections, and again where the page changes or is printed.

function drawAll() {
  drawProtocols();
  drawHeadline();
  drawFitVerdict();
  drawCategories();
  drawFitted();
  drawHistograms();
  drawScatter();
  drawSamples();
}

drawHead();
setUpSamples();
drawTimings();
drawLists();
drawFailed();
drawRun();
drawAll();
addEventListener('resize', () => { drawCategories(); drawSamples(); });
for (const [id, field, draw] of [['all-columns', 'allColumns', drawSamples], ['all-measures', 'allMeasures', drawCategories]])
  byId(id).addEventListener('change', () => { state[field] = byId(id).checked; draw(); });
addEventListener('beforeprint', () => {  // at most 500 rows: a book is no report
  drawn = [-1, -1];
  drawRows(true);
});
addEventListener('afterprint', redrawRows);
