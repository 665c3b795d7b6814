
// What stands in the page comes from here, through textContent and attributes alone: names of
// samples are whatever files are called, and never markup.

const data = JSON.parse(document.getElementById('data').textContent);
const samples = data.samples;
const count = samples.name.length;
const measures = Object.fromEntries([...data.measures, ...data.silhouette_measures, ...data.surface_measures].map((m) => [m.key, m]));
const ofSilhouettes = new Set(data.silhouette_measures.map((m) => m.key));
const ofDistances = new Set(data.surface_measures.map((m) => m.key));
const hasScores = data.run.protocols.some((p) => data.all.protocols[p.name].scored);
const hasSilhouettes = data.all.silhouettes.measured > 0;
const hasDistances = data.all.distances.measured > 0;
const state = {
  protocol: data.run.protocols.length ? data.run.protocols[0].name : '',
  scatter: hasScores ? 'chamfer' : 'overlap',
  sort: { key: 'position', down: false },
  text: '', category: '', status: '',
  allColumns: false, allMeasures: false, list: '',
  current: -1,
};

// ---- Building blocks ------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...[children ?? []].flat().filter((child) => child !== null && child !== undefined));
  return element;
}
const html = (name, attributes, children) => fill(document.createElement(name), attributes, children);
const svg = (name, attributes, children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

/** A row of buttons of which one is chosen, reached by arrow keys. */
function segments(element, entries, chosen, choose) {
  const buttons = entries.map(([key, title]) => html('button', {
    type: 'button', role: 'radio', 'aria-checked': String(key === chosen), tabindex: key === chosen ? 0 : -1,
    onclick: () => choose(key),
    onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const at = entries.findIndex((entry) => entry[0] === key);
      choose(entries[(at + step + entries.length) % entries.length][0]);
      element.querySelector('[aria-checked="true"]').focus();
    },
  }, title));
  element.replaceChildren(...buttons);
  element.hidden = entries.length < 2;
}

// ---- Numbers --------------------------------------------------------------------------------

const missing = '–';

function decimalsOf(key) {
  if (isSquared(key) || key === 'overlap') return 3;
  return measures[key] && ['%', 'pixels'].includes(measures[key].unit) ? 2 : 4;
}
const isSquared = (key) => measures[key]?.unit === 'object units²';
const scaled = (key, value) => (isSquared(key) ? value * 1e4 : value);
const grouped = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
const whole = (value) => grouped(String(value));

function shown(key, value, sign) {
  if (value === null || value === undefined) return missing;
  const digits = Math.abs(scaled(key, value)).toFixed(decimalsOf(key));
  if (!/[1-9]/.test(digits)) return digits;
  return (value < 0 ? '−' : sign ? '+' : '') + digits;
}
function milliseconds(value) {
  if (value === null || value === undefined) return missing;
  return value < 10 ? value.toFixed(2) : value < 1000 ? value.toFixed(1) : whole(Math.round(value));
}
const unitOf = (key) => (isSquared(key) ? '10⁻⁴ object units²' : measures[key].unit);
/** 'good', 'bad' or nothing: which way a difference of a measure points. */
function verdict(key, difference) {
  if (!difference) return '';
  return (difference < 0) === (measures[key].better === 'less') ? 'good' : 'bad';
}
/** Below four samples the bootstrap's interval is from the smallest to the largest of them, and says nothing. */
const hasInterval = (found) => Boolean(found) && found.count >= 4;
/** The same of a mean difference, where its interval excludes zero. */
const sureVerdict = (key, found) => (hasInterval(found) && (found.low > 0 || found.high < 0) ? verdict(key, found.mean) : '');
/** "(−0.71 … −0.34)"; nothing below four samples. */
const intervalText = (key, found) => (hasInterval(found) ? `(${shown(key, found.low, true)} … ${shown(key, found.high, true)})` : '');
const difference = (a, b) => (a === null || b === null ? null : b - a);

const scores = () => samples.scores[state.protocol];
const groupScores = (group) => group.protocols[state.protocol];
/** What a mesh measures in each sample: silhouettes or distances, whatever the protocol, or scores. */
const valuesOf = (mesh, key) => (ofSilhouettes.has(key) ? samples.silhouettes : ofDistances.has(key) ? samples.distances : scores() || {})[mesh]?.[key] || samples.name.map(() => null);
const statisticsOf = (group, key) => (ofSilhouettes.has(key) ? group.silhouettes : ofDistances.has(key) ? group.distances : groupScores(group) || { measures: {} }).measures[key];
const paper = 'authors’';
const protocolTitle = (name) => name.charAt(0).toUpperCase() + name.slice(1);
const isFailed = (i) => samples.error[i] !== undefined;
/** The network's published meshes; `result` is its last one. A model without stage 2 has one. */
const networkMeshes = data.network_meshes, fitted = 'fitted';
const first = networkMeshes[0], result = networkMeshes[networkMeshes.length - 1];
const compares = first !== result;
const isScored = (i) => valuesOf(result, 'chamfer')[i] !== null;
const overlapsLess = (i) => samples.silhouettes[result].overlap[i] < samples.silhouettes[first].overlap[i];  // null < null is false
/** By the truth; where there is none, by the photographs. */
const isWorse = (i) => (isScored(i) ? scores().regressed[i] === 1 : overlapsLess(i));

// ---- Head -----------------------------------------------------------------------------------

function drawHead() {
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

function drawProtocols() {
  segments(byId('protocols'), run_protocols(), state.protocol, (name) => {
    state.protocol = name;
    drawAll();
  });
  byId('protocols').hidden ||= !hasScores;
  const chosen = data.run.protocols.find((p) => p.name === state.protocol);
  byId('protocol-text').textContent = !hasScores && hasSilhouettes
    ? 'No sample has a ground truth: the meshes are compared with the photographs they were made from. ' +
      `${compares ? `Δ is ${result} − ${first}; ` : ''}intervals are 95 % of the mean (percentile bootstrap), from four samples on.`
    : chosen
    ? `${protocolTitle(chosen.name)} protocol: ${chosen.description}. ` +
      `τ = ${data.run.tau} object units² of squared distance, a distance of ${Number(Math.sqrt(data.run.tau).toPrecision(3))}; ` +
      `${compares ? `Δ is ${result} − ${first}; ` : ''}intervals are 95 % of the mean (percentile bootstrap), from four samples on. ` +
      'Chamfer: mean squared distance, both ways; less is better. F(τ): points whose squared distance to the other side is at most τ, precision ' +
      'and recall in one; more is better.'
    : '';
}
const run_protocols = () => data.run.protocols.map((p) => [p.name, protocolTitle(p.name)]);

function tile(label, value, unit, details, isPair = false) {
  return html('div', { class: isPair ? 'tile pair' : 'tile' }, [
    html('div', { class: 'label' }, label),
    html('div', { class: 'value' }, [value, unit ? html('small', {}, ` ${unit}`) : null]),
    ...details.map((detail) => html('div', { class: 'detail' }, detail)),
  ]);
}

function measureTile(key, label, unit) {
  const found = statisticsOf(data.all, key);
  if (!found || !found[result]) return tile(label, missing, '', ['no scores']);
  const after = found[fitted] && found[fitted].mean;
  const change = (by, delta) => [[`${by} `, html('span', { class: sureVerdict(key, delta) }, shown(key, delta.mean, true))],
    ...(hasInterval(delta) ? [[html('span', { class: 'muted' }, intervalText(key, delta))]] : [])];
  const details = compares ? [[`${first} ${shown(key, found[first] && found[first].mean)}`]] : [];
  if (found.difference) details.push(...change('refinement', found.difference));
  if (found.fitted_difference) details.push(...change('fit', found.fitted_difference));
  return tile(after ? `${label}, ${result} → ${fitted}` : `${label}, ${result}`,
    [after ? `${shown(key, found[result].mean)} → ${shown(key, after)}` : shown(key, found[result].mean)], unit, details, Boolean(after));
}

/** How many samples refinement made worse, by the measures beside the one that counts as worse. */
function worseByRefinement() {
  const others = [...(hasScores ? ['f_tau'] : []), ...(hasSilhouettes ? ['overlap'] : [])].map((key) => {
    const before = valuesOf(first, key), after = valuesOf(result, key);
    const changes = samples.name.map((_, i) => difference(before[i], after[i])).filter((value) => value !== null);
    return `by ${inSentence(measures[key].title)} ${whole(changes.filter((value) => verdict(key, value) === 'bad').length)}`;
  });
  return ['by the Chamfer distance', ...others];
}

/** How many samples the fit made worse, said plainly. */
function worseByFit(key) {
  if (!data.run.fit) return null;
  const [worse, all] = worseOf(key);
  return html('span', { class: worse ? 'bad' : null }, `fit: ${whole(worse)} of ${whole(all)} worse`);
}
/** How many samples the fit made worse, of how many. */
function worseOf(key) {
  const before = valuesOf(result, key), after = valuesOf(fitted, key);
  const changes = samples.name.map((_, i) => difference(before[i], after[i])).filter((value) => value !== null);
  return [changes.filter((value) => verdict(key, value) === 'bad').length, changes.length];
}

/** A measure's title within a sentence: F(τ) and Chamfer keep their capitals. */
const inSentence = (title) => title.replace(/^Silhouette/, 'silhouette');
/** "F(τ), Chamfer distance and silhouette overlap" */
function listed(titles, last) {
  const words = titles.map(inSentence);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}` : words.join('');
}

/** What the fit changed in the mean, by the intervals, and how many samples it made worse. */
function drawFitVerdict() {
  const parts = { better: [], worse: [], 'not shown to differ': [] };
  for (const key of [...(hasScores ? ['f_tau', 'chamfer'] : []), ...(hasSilhouettes ? ['overlap'] : [])]) {
    const delta = statisticsOf(data.all, key)?.fitted_difference;
    if (delta) parts[{ good: 'better', bad: 'worse' }[sureVerdict(key, delta)] || 'not shown to differ'].push(measures[key].title);
  }
  const means = Object.entries(parts).filter(([, titles]) => titles.length).map(([word, titles]) => `${word} by ${listed(titles, 'and')}`);
  const counted = [...(hasScores ? ['f_tau', 'chamfer'] : []), ...(hasSilhouettes ? ['overlap'] : [])]
    .map((key) => [measures[key].title, ...worseOf(key)]).filter(([, , all]) => all);
  const counts = counted.some(([, worse]) => worse)
    ? counted.map(([title, worse, all]) => `${whole(worse)} of ${whole(all)} samples are worse by ${inSentence(title)}`).join(', ')
    : counted.length ? `No sample is worse by ${listed(counted.map(([title]) => title), 'or')}` : '';
  byId('fit-verdict').hidden = !data.run.fit || !means.length;
  byId('fit-verdict').textContent = `The fit, on average: ${means.join('; ')}.${counts ? ` ${counts}.` : ''}`;
  byId('fit-caution').hidden = byId('fit-verdict').hidden || !hasSilhouettes;
}

/** Below twenty samples the 95th percentile is the largest value. */
const hasPercentiles = (statistics) => statistics.count >= 20;

/** Fits take the processor from the network that they run beside. */
const fitsBeside = data.timing.parts.some(({ key, mean }) => key === 'fit' && mean > 0);

function drawHeadline() {
  const summary = groupScores(data.all) || { scored: 0, regressed: 0 };
  const network = data.timing.network;
  const seen = data.all.silhouettes;
  const outcome = [
    data.all.without_truth ? `${whole(data.all.without_truth)} without a truth` : null,
    data.all.failed ? html('span', { class: 'bad' }, `${whole(data.all.failed)} failed`) : 'none failed',
  ].filter(Boolean);
  const byTruth = [
    measureTile('chamfer', 'Chamfer', '× 10⁻⁴'),
    measureTile('f_tau', 'F(τ)', '%'),
    measureTile('f_2tau', 'F(2τ)', '%'),
    tile(compares ? 'Worse after refinement' : 'Scored', whole(compares ? summary.regressed : summary.scored), compares ? `of ${whole(summary.scored)}` : '', [
      ...(!summary.scored ? ['no scores'] : compares ? worseByRefinement() : []), worseByFit('chamfer'), ...outcome,
    ].filter(Boolean)),
  ];
  const byPhotographs = [
    measureTile('overlap', 'Overlap', 'of 1'),
    ...(hasScores ? [] : [
      measureTile('outline_distance', 'Distance of the outlines', 'pixels'),
      tile('Worse after refinement', whole(seen.regressed), `of ${whole(seen.measured)}`,
        ['by the overlap', worseByFit('overlap'), ...outcome].filter(Boolean)),
    ]),
  ];
  byId('headline').replaceChildren(
    ...(hasScores || !hasSilhouettes ? byTruth : []),
    ...(hasSilhouettes ? byPhotographs : []),
    network
      ? tile(fitsBeside ? 'Network beside fits, mean' : 'Network alone, mean', milliseconds(network.mean), 'ms', [
        `± ${milliseconds(network.deviation)} · median ${milliseconds(network.median)}${hasPercentiles(network) ? ` · p95 ${milliseconds(network.p95)}` : ''}`,
        ...data.timing.parts.filter(({ key, mean }) => key === 'fit' && mean > 0).map(({ mean }) => `a fit ran beside it: ${milliseconds(mean)} ms`),
        `${data.timing.samples_per_second.toFixed(data.timing.samples_per_second < 100 ? 2 : 0)} samples/s`,
      ])
      : tile('Network alone, mean', missing, '', ['no times']));
}

// ---- Categories -----------------------------------------------------------------------------

/** The interval of the result's mean over the first mesh's, on a scale shared by all rows. */
function intervalBar(found, key, scale, published) {
  if (!found || !found[result]) return null;
  const x = (value) => 4 + 60 * (value - scale[0]) / (scale[1] - scale[0] || 1);
  const bar = (s, y, colour, height) => [
    hasInterval(s) && svg('rect', { x: x(s.low), y: y - height / 2, width: Math.max(1, x(s.high) - x(s.low)), height, fill: colour, opacity: .45 }),
    svg('rect', { x: x(s.mean) - 1, y: y - 3.5, width: 2, height: 7, fill: colour }),
  ];
  const parts = [svg('line', { class: 'axis', x1: 4, x2: 64, y1: 19.5, y2: 19.5 })];
  if (compares && found[first]) parts.push(...bar(found[first], 5, 'var(--muted)', 3));
  parts.push(...bar(found[result], 13, 'var(--accent)', 3));
  if (published !== undefined) {
    parts.push(svg('circle', { cx: x(published), cy: 13, r: 3, fill: 'var(--panel)', stroke: 'var(--hot)', 'stroke-width': 1.5 }));
  }
  const label = networkMeshes.filter((mesh) => found[mesh]).map((mesh) =>
    `${mesh} ${shown(key, found[mesh].mean)} (${shown(key, found[mesh].low)} … ${shown(key, found[mesh].high)})`).join('\n');
  return fill(svg('svg', { viewBox: '0 0 68 20', width: 68, height: 20, style: 'width:68px', role: 'img',
                           'aria-label': label }, parts), tipFor(() => label));
}

function drawCategories() {
  const groups = [data.all, ...(data.categories.length > 1 || data.categories.some((g) => g.category) ? data.categories : [])];
  const shownGroups = groups.filter((group) => (groupScores(group) && groupScores(group).scored) || group.silhouettes.measured);
  byId('categories-section').hidden = !shownGroups.length;
  if (!shownGroups.length) return;
  const comparable = hasScores && state.protocol === 'published' && data.run.tau === 1e-4 &&
    groups.some((group) => group.published);
  const all = [...(hasScores ? ['chamfer', 'f_tau'] : []), ...(hasSilhouettes ? ['overlap'] : []),
    ...(hasDistances ? ['surface_mean'] : []), ...(hasScores ? ['f_2tau'] : ['outline_distance'])];
  // By importance, as many as fit.
  const box = byId('categories').parentElement;
  const fits = () => byId('categories').offsetWidth <= box.clientWidth;
  let kept = all.length;
  drawCategoryTable(groups, shownGroups, all, comparable);
  while (!state.allMeasures && kept > 1 && !fits()) drawCategoryTable(groups, shownGroups, all.slice(0, --kept), comparable);
  byId('all-measures-label').hidden = kept === all.length && !state.allMeasures;
  byId('categories-note').replaceChildren(
    ...(compares ? [html('span', { class: 'key', style: 'background:var(--muted)' }), html('span', {}, first)] : []),
    html('span', { class: 'key', style: 'background:var(--accent)' }), html('span', {}, result),
    ...(comparable ? [
      html('span', { class: 'key', style: 'border:1.5px solid var(--hot)' }),
      html('span', {}, data.published_label.replace(/^published/, paper)),
    ] : []));
}

function drawCategoryTable(groups, shownGroups, keys, comparable) {
  const isComparable = (key) => comparable && !ofSilhouettes.has(key) && !ofDistances.has(key);
  const scales = Object.fromEntries(keys.map((key) => {
    const values = shownGroups.flatMap((group) => {
      const found = statisticsOf(group, key) || {};
      return networkMeshes.map((mesh) => found[mesh]).filter(Boolean).flatMap((s) => [s.low, s.high])
        .concat(isComparable(key) && group.published ? [group.published[key]] : []);
    });
    return [key, [Math.min(...values), Math.max(...values)]];
  }));
  const titles = { chamfer: 'Chamfer distance, × 10⁻⁴', f_tau: 'F(τ), %', f_2tau: 'F(2τ), %',
                   overlap: 'Silhouette overlap', outline_distance: 'Outlines, pixels apart',
                   surface_mean: 'Distance to the surface, object units' };
  const over = html('tr', { class: 'over' }, [
    html('th', { colspan: 3 }),
    ...keys.map((key) => html('th', { colspan: (compares ? 4 : 2) + (isComparable(key) ? 1 : 0), class: 'gap', scope: 'colgroup' }, titles[key])),
  ]);
  const head = html('tr', {}, [
    html('th', { scope: 'col' }, 'Category'), html('th', { scope: 'col' }, 'n'), html('th', { scope: 'col' }, 'worse'),
    ...keys.flatMap((key) => [
      ...networkMeshes.map((mesh) => html('th', { class: mesh === first ? 'gap' : null, scope: 'col' }, mesh)),
      compares ? html('th', { scope: 'col' }, 'Δ') : null,
      html('th', { scope: 'col', style: 'text-align:left', title: 'interval of the mean' }, '95 %'),
      isComparable(key) ? html('th', { scope: 'col' }, paper) : null,
    ]),
  ]);
  const rows = groups.map((group) => {
    const byTruth = hasScores ? groupScores(group) : null;
    const worse = byTruth ? byTruth.regressed : group.silhouettes.regressed;
    const code = group.category && group.category !== group.name ? html('span', { class: 'code' }, group.category) : null;
    return html('tr', { class: group === data.all ? 'all' : null }, [
      html('td', {}, [group.name, code]),
      html('td', {}, whole(byTruth ? byTruth.scored : group.silhouettes.measured)),
      html('td', { class: worse ? 'bad' : '', title: `worse: ${byTruth ? `the ${result} Chamfer distance is the larger one` : `the ${result} overlap is the smaller one`}` }, whole(worse)),
      ...keys.flatMap((key) => {
        const found = statisticsOf(group, key) || {};
        const published = isComparable(key) && group.published ? group.published[key] : undefined;
        const mean = (s) => (s ? s.mean : null);
        return [
          ...networkMeshes.map((mesh) => html('td', { class: mesh === first ? 'gap' : null }, shown(key, mean(found[mesh])))),
          !compares ? null : html('td', { class: sureVerdict(key, found.difference),
                       title: found.difference && found.difference.low !== found.difference.high ? `95 %: ${shown(key, found.difference.low, true)} … ${shown(key, found.difference.high, true)}` : null },
               shown(key, mean(found.difference), true)),
          html('td', {}, intervalBar(found, key, scales[key], published)),
          isComparable(key) ? html('td', { class: 'muted' }, published === undefined ? '' : shown(key, published)) : null,
        ];
      }),
    ]);
  });
  byId('categories').replaceChildren(html('thead', {}, [over, head]), html('tbody', {}, rows));
}

// ---- Fitted ---------------------------------------------------------------------------------

/** The third stage's own table: none of its numbers stands among the published ones. */
function drawFitted() {
  byId('fitted-section').hidden = !data.run.fit;
  if (!data.run.fit) return;
  const keys = [...(hasScores ? ['chamfer', 'f_tau', 'f_2tau'] : []), ...(hasSilhouettes ? ['overlap'] : []),
    ...(hasDistances ? ['surface_mean'] : [])];
  const titles = { chamfer: 'Chamfer distance, × 10⁻⁴', f_tau: 'F(τ), %', f_2tau: 'F(2τ), %', overlap: 'Silhouette overlap',
                   surface_mean: 'Distance to the surface' };
  const fitOf = (group, key) => statisticsOf(group, key) || {};
  const groups = [data.all, ...(data.categories.length > 1 || data.categories.some((g) => g.category) ? data.categories : [])];
  const rows = groups.map((group) => html('tr', { class: group === data.all ? 'all' : null }, [
    html('td', {}, group.name),
    html('td', {}, whole(Math.max(0, ...keys.map((key) => fitOf(group, key).fitted?.count || 0)))),
    ...keys.flatMap((key) => {
      const { fitted, fitted_difference: delta } = fitOf(group, key);
      return [
        html('td', { class: 'gap' }, shown(key, fitted?.mean)),
        html('td', { class: sureVerdict(key, delta) }, shown(key, delta?.mean, true)),
        html('td', { class: 'muted' }, intervalText(key, delta).slice(1, -1) || missing),
      ];
    }),
  ]));
  byId('fitted').replaceChildren(
    html('thead', {}, [
      html('tr', { class: 'over' }, [html('th', { colspan: 2 }),
        ...keys.map((key) => html('th', { colspan: 3, class: 'gap', scope: 'colgroup' }, titles[key]))]),
      html('tr', {}, [html('th', { scope: 'col' }, 'Category'), html('th', { scope: 'col' }, 'n'),
        ...keys.flatMap(() => [html('th', { class: 'gap', scope: 'col' }, 'fitted'), html('th', { scope: 'col' }, 'Δ'),
          html('th', { scope: 'col' }, '95 % of Δ')])]),
    ]), html('tbody', {}, rows));
  byId('fitted-note').textContent = `The ${result} meshes, fitted to ${data.run.fit_text || data.run.fit}: a third stage, not comparable ` +
    `with published numbers. Δ is fitted − ${result}; green and red where its interval excludes zero. The published protocol ` +
    'rates a mesh of more vertices higher, and a fitted mesh may have more than the network’s; the surface protocol takes as many points of each.';
}

// ---- Histograms -----------------------------------------------------------------------------

const rank = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const medianOf = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
const numbersOf = (column) => column.filter((value) => value !== null);
const ascending = (values) => Float64Array.from(values).sort();

/** About `wanted` round steps from `low` to `high`. */
function ticksOf(low, high, wanted) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw * .999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i) ticks.push(i * step);
  return ticks;
}
const tickText = (value) => String(Number(value.toPrecision(6))).replace('-', '−');

/** `series`: [class, values] with the bars first, the outlines after. */
function histogram(element, series, range, name) {
  const width = 320, height = 150, bottom = 124;
  const all = series.flatMap(([, values]) => Array.from(values));
  element.replaceChildren();
  if (!all.length) {
    element.append(html('p', { class: 'muted' }, 'nothing to show'));
    return;
  }
  const sorted = ascending(all);
  const bins = Math.max(10, Math.min(40, Math.ceil(1.5 * Math.sqrt(all.length))));
  let [low, high] = range || [sorted[0], rank(sorted, .975)];
  if (!range && low < high * .5) low = 0;
  if (!(high > low)) { high = low + (Math.abs(low) * .1 || 1); low -= Math.abs(low) * .1; }
  const binned = series.map(([, values]) => {
    const counts = new Array(bins).fill(0);
    for (const value of values) {
      ++counts[Math.max(0, Math.min(bins - 1, Math.floor(bins * (value - low) / (high - low))))];
    }
    return counts;
  });
  const most = Math.max(...binned.flat());
  const x = (bin) => width * bin / bins;
  const y = (n) => bottom - 112 * n / most;
  const parts = [];
  series.forEach(([kind, values], s) => {
    if (kind === result) {
      binned[s].forEach((n, bin) => n && parts.push(svg('rect', { class: 'refined', x: x(bin) + .5, y: y(n), width: width / bins - 1, height: bottom - y(n) })));
    } else {
      const path = binned[s].map((n, bin) => `${bin ? 'L' : 'M'}${x(bin)} ${y(n)}L${x(bin + 1)} ${y(n)}`).join('');
      parts.push(svg('path', { class: 'coarse', d: path }));
    }
    const median = medianOf(ascending(values));
    const at = Math.min(width, Math.max(0, width * (median - low) / (high - low)));
    parts.push(svg('line', { class: `median of-${kind === result ? 'refined' : 'coarse'}`, x1: at, x2: at, y1: 4, y2: bottom }));
  });
  parts.push(svg('line', { class: 'axis', x1: 0, x2: width, y1: bottom + .5, y2: bottom + .5 }));
  const overflow = sorted[sorted.length - 1] > high;
  for (const tick of ticksOf(low, high, 5)) {
    const at = width * (tick - low) / (high - low);
    if (overflow && at > width - 34) continue;
    parts.push(svg('text', { x: at, y: bottom + 18, 'text-anchor': at < 8 ? 'start' : at > width - 8 ? 'end' : 'middle' }, tickText(tick)));
  }
  if (overflow) parts.push(svg('text', { x: width, y: bottom + 18, 'text-anchor': 'end' }, `≥ ${tickText(Number((high - (high - low) / bins).toPrecision(2)))}`));
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Histogram of ${name}` }, parts);
  fill(picture, tipFor((event) => {
    const box = picture.getBoundingClientRect();
    const bin = Math.floor(bins * (event.clientX - box.left) / box.width);
    if (bin < 0 || bin >= bins) return '';
    const edge = (b) => tickText(Number((low + b * (high - low) / bins).toPrecision(3)));
    const upper = bin === bins - 1 && overflow ? 'and more' : `… ${edge(bin + 1)}`;
    return [`${edge(bin)} ${upper}`, ...series.map(([kind], s) => `${series.length > 1 ? kind : 'samples'} ${binned[s][bin]}`)].join('\n');
  }));
  element.append(picture);
}

function heading(id, title, note) {
  byId(id).replaceChildren(title, html('span', { class: 'as-is' }, `  ${note}`));
}

function drawHistograms() {
  const of = (key) => [...networkMeshes].reverse().map((mesh) => [mesh, numbersOf(valuesOf(mesh, key)).map((v) => scaled(key, v))]);
  heading('chamfer-heading', 'Chamfer', `${unitOf('chamfer')} · ${state.protocol}`);
  heading('f-heading', html('span', { class: 'symbol' }, 'F(τ)'), `% · ${state.protocol}`);
  histogram(byId('chamfer-histogram'), of('chamfer'), null, 'the Chamfer distance');
  histogram(byId('f-histogram'), of('f_tau'), [0, 100], 'F(τ)');
  histogram(byId('overlap-histogram'), of('overlap'), [0, 1], 'the silhouettes’ overlap');
  for (const figure of document.querySelectorAll('#charts-section .by-truth')) figure.hidden = !hasScores;
  byId('overlap-figure').hidden = !hasSilhouettes;
  histogram(byId('time-histogram'), [[result, numbersOf(samples.times.network)]], null, 'the network’s time');
  byId('charts-section').hidden = !count || data.all.failed === count;
}

// ---- The result against the first mesh -----------------------------------------------------------------

function drawScatter() {
  const choices = [...(hasScores ? [['chamfer', 'Chamfer'], ['f_tau', 'F(τ)'], ['f_2tau', 'F(2τ)']] : []),
    ...(hasSilhouettes ? [['overlap', 'Overlap']] : [])];
  segments(byId('scatter-measures'), choices, state.scatter, (key) => {
    state.scatter = key;
    drawScatter();
  });
  const key = state.scatter, logarithmic = key === 'chamfer';
  const points = [];
  const before = valuesOf(first, key), after = valuesOf(result, key);
  const isRed = ofSilhouettes.has(key) ? overlapsLess : isWorse;
  for (let i = 0; i < count; ++i) {
    const a = compares ? before[i] : null, b = after[i];
    if (a !== null && b !== null && (!logarithmic || (a > 0 && b > 0))) points.push([i, scaled(key, a), scaled(key, b)]);
  }
  byId('scatter-section').hidden = !points.length;
  if (!points.length) return;
  const size = 480, left = 52, side = size - left - 12;
  let low = 0, high = key === 'overlap' ? 1 : 100;
  if (logarithmic) {
    low = high = points[0][1];
    for (const [, a, b] of points) { low = Math.min(low, a, b); high = Math.max(high, a, b); }
    low *= .9; high *= 1.1;
  }
  const warp = logarithmic ? Math.log : (value) => value;
  const place = (value) => side * (warp(value) - warp(low)) / (warp(high) - warp(low));
  const x = (value) => left + place(value);
  const y = (value) => 8 + side - place(value);
  const parts = [svg('rect', { class: 'axis', x: left, y: 8, width: side, height: side })];
  const decades = [];
  if (logarithmic) {
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
      for (const f of [1, 2, 5]) if (f * 10 ** power >= low && f * 10 ** power <= high) decades.push(f * 10 ** power);
    }
  }
  for (const tick of logarithmic ? (decades.length > 1 ? decades : ticksOf(low, high, 4)) : ticksOf(low, high, 5)) {
    parts.push(svg('line', { class: 'axis', x1: x(tick), x2: x(tick), y1: 8, y2: 8 + side }),
      svg('line', { class: 'axis', x1: left, x2: left + side, y1: y(tick), y2: y(tick) }),
      svg('text', { x: x(tick), y: 8 + side + 16, 'text-anchor': 'middle' }, tickText(tick)),
      svg('text', { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, tickText(tick)));
  }
  parts.push(svg('line', { class: 'diagonal', x1: left, y1: 8 + side, x2: left + side, y2: 8 }),
    svg('text', { x: left + side / 2, y: 8 + side + 34, 'text-anchor': 'middle' }, first + (logarithmic ? ' · logarithmic' : '')),
    svg('text', { x: 12, y: 8 + side / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${8 + side / 2})` }, result));
  // One path for all: ten thousand elements would be slow.
  const dot = points.length > 3000 ? 3 : points.length > 300 ? 4 : 6;
  const spots = points.map(([i, a, b]) => [i, x(a), y(b)]);
  for (const worse of [false, true]) {
    const d = spots.filter(([i]) => isRed(i) === worse).map(([, a, b]) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`).join('');
    parts.push(svg('path', { class: worse ? 'dots worse' : 'dots', d, 'stroke-width': dot }));
  }
  const ring = svg('circle', { class: 'hover', r: 6, visibility: 'hidden' });
  parts.push(ring);
  const picture = svg('svg', { viewBox: `0 0 ${size} ${side + 46}`, role: 'img', style: 'max-width:640px',
    'aria-label': `${measures[key].title} of ${points.length} samples, ${result} over ${first}; the table below has each` }, parts);
  const nearest = (event) => {
    const box = picture.getBoundingClientRect(), scale = size / box.width;
    const px = (event.clientX - box.left) * scale, py = (event.clientY - box.top) * scale;
    let best = null, least = 14 * 14;
    for (const spot of spots) {
      const distance = (spot[1] - px) ** 2 + (spot[2] - py) ** 2;
      if (distance < least) { least = distance; best = spot; }
    }
    ring.setAttribute('visibility', best ? 'visible' : 'hidden');
    if (best) { ring.setAttribute('cx', best[1]); ring.setAttribute('cy', best[2]); }
    return best;
  };
  fill(picture, tipFor((event) => {
    const best = nearest(event);
    if (!best) return '';
    const a = before[best[0]], b = after[best[0]];
    return `${samples.name[best[0]]}\n${first} ${shown(key, a)} · ${result} ${shown(key, b)} · Δ ${shown(key, b - a, true)}`;
  }));
  fill(picture, { onclick: (event) => { const best = nearest(event); if (best) showSample(best[0]); } });
  byId('scatter').replaceChildren(picture);
  byId('scatter-note').replaceChildren(
    html('span', { class: 'key', style: 'background:var(--accent)' }), html('span', {}, 'a sample'),
    html('span', { class: 'key', style: 'background:var(--bad)' }), html('span', {}, ofSilhouettes.has(key)
      ? `worse: its ${result} silhouettes overlap less` : `worse: its ${result} Chamfer distance is the larger one`),
    html('span', {}, `${measures[key].title}, ${unitOf(key)}${ofSilhouettes.has(key) ? '' : `, ${state.protocol} protocol`}. Click a dot to find its row.`));
}

// ---- Timings and run ------------------------------------------------------------------------

function barRows(title, columns) {
  const most = Math.max(...columns.map((column) => column.mean));
  return [
    html('div', { class: 'head title' }, title),
    ...['mean', 'deviation', 'median', columns.some(hasPercentiles) ? 'p95' : 'max'].map((head) =>
      html('div', { class: `head number${head === 'deviation' ? ' optional' : ''}` }, head)),
    ...columns.flatMap((column) => [
      html('div', { title: column.title }, column.share ? `${column.key} · ${(100 * column.share).toFixed(1)} %` : column.key),
      html('div', { title: column.title }, html('div', { class: `bar${column.mean === most ? ' most' : ''}`, style: `width:${most > 0 ? 100 * column.mean / most : 0}%` })),
      html('div', { class: 'number' }, milliseconds(column.mean)),
      html('div', { class: 'number optional' }, `± ${milliseconds(column.deviation)}`),
      html('div', { class: 'number' }, milliseconds(column.median)),
      html('div', { class: 'number' }, milliseconds(columns.some(hasPercentiles) ? column.p95 : column.highest)),
    ]),
  ];
}

function drawTimings() {
  const timing = data.timing, network = timing.network;
  byId('timings-section').hidden = !network;
  if (!network) return;
  byId('timings').replaceChildren(
    html('div', { class: 'big' }, [`${milliseconds(network.mean)} ± ${milliseconds(network.deviation)}`, html('small', {}, ` ms a sample, the network ${fitsBeside ? 'with fits beside it' : 'alone'}`)]),
    html('p', { class: 'muted' }, `median ${milliseconds(network.median)} · min ${milliseconds(network.lowest)} · max ${milliseconds(network.highest)} · ` +
      `${hasPercentiles(network) ? `p95 ${milliseconds(network.p95)} · ` : ''}${timing.samples_per_second.toFixed(2)} samples/s · ${whole(network.count)} samples · ` +
      `warm-up runs left out: ${data.run.warm_up_runs}`),
    html('p', { class: 'verdict' }, timing.verdict),
    html('div', { class: 'bars' }, [
      ...barRows('parts of a sample, side by side', timing.parts),
      ...(timing.stages.length ? barRows('stages of the network', timing.stages) : []),
    ]));
}

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
      ['object units', 'ShapeNet’s unit box diagonal × 0.57; first view’s camera space'],
      ['begun', run.begun], ['wall time', run.seconds > 0 ? `${whole(Math.round(run.seconds))} s` : ''],
    ]),
    ...run.machines.map((machine) => facts([
      ['processor', machine.processor], ['instructions', machine.instructions], ['threads', machine.threads || ''],
      ['memory', machine.memory], ['system', machine.system], ['GPU', machine.gpu || 'none used'],
      ['driver', machine.driver], ['libraries', machine.libraries],
    ])));
}

// ---- Lists with pictures, and failed ---------------------------------------------------------

/** "4.66 → 3.97": of a sample's meshes, as far as they were measured. */
const changeOf = (key, values, sample) => [...networkMeshes, fitted]
  .map((mesh) => values[mesh]?.[key]?.[sample] ?? null).filter((value) => value !== null)
  .map((value) => shown(key, value)).join(' → ');

const idOf = (sample) => `sample-${sample}`;
const turns = (sample) => results.has(idOf(sample));

/** A sample's name: opens its meshes where the page has them, else leads to its row. */
const nameButton = (sample, listed) => html('button', { class: 'link', type: 'button',
  title: turns(sample) ? 'Turn its meshes' : 'Find its row',
  onclick: () => (turns(sample) ? results.open(idOf(sample), listed.map(idOf)) : showSample(sample)) }, samples.name[sample]);

const measuredCount = hasScores ? data.all.protocols[data.run.protocols[0].name].scored : data.all.silhouettes.measured;
/** Whether a list has all samples, so that it is only an order of them. */
const isWhole = (list) => list.samples.length >= measuredCount;

function listTexts({ key, samples: { length } }, whole) {
  const protocol = data.run.protocols[0]?.name;
  const order = (more) => (hasScores
    ? `${more ? 'largest' : 'smallest'} ${result} Chamfer distance (CD, 10⁻⁴ object units²), ${protocol} protocol`
    : `${more ? 'least' : 'largest'} overlap of the ${result} silhouettes`);
  const change = (from, to) => `largest change of ${hasScores ? `F(τ), ${protocol} protocol,` : 'the overlap'} from ${from} to ${to}, in either direction`;
  const [title, wholeTitle, text] = { worst: ['Worst', 'Worst first', order(true)], best: ['Best', 'Best first', order(false)],
    refinement: ['Most changed by refinement', 'By change of refinement', change(first, result)],
    fit: ['Most changed by the fit', 'By change of the fit', change(result, fitted)] }[key];
  return whole ? [wholeTitle, `All ${length} samples`, `${wholeTitle.toLowerCase()}: ${text}`] : [title, `${title} ${length}`, text];
}

function drawLists() {
  byId('lists-section').hidden = !data.lists.length;
  if (!data.lists.length) return;
  const list = data.lists.find(({ key }) => key === state.list) || data.lists[0];
  segments(byId('lists'), data.lists.map((each) => [each.key, listTexts(each, isWhole(each))[0]]), list.key, (key) => {
    state.list = key;
    drawLists();
  });
  const [, title, order] = listTexts(list, isWhole(list));
  heading('list-heading', title, order);
  const pictured = ['input', ...networkMeshes, data.run.fit ? fitted : null, hasScores ? 'truth' : null].filter(Boolean);
  byId('list-note').textContent = `Pictures, from left to right: ${pictured.join(', ')}.` +
    (list.samples.some(turns) ? ' A click on one turns its meshes.' : '');
  const own = samples.scores[data.run.protocols[0]?.name], seen = samples.silhouettes;
  const numbers = (sample) => [
    own && own[result].chamfer[sample] !== null && `CD ${changeOf('chamfer', own, sample)} · F(τ) ${changeOf('f_tau', own, sample)} %`,
    seen[result].overlap[sample] !== null && `overlap ${changeOf('overlap', seen, sample)}`,
  ].filter(Boolean).join(' · ');
  const regressed = (sample) => (own && own[result].chamfer[sample] !== null ? own.regressed[sample] : overlapsLess(sample));
  byId('list').replaceChildren(...list.samples.map((sample) => {
    const name = samples.name[sample], picture = data.pictures[sample];
    const still = picture ? html('img', { src: picture, alt: `${pictured.join(', ')} of ${name}` })
      : html('div', { class: 'none' }, 'no picture');
    return html('div', {}, [
      turns(sample) ? html('button', { class: 'turns', type: 'button', title: 'Turn its meshes',
        onclick: () => results.open(idOf(sample), list.samples.map(idOf)) }, still) : still,
      html('div', { class: 'caption' }, [
        nameButton(sample, list.samples),
        regressed(sample) ? html('span', { class: 'bad' }, ' worse after refinement') : null,
        html('div', { class: 'muted' }, numbers(sample)),
      ]),
    ]);
  }));
}

function drawFailed() {
  byId('failed-section').hidden = !data.failures.length;
  byId('failed-heading').textContent = `Failed · ${whole(data.all.failed)} of ${whole(count)}`;
  const named = 12;
  byId('failed').replaceChildren(...data.failures.map((group) => html('div', { class: 'group' }, [
    html('div', { class: 'reason' }, [html('span', { class: 'bad' }, `${whole(group.samples.length)} × `), group.reason]),
    html('div', { class: 'names' }, [
      ...group.samples.slice(0, named).map((i) => html('button', { class: 'link', type: 'button', onclick: () => showSample(i) }, samples.name[i])),
      group.samples.length > named ? html('span', {}, `and ${whole(group.samples.length - named)} more, in the table below`) : null,
    ]),
  ])));
}

// ---- The table of samples -------------------------------------------------------------------
// Only the rows in sight exist; spacers stand for the others.

const rowHeight = 28;
const column = (mesh, key) => (i) => valuesOf(mesh, key)[i];
const change = (key, from, to) => (i) => difference(valuesOf(from, key)[i], valuesOf(to, key)[i]);
const groupName = (i) => data.categories[samples.category[i]].name;
/** The lower its rank, the longer a column stays when the page is narrow. */
const byName = samples.name.map((_, i) => i).sort((a, b) => samples.name[a].localeCompare(samples.name[b], 'en', { numeric: true }));
const nameRank = new Array(count);
byName.forEach((i, at) => { nameRank[i] = at; });
/** Room for the longest name and its mark, within bounds. */
const nameWidth = Math.min(300, Math.max(110, 44 + 7.5 * Math.max(0, ...samples.name.slice(0, 1000).map((name) => name.length))));
const columns = [
  { key: 'name', title: 'Sample', width: nameWidth, rank: 0, text: true, value: (i) => nameRank[i], shown: (i) => samples.name[i] },
  { key: 'position', title: '#', width: 38, rank: 1, text: true, value: (i) => i, shown: (i) => whole(i + 1), note: 'Position in this run’s list' },
  { key: 'category', title: 'Category', width: 76, rank: data.categories.length > 1 ? 1 : 60, text: true, value: groupName, shown: groupName },
  ...(hasScores || !hasSilhouettes ? [...columnsOf('f', 'F(τ)', 'f_tau', 2), ...columnsOf('cd', 'CD', 'chamfer', 6)] : []),
  ...(hasSilhouettes ? [
    ...columnsOf('overlap', 'Overlap', 'overlap', 10),
    measured('outlines', 'Outlines', 'outline_distance', column(result, 'outline_distance'), 41, 72),
  ] : []),
  ...(hasScores || !hasSilhouettes ? [
    measured('f2', 'F(2τ)', 'f_2tau', column(result, 'f_2tau'), 42, 66),
    measured('precision', 'P(τ)', 'precision_tau', column(result, 'precision_tau'), 43, 66),
    measured('recall', 'R(τ)', 'recall_tau', column(result, 'recall_tau'), 44, 66),
    measured('hausdorff', 'Hausdorff', 'hausdorff', column(result, 'hausdorff'), 45, 82),
    measured('normals', 'Normals', 'normal_consistency', column(result, 'normal_consistency'), 46, 74),
    ...(hasDistances ? [
      measured('surface', 'Distance', 'surface_mean', column(result, 'surface_mean'), 46, 76),
      measured('farthest', 'Largest', 'surface_largest', column(result, 'surface_largest'), 46, 76),
    ] : []),
    ...otherMeasures().map((key) => measured(key, measures[key].title, key, column(result, key), 47, 120)),
  ] : []),
  { key: 'time', title: 'ms', width: 64, rank: 40, value: (i) => samples.times.network[i], shown: (i) => milliseconds(samples.times.network[i]), note: `The network ${fitsBeside ? 'with fits beside it' : 'alone'}, milliseconds` },
];

/** Measures of each sample that have no column of their own above. */
function otherMeasures() {
  const shownAbove = ['chamfer', 'f_half_tau', 'f_tau', 'f_1_5_tau', 'f_2tau', 'precision_tau', 'recall_tau',
                      'hausdorff', 'normal_consistency'];
  return Object.keys(scores()?.[result] || {}).filter((key) => !shownAbove.includes(key));
}
function measured(key, title, measure, value, rank, width) {
  return { key, title, width, rank, value, shown: (i) => shown(measure, value(i)), note: `${measures[measure].title}, ${unitOf(measure)}` };
}
/** From one mesh to another; no column where they are the same. */
function changed(key, title, measure, rank, from = first, to = result, width = 84) {
  const value = change(measure, from, to);
  const column = { key, title, width, rank, value, shown: (i) => shown(measure, value(i), true), kind: (i) => verdict(measure, value(i)),
           note: `${to} − ${from}: ${measures[measure].title}, ${unitOf(measure)}` };
  return from !== to ? [column] : [];
}
/** A measure of each of the network's meshes and of the fitted one, with the changes between them. `rank`: of the result. */
function columnsOf(name, title, measure, rank) {
  const own = (mesh) => measured(`${mesh}_${name}`, `${title} ${mesh}`, measure, column(mesh, measure),
    mesh === result ? rank : mesh === fitted ? rank + 2 : 20 + rank, name === 'overlap' ? 108 : 86);
  return [
    ...networkMeshes.map(own), ...changed(`${name}_change`, `Δ ${title}`, measure, name === 'overlap' && data.run.fit ? rank + 3 : rank + 1),
    ...(data.run.fit ? [own(fitted), ...changed(`${name}_fit`, `Δ ${title} fit`, measure, name === 'overlap' ? rank + 1 : rank + 3, result, fitted, name === 'overlap' ? 100 : 88)] : []),
  ];
}

/** The columns in sight: those that fit, unless all were asked for. */
let shownColumns = columns;
function chooseColumns() {
  let room = byId('samples').offsetWidth - 18;  // beside the scroll bar
  const fitting = new Set();
  for (const each of [...columns].sort((a, b) => a.rank - b.rank)) {
    room -= each.width;
    if (room < 0 && fitting.size) break;
    fitting.add(each);
  }
  byId('all-columns-label').hidden = fitting.size === columns.length;
  shownColumns = state.allColumns ? columns : columns.filter((each) => fitting.has(each));
}

let order = [];
let drawn = [-1, -1];
let table = null;

function chosenRows() {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = [];
  for (let i = 0; i < count; ++i) {
    if (state.category !== '' && samples.category[i] !== Number(state.category)) continue;
    if (state.status === 'failed' && !isFailed(i)) continue;
    if (state.status === 'done' && isFailed(i)) continue;
    if (state.status === 'unscored' && (isFailed(i) || isScored(i))) continue;
    if (state.status === 'regressed' && !isWorse(i)) continue;
    if (words.length) {
      const group = data.categories[samples.category[i]];
      const text = `${samples.name[i]} ${group.name} ${group.category} ${samples.error[i] || ''}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
    }
    kept.push(i);
  }
  const by = columns.find((c) => c.key === state.sort.key);
  const values = new Map(kept.map((i) => [i, by.value(i)]));
  const sign = state.sort.down ? -1 : 1;
  return kept.sort((a, b) => {
    const va = values.get(a), vb = values.get(b);
    if (va === vb) return a - b;
    if (va === null) return 1;
    if (vb === null) return -1;
    return (va < vb ? -1 : 1) * sign;
  });
}

function sampleRow(at) {
  const i = order[at];
  const classes = [isWorse(i) && 'regressed', isFailed(i) && 'failed', i === state.current && 'current'].filter(Boolean).join(' ');
  const own = isFailed(i) ? shownColumns.filter((c) => c.text) : shownColumns;
  const cells = own.map((c) => html('td', {
    class: [c.text && 'text', c.kind && c.kind(i)].filter(Boolean).join(' ') || null, title: c.text ? c.shown(i) : null,
  }, c.key === 'name' && turns(i) ? [html('span', { class: 'turns-mark', 'aria-hidden': true }, '◆'), nameButton(i)] : c.shown(i)));
  if (isFailed(i)) cells.push(html('td', { class: 'text reason', colspan: shownColumns.length - own.length, title: samples.error[i] }, samples.error[i]));
  return html('tr', { class: classes || null, id: i === state.current ? 'current-row' : null, 'aria-rowindex': at + 2,
                      onclick: (event) => openRow(at, event) }, cells);
}

const spacer = (height) => html('tr', { class: 'spacer', 'aria-hidden': true }, html('td', { colspan: shownColumns.length, style: `height:${height}px` }));

function drawRows(everything) {
  const box = byId('samples');
  const inSight = Math.ceil((box.clientHeight || 640) / rowHeight);
  let first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 8);
  first -= first % 8;  // so that most scrolling draws nothing
  const last = Math.min(order.length, everything ? Math.min(order.length, 500) : first + inSight + 24);
  if (everything) first = 0;
  if (first === drawn[0] && last === drawn[1]) return;
  drawn = [first, last];
  const rows = [];
  if (first) rows.push(spacer(first * rowHeight));
  for (let at = first; at < last; ++at) rows.push(sampleRow(at));
  if (!everything && last < order.length) rows.push(spacer((order.length - last) * rowHeight));
  if (!order.length) rows.push(html('tr', {}, html('td', { class: 'text muted', colspan: shownColumns.length }, count ? 'no sample is like that' : 'no samples')));
  table.tBodies[0].replaceChildren(...rows);
}

function redrawRows() {
  drawn = [-1, -1];
  drawRows(false);
}

function sortBy(key) {
  const same = state.sort.key === key;
  const text = columns.find((c) => c.key === key).text;
  state.sort = { key, down: same ? !state.sort.down : !text };
  drawSamples();
  table.tHead.querySelector(`[data-key="${key}"]`).focus();
}

function drawSamples() {
  order = chosenRows();
  chooseColumns();
  const head = shownColumns.map((c) => html('th', {
    scope: 'col', title: c.note, style: c.text ? 'text-align:left' : null,
    'aria-sort': c.key === state.sort.key ? (state.sort.down ? 'descending' : 'ascending') : null,
  }, html('button', { type: 'button', 'data-key': c.key, onclick: () => sortBy(c.key) },
    c.title + (c.key === state.sort.key ? (state.sort.down ? ' ↓' : ' ↑') : ''))));
  const width = shownColumns.reduce((sum, c) => sum + c.width, 0);
  table = html('table', { 'aria-rowcount': order.length + 1, style: `min-width:${width}px` }, [
    html('colgroup', {}, shownColumns.map((c) => html('col', { style: `width:${c.width}px` }))),
    html('thead', {}, html('tr', { 'aria-rowindex': 1 }, head)), html('tbody'),
  ]);
  const box = byId('samples');
  const top = box.scrollTop;
  box.replaceChildren(table);
  box.scrollTop = top;
  redrawRows();
  byId('samples-heading').textContent = order.length === count ? `Samples · ${whole(count)}` : `Samples · ${whole(order.length)} of ${whole(count)}`;
  byId('samples-note').textContent = (hasScores || !hasSilhouettes
    ? `${protocolTitle(state.protocol)} protocol. CD: Chamfer distance, ${unitOf('chamfer')}; F, P, R: %, of the ${result} mesh` +
      `${compares || data.run.fit ? ' unless a head names another' : ''}; Hausdorff: object units; Normals: mean |cos|. ` : '') +
    (hasSilhouettes ? 'Overlap: silhouettes against the photographs, intersection over union, mean of the views; ' +
      `Outlines: how far those of the ${result} mesh are off, mean, pixels of the photographs. ` : '') +
    'A red edge marks a sample that is worse after refinement. Arrow keys move in the table, Enter or a click opens a row’s meshes (◆); a column head sorts.';
}

function setCurrent(at) {
  if (at < 0 || at >= order.length) return;
  state.current = order[at];
  redrawRows();
}

/** Marks a row, and opens its meshes where the page has them; the table keeps the focus. */
function openRow(at, event) {
  if (event && event.target.closest('button')) return;  // opens by itself
  setCurrent(at);
  byId('samples').focus({ preventScroll: true });
  if (turns(state.current)) results.open(idOf(state.current), order.map(idOf));
}

function keepInSight(at) {
  const box = byId('samples'), head = table.tHead.offsetHeight;
  const top = at * rowHeight, seen = box.clientHeight - head;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + seen) box.scrollTop = top + rowHeight - seen;
}

/** Scrolls to a sample's row, past any filter that hides it. */
function showSample(i) {
  if (!order.includes(i)) {
    state.text = state.category = state.status = '';
    byId('search').value = byId('category').value = byId('status').value = '';
    drawSamples();
  }
  const at = order.indexOf(i);
  const box = byId('samples');
  box.scrollTop = Math.max(0, at * rowHeight - box.clientHeight / 2 + rowHeight);
  setCurrent(at);
  box.scrollIntoView({ block: 'center' });
  box.focus({ preventScroll: true });
}

function setUpSamples() {
  const box = byId('samples');
  box.addEventListener('scroll', () => drawRows(false), { passive: true });
  box.addEventListener('keydown', (event) => {
    if (event.target !== box) return;
    if (event.key === 'Enter' && order.includes(state.current)) { openRow(order.indexOf(state.current)); return; }
    const page = Math.max(1, Math.floor(box.clientHeight / rowHeight) - 2);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -order.length, End: order.length }[event.key];
    if (!step || !order.length) return;
    event.preventDefault();
    const before = order.indexOf(state.current);
    const at = Math.max(0, Math.min(order.length - 1, before < 0 && Math.abs(step) === 1 ? 0 : before + step));
    keepInSight(at);
    setCurrent(at);
  });
  const option = (value, title) => html('option', { value }, title);
  byId('category').replaceChildren(option('', 'All categories'), ...data.categories.map((group, at) => option(at, `${group.name} (${group.samples})`)));
  byId('category').hidden = data.categories.length < 2;
  byId('status').replaceChildren(option('', 'All outcomes'), option('done', 'Done'), option('regressed', 'Worse after refinement'),
    ...(data.all.without_truth ? [option('unscored', 'Without a truth')] : []), option('failed', 'Failed'));
  const listen = (id, event, field) => byId(id).addEventListener(event, () => {
    state[field] = byId(id).value;
    byId('samples').scrollTop = 0;
    drawSamples();
  });
  listen('search', 'input', 'text');
  listen('category', 'change', 'category');
  listen('status', 'change', 'status');
}

// ---- Tips, printing, all --------------------------------------------------------------------

function tipFor(text) {
  const tip = byId('tip');
  const hide = () => { tip.hidden = true; };
  return {
    onpointermove: (event) => {
      tip.textContent = text(event);
      tip.hidden = !tip.textContent;
      if (tip.hidden) return;
      const right = event.clientX + 16 + tip.offsetWidth > innerWidth;
      tip.style.left = `${Math.max(4, right ? event.clientX - 12 - tip.offsetWidth : event.clientX + 16)}px`;
      tip.style.top = `${Math.max(4, Math.min(innerHeight - tip.offsetHeight - 4, event.clientY + 16))}px`;
    },
    onpointerleave: hide,
  };
}

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
