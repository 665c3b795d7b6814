// Facts of the run and of its machines.

function facts(entries) {
  return html('dl', {}, entries.filter(([, value]) => value !== '' && value !== undefined && value !== null)
    .flatMap(([key, value]) => [html('dt', {}, key), html('dd', {}, String(value))]));
}

function drawRun() {
  const run = data.run;
  byId('run').replaceChildren(
    facts([
      ['list', run.list], ['list hash', run.list_hash], ['model', run.model_file], ['model hash', run.model_hash],
      ['sampler', run.sampler], ['backend', run.backend_description], ['precision', run.precision],
      ['views', run.views_text], ['τ', `${run.tau} object units², on squared distances`],
      ['object units', 'a ShapeNet model’s box has a diagonal of 0.57; coordinates are in the first view’s camera space'],
      ['begun', run.begun], ['wall time', run.seconds > 0 ? `${whole(Math.round(run.seconds))} s` : ''],
    ]),
    ...run.machines.map((machine) => facts([
      ['processor', machine.processor], ['instructions', machine.instructions], ['threads', machine.threads || ''],
      ['memory', machine.memory], ['system', machine.system], ['GPU', machine.gpu || 'none used'],
      ['driver', machine.driver], ['libraries', machine.libraries],
    ])));
}
