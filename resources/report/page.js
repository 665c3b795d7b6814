// Draws all sections, and draws them again when the page changes size or is printed.

function drawAll() {
  drawProtocols();
  drawTiles();
  drawFitVerdict();
  drawCategories();
  drawFitted();
  drawHistograms();
  drawScatter();
  drawSamples();
}

drawTitle();
setUpSamples();
drawTimings();
drawLists();
drawFailed();
drawRun();
drawAll();
addEventListener('resize', () => { drawCategories(); drawSamples(); });
for (const [id, field, draw] of [['all-columns', 'allColumns', drawSamples], ['all-measures', 'allMeasures', drawCategories]])
  byId(id).addEventListener('change', () => { state[field] = byId(id).checked; draw(); });
addEventListener('beforeprint', drawRowsToPrint);
addEventListener('afterprint', redrawRows);
