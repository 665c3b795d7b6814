// Numbers as text, and values of meshes and samples.

const kNotMeasured = '–';

function decimalsOf(key) {
  if (isSquared(key) || key === 'overlap') return 3;
  return measures[key] && ['%', 'pixels'].includes(measures[key].unit) ? 2 : 4;
}
const isSquared = (key) => measures[key]?.unit === 'object units²';
const scaled = (key, value) => (isSquared(key) ? value * 1e4 : value);
const whole = plots.grouped;

/** A measure's value as text, as shownNumber() of C++ has it; `sign`: with a plus where it is positive. */
function formatted(key, value, sign) {
  if (value === null || value === undefined) return kNotMeasured;
  const digits = Math.abs(scaled(key, value)).toFixed(decimalsOf(key));
  if (!/[1-9]/.test(digits)) return digits;
  return (value < 0 ? '−' : sign ? '+' : '') + digits;
}
function milliseconds(value) {
  if (value === null || value === undefined) return kNotMeasured;
  return value < 10 ? value.toFixed(2) : value < 1000 ? value.toFixed(1) : whole(Math.round(value));
}
/** Titles for narrow places; other measures have their whole title there. */
const shortTitles = { chamfer: 'Chamfer', overlap: 'Overlap' };
const shortTitleOf = (key) => shortTitles[key] || measures[key].title;
/** Unit beside a number; empty for fractions. */
const shortUnitOf = (key) => (isSquared(key) ? '× 10⁻⁴' : key === 'overlap' ? '' : measures[key].unit);
/** Heading over the columns of a measure: "Chamfer distance, × 10⁻⁴". */
const groupHeading = (key) => [measures[key].title, shortUnitOf(key)].filter(Boolean).join(', ');
const unitOf = (key) => (isSquared(key) ? '10⁻⁴ object units²' : measures[key].unit);
/** Verdict on a change of a measure: 'good', 'bad', or empty without a change. */
function verdict(key, change) {
  if (!change) return '';
  return (change < 0) === (measures[key].better === 'less') ? 'good' : 'bad';
}
/** Whether an interval is shown: below four samples the bootstrap's is the range from the smallest to the largest. */
const hasInterval = (statistics) => Boolean(statistics) && statistics.count >= 4;
/** Whether the 95th percentile is shown: below twenty samples it is the largest value. */
const hasPercentiles = (statistics) => statistics.count >= 20;
/** Verdict on a mean difference; empty where its interval includes zero, or is too narrow: below eight samples. */
const sureVerdict = (key, statistics) => (statistics?.count >= 8 && (statistics.low > 0 || statistics.high < 0) ? verdict(key, statistics.mean) : '');
/** An interval as text, "(−0.71 … −0.34)"; empty below four samples. */
const intervalText = (key, statistics) => (hasInterval(statistics) ? `(${formatted(key, statistics.low, true)} … ${formatted(key, statistics.high, true)})` : '');
const difference = (a, b) => (a === null || b === null ? null : b - a);

const scores = () => samples.scores[state.protocol];
const groupScores = (group) => group.protocols[state.protocol];
/** Whether a sample of a group was measured, by its truth or its photographs. */
const isGroupMeasured = (group) => Boolean(groupScores(group)?.scored || group.silhouettes.measured);
/**
 * Where a measure's numbers are: its values by mesh, and its statistics in a group. Silhouettes and distances are equal
 * in all protocols.
 */
function sourceOf(key) {
  if (ofSilhouettes.has(key)) return { values: samples.silhouettes, statistics: (group) => group.silhouettes };
  if (ofDistances.has(key)) return { values: samples.distances, statistics: (group) => group.distances };
  return { values: scores() || {}, statistics: groupScores };
}
/** A mesh's values of a measure, one for each sample; null where it was not measured. */
const valuesOf = (mesh, key) => sourceOf(key).values[mesh]?.[key] || samples.name.map(() => null);
/** Statistics of a measure over the samples of a group; undefined if it was not measured. */
const statisticsOf = (group, key) => sourceOf(key).statistics(group)?.measures[key];
/** Heading of the values that the method's authors published. */
const kAuthors = 'authors’';
const protocolTitle = (name) => name.charAt(0).toUpperCase() + name.slice(1);
const isFailed = (sample) => samples.error[sample] !== undefined;
/** The network's published meshes; `resultMesh` is the last one. A model without stage 2 has one. */
const networkMeshes = data.network_meshes, fitted = 'fitted';
const firstMesh = networkMeshes[0], resultMesh = networkMeshes[networkMeshes.length - 1];
/** Whether there are two meshes to compare. */
const hasTwoMeshes = firstMesh !== resultMesh;
/** Whether a sample was measured by its truth. */
const isScored = (sample) => valuesOf(resultMesh, 'chamfer')[sample] !== null;
/** Whether refinement made a sample worse, by its photographs; false without values. */
function isWorseByOverlap(sample) {
  const before = samples.silhouettes[firstMesh].overlap[sample], after = samples.silhouettes[resultMesh].overlap[sample];
  return before !== null && after !== null && after < before;
}
/** Whether refinement made a sample worse, by its truth; without one, by its photographs. */
const isWorse = (sample) => (isScored(sample) ? scores().regressed[sample] === 1 : isWorseByOverlap(sample));

/** Changes of a measure from one mesh to another, of the samples that have both values. */
function changesOf(key, from, to) {
  const before = valuesOf(from, key), after = valuesOf(to, key);
  return samples.name.map((_, sample) => difference(before[sample], after[sample])).filter((change) => change !== null);
}
const medianOf = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
const numbersOf = (column) => column.filter((value) => value !== null);
const ascending = (values) => Float64Array.from(values).sort();

const tickText = (value) => String(Number(value.toPrecision(6))).replace('-', '−');
