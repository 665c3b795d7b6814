// Numbers as text, and values of meshes and samples.

const missing = '–';

function decimalsOf(key) {
  if (isSquared(key) || key === 'overlap') return 3;
  return measures[key] && ['%', 'pixels'].includes(measures[key].unit) ? 2 : 4;
}
const isSquared = (key) => measures[key]?.unit === 'object units²';
const scaled = (key, value) => (isSquared(key) ? value * 1e4 : value);
const whole = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ' ');

function formatted(key, value, sign) {
  if (value === null || value === undefined) return missing;
  const digits = Math.abs(scaled(key, value)).toFixed(decimalsOf(key));
  if (!/[1-9]/.test(digits)) return digits;
  return (value < 0 ? '−' : sign ? '+' : '') + digits;
}
function milliseconds(value) {
  if (value === null || value === undefined) return missing;
  return value < 10 ? value.toFixed(2) : value < 1000 ? value.toFixed(1) : whole(Math.round(value));
}
/** Titles where room is short; other measures are called by their whole title. */
const shortTitles = { chamfer: 'Chamfer', overlap: 'Overlap' };
const shortTitleOf = (key) => shortTitles[key] || measures[key].title;
/** Beside a number; nothing for fractions. */
const shortUnitOf = (key) => (isSquared(key) ? '× 10⁻⁴' : key === 'overlap' ? '' : measures[key].unit);
/** "Chamfer distance, × 10⁻⁴": over the columns of a measure. */
const groupHeading = (key) => [measures[key].title, shortUnitOf(key)].filter(Boolean).join(', ');
const unitOf = (key) => (isSquared(key) ? '10⁻⁴ object units²' : measures[key].unit);
/** Verdict on a measure's difference: 'good', 'bad', or nothing. */
function verdict(key, difference) {
  if (!difference) return '';
  return (difference < 0) === (measures[key].better === 'less') ? 'good' : 'bad';
}
/** Below four samples the bootstrap's interval is from the smallest to the largest of them, and says nothing. */
const hasInterval = (statistics) => Boolean(statistics) && statistics.count >= 4;
/** Below twenty samples the 95th percentile is the largest value. */
const hasPercentiles = (statistics) => statistics.count >= 20;
/** The verdict on a mean difference; nothing where its interval includes zero. */
const sureVerdict = (key, statistics) => (hasInterval(statistics) && (statistics.low > 0 || statistics.high < 0) ? verdict(key, statistics.mean) : '');
/** "(−0.71 … −0.34)"; nothing below four samples. */
const intervalText = (key, statistics) => (hasInterval(statistics) ? `(${formatted(key, statistics.low, true)} … ${formatted(key, statistics.high, true)})` : '');
const difference = (a, b) => (a === null || b === null ? null : b - a);

const scores = () => samples.scores[state.protocol];
const groupScores = (group) => group.protocols[state.protocol];
/** A mesh's measures in each sample: silhouettes and distances, equal in all protocols, and scores. */
const valuesOf = (mesh, key) => (ofSilhouettes.has(key) ? samples.silhouettes : ofDistances.has(key) ? samples.distances : scores() || {})[mesh]?.[key] || samples.name.map(() => null);
const statisticsOf = (group, key) => (ofSilhouettes.has(key) ? group.silhouettes : ofDistances.has(key) ? group.distances : groupScores(group) || { measures: {} }).measures[key];
const paper = 'authors’';
const protocolTitle = (name) => name.charAt(0).toUpperCase() + name.slice(1);
const isFailed = (i) => samples.error[i] !== undefined;
/** The network's published meshes; `resultMesh` is the last one. A model without stage 2 has one. */
const networkMeshes = data.network_meshes, fitted = 'fitted';
const firstMesh = networkMeshes[0], resultMesh = networkMeshes[networkMeshes.length - 1];
const compares = firstMesh !== resultMesh;
const isScored = (i) => valuesOf(resultMesh, 'chamfer')[i] !== null;
const overlapsLess = (i) => samples.silhouettes[resultMesh].overlap[i] < samples.silhouettes[firstMesh].overlap[i];  // null < null is false
/** By the truth; where there is none, by the photographs. */
const isWorse = (i) => (isScored(i) ? scores().regressed[i] === 1 : overlapsLess(i));

const rank = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
const medianOf = (sorted) => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
const numbersOf = (column) => column.filter((value) => value !== null);
const ascending = (values) => Float64Array.from(values).sort();

const tickText = (value) => String(Number(value.toPrecision(6))).replace('-', '−');
