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
/** Verdict on a measure's difference: 'good', 'bad', or empty where there is none. */
function verdict(key, difference) {
  if (!difference) return '';
  return (difference < 0) === (measures[key].better === 'less') ? 'good' : 'bad';
}
/** Whether an interval is shown: below four samples the bootstrap's is the range from the smallest to the largest. */
const hasInterval = (statistics) => Boolean(statistics) && statistics.count >= 4;
/** Whether the 95th percentile is shown: below twenty samples it is the largest value. */
const hasPercentiles = (statistics) => statistics.count >= 20;
/** Verdict on a mean difference; empty where its interval includes zero. */
const sureVerdict = (key, statistics) => (hasInterval(statistics) && (statistics.low > 0 || statistics.high < 0) ? verdict(key, statistics.mean) : '');
/** An interval as text, "(−0.71 … −0.34)"; empty below four samples. */
const intervalText = (key, statistics) => (hasInterval(statistics) ? `(${formatted(key, statistics.low, true)} … ${formatted(key, statistics.high, true)})` : '');
const difference = (a, b) => (a === null || b === null ? null : b - a);

const scores = () => samples.scores[state.protocol];
const groupScores = (group) => group.protocols[state.protocol];
/** Whether a sample of a group was measured, by its truth or its photographs. */
const isGroupMeasured = (group) => Boolean(groupScores(group)?.scored || group.silhouettes.measured);
/** A mesh's values of a measure, one for each sample. Silhouettes and distances are equal in all protocols. */
const valuesOf = (mesh, key) => (ofSilhouettes.has(key) ? samples.silhouettes : ofDistances.has(key) ? samples.distances : scores() || {})[mesh]?.[key] || samples.name.map(() => null);
/** Statistics of a measure over the samples of a group. */
const statisticsOf = (group, key) => (ofSilhouettes.has(key) ? group.silhouettes : ofDistances.has(key) ? group.distances : groupScores(group) || { measures: {} }).measures[key];
const paper = 'authors’';
const protocolTitle = (name) => name.charAt(0).toUpperCase() + name.slice(1);
const isFailed = (i) => samples.error[i] !== undefined;
/** The network's published meshes; `resultMesh` is the last one. A model without stage 2 has one. */
const networkMeshes = data.network_meshes, fitted = 'fitted';
const firstMesh = networkMeshes[0], resultMesh = networkMeshes[networkMeshes.length - 1];
/** Whether there are two meshes to compare. */
const compares = firstMesh !== resultMesh;
const isScored = (i) => valuesOf(resultMesh, 'chamfer')[i] !== null;
const overlapsLess = (i) => samples.silhouettes[resultMesh].overlap[i] < samples.silhouettes[firstMesh].overlap[i];  // null < null is false
/** Whether refinement made a sample worse, by its truth; without one, by its photographs. */
const isWorse = (i) => (isScored(i) ? scores().regressed[i] === 1 : overlapsLess(i));

const rank = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
const medianOf = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
const numbersOf = (column) => column.filter((value) => value !== null);
const ascending = (values) => Float64Array.from(values).sort();

const tickText = (value) => String(Number(value.toPrecision(6))).replace('-', '−');
