// Title, protocols, tiles with the main numbers, and the verdict on the fit.

function drawTitle() {
  const run = data.run;
  const list = run.list || 'a list';
  byId('title').textContent = `Evaluation of ${list}`;
  document.title = `Threefold: evaluation of ${list}`;
  const parts = [`Threefold ${run.version}`, `${whole(count)} sample${count === 1 ? '' : 's'}`];
  if (count !== run.list_size) parts.push(`of a list of ${whole(run.list_size)}`);
  if (run.shard.count > 1) parts.push(`shard ${run.shard.index + 1}/${run.shard.count}`);
  parts.push(`${run.backend}, ${run.precision}`, `views ${run.views_text}`);
  if (run.begun) parts.push(run.begun.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC'));
  byId('subtitle').textContent = parts.join(' · ');
}

/** Explains Δ and the intervals, of scores and of overlaps alike. */
const intervalsText = () => `${hasTwoMeshes ? `Δ is ${resultMesh} − ${firstMesh}; ` : ''}intervals are 95 % of the mean (percentile bootstrap), from four samples on.`;

/** Explains the numbers of the chosen protocol, or without a truth, of the comparison with photographs; empty without either. */
function protocolText(chosen) {
  if (!hasScores && hasSilhouettes) {
    return 'No sample has a ground truth: the meshes are compared with the photographs they were made from. ' + intervalsText();
  }
  if (!chosen) return '';
  return `${protocolTitle(chosen.name)} protocol: ${chosen.description}. ` +
    `τ = ${data.run.tau} object units² of squared distance, a distance of ${Number(Math.sqrt(data.run.tau).toPrecision(3))}; ` +
    `${intervalsText()} ` +
    'Chamfer: mean squared distance, both ways; less is better. F(τ): harmonic mean of precision and recall, the percentages of points of the ' +
    'mesh and of the truth whose squared distance to the other is at most τ; more is better.';
}

function drawProtocols() {
  segments(byId('protocols'), data.run.protocols.map(({ name }) => [name, protocolTitle(name)]), state.protocol, (name) => {
    state.protocol = name;
    drawAll();
  });
  byId('protocols').hidden ||= !hasScores;
  byId('protocol-text').textContent = protocolText(data.run.protocols.find(({ name }) => name === state.protocol));
}

function tile(label, value, unit, details, isPair = false) {
  return html('div', { class: isPair ? 'tile pair' : 'tile' }, [
    html('div', { class: 'label' }, label),
    html('div', { class: 'value' }, [value, unit ? html('small', {}, ` ${unit}`) : null]),
    ...details.map((detail) => html('div', { class: 'detail' }, detail)),
  ]);
}

function measureTile(key) {
  const label = shortTitleOf(key), unit = shortUnitOf(key) || 'of 1';
  const statistics = statisticsOf(data.all, key);
  if (!statistics || !statistics[resultMesh]) return tile(label, kNotMeasured, '', ['no scores']);
  const fittedMean = statistics[fitted] && statistics[fitted].mean;
  const changeDetail = (step, delta) => [[`${step} `, html('span', { class: sureVerdict(key, delta) }, formatted(key, delta.mean, true))],
    ...(hasInterval(delta) ? [[html('span', { class: 'muted' }, intervalText(key, delta))]] : [])];
  const details = hasTwoMeshes ? [[`${firstMesh} ${formatted(key, statistics[firstMesh] && statistics[firstMesh].mean)}`]] : [];
  if (statistics.difference) details.push(...changeDetail('refinement', statistics.difference));
  if (statistics.fitted_difference) details.push(...changeDetail('fit', statistics.fitted_difference));
  const hasFit = fittedMean !== undefined && fittedMean !== null;
  return tile(hasFit ? `${label}, ${resultMesh} → ${fitted}` : `${label}, ${resultMesh}`,
    hasFit ? `${formatted(key, statistics[resultMesh].mean)} → ${formatted(key, fittedMean)}` : formatted(key, statistics[resultMesh].mean),
    unit, details, hasFit);
}

/** How many of the changes of a measure are for the worse. */
const worseCount = (key, changes) => changes.filter((change) => verdict(key, change) === 'bad').length;

/** Details of the tile of worse samples: the measure that decides, then how many are worse by others. */
function worseByRefinement() {
  const others = ['f_tau', 'overlap'].filter(isMeasured).map((key) => {
    return `by ${inSentence(measures[key].title)} ${whole(worseCount(key, changesOf(key, firstMesh, resultMesh)))}`;
  });
  return ['by the Chamfer distance', ...others];
}

/** A detail, "fit: 2 of 40 worse"; null without a fit. */
function worseByFit(key) {
  if (!data.run.fit) return null;
  const [worse, all] = countsOfFit(key);
  return html('span', { class: worse ? 'bad' : null }, `fit: ${whole(worse)} of ${whole(all)} worse`);
}
/** Returns [number of samples that the fit made worse by a measure, number of measured ones]. */
function countsOfFit(key) {
  const changes = changesOf(key, resultMesh, fitted);
  return [worseCount(key, changes), changes.length];
}

/** A measure's title within a sentence: F(τ) and Chamfer keep their capitals. */
const inSentence = (title) => title.replace(/^Silhouette/, 'silhouette');
/** Titles as a list within a sentence: "F(τ), Chamfer distance and silhouette overlap". */
function joinTitles(titles, last) {
  const words = titles.map(inSentence);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}` : words.join('');
}

/** Draws the verdict on the fit: its mean changes, and how many samples it made worse. */
function drawFitVerdict() {
  const parts = { better: [], worse: [], 'not shown to differ': [] };
  const keys = ['f_tau', 'chamfer', 'overlap'].filter(isMeasured);
  for (const key of keys) {
    const delta = statisticsOf(data.all, key)?.fitted_difference;
    if (delta) parts[{ good: 'better', bad: 'worse' }[sureVerdict(key, delta)] || 'not shown to differ'].push(measures[key].title);
  }
  const means = Object.entries(parts).filter(([, titles]) => titles.length).map(([word, titles]) => `${word} by ${joinTitles(titles, 'and')}`);
  const counted = keys.map((key) => [measures[key].title, ...countsOfFit(key)]).filter(([, , all]) => all);
  const counts = counted.some(([, worse]) => worse)
    ? counted.map(([title, worse, all]) => `${whole(worse)} of ${whole(all)} samples are worse by ${inSentence(title)}`).join(', ')
    : counted.length ? `No sample is worse by ${joinTitles(counted.map(([title]) => title), 'or')}` : '';
  byId('fit-verdict').hidden = !data.run.fit || !means.length;
  byId('fit-verdict').textContent = `The fit, on average: ${means.join('; ')}.${counts ? ` ${counts}.` : ''}`;
  byId('fit-caution').hidden = byId('fit-verdict').hidden || !hasSilhouettes;
}

/** How many samples have no truth, and how many failed. */
function outcomeDetails() {
  const { without_truth: withoutTruth, failed } = data.all;
  return [
    withoutTruth ? `${whole(withoutTruth)} without a truth` : null,
    failed ? html('span', { class: 'bad' }, `${whole(failed)} failed`) : 'none failed',
  ].filter(Boolean);
}

function truthTiles() {
  const { scored, regressed: worse } = groupScores(data.all) || { scored: 0, regressed: 0 };
  const details = scored ? (hasTwoMeshes ? worseByRefinement() : []) : ['no scores'];
  const rest = [...details, worseByFit('chamfer'), ...outcomeDetails()].filter(Boolean);
  return [
    measureTile('chamfer'),
    measureTile('f_tau'),
    measureTile('f_2tau'),
    hasTwoMeshes ? tile('Worse after refinement', whole(worse), `of ${whole(scored)}`, rest) : tile('Scored', whole(scored), '', rest),
  ];
}

function photographTiles() {
  const { regressed: worse, measured } = data.all.silhouettes;
  if (hasScores) return [measureTile('overlap')];
  const rest = [worseByFit('overlap'), ...outcomeDetails()].filter(Boolean);
  return [
    measureTile('overlap'),
    measureTile('outline_distance'),
    hasTwoMeshes ? tile('Worse after refinement', whole(worse), `of ${whole(measured)}`, ['by the overlap', ...rest]) : tile('Measured', whole(measured), '', rest),
  ];
}

function networkTile() {
  const { network, parts, samples_per_second: rate } = data.timing;
  if (!network) return tile('Network alone, mean', kNotMeasured, '', ['no times']);
  const percentile = hasPercentiles(network) ? ` · p95 ${milliseconds(network.p95)}` : '';
  return tile(fitsBeside ? 'Network beside fits, mean' : 'Network alone, mean', milliseconds(network.mean), 'ms', [
    `± ${milliseconds(network.deviation)} · median ${milliseconds(network.median)}${percentile}`,
    ...parts.filter(({ key, mean }) => key === 'fit' && mean > 0).map(({ mean }) => `a fit ran beside it: ${milliseconds(mean)} ms`),
    `${rate.toFixed(rate < 100 ? 2 : 0)} samples/s`,
  ]);
}

function drawTiles() {
  byId('headline').replaceChildren(
    ...(hasScores || !hasSilhouettes ? truthTiles() : []),
    ...(hasSilhouettes ? photographTiles() : []),
    networkTile());
}
