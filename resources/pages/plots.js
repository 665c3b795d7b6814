// Elements, ticks and numbers that reports and viewers share. `var`, since a report with viewers holds this script twice.
var plots = (() => {
  /** Sets attributes and, where a name begins with "on", listeners; adds children and texts. Returns the element. */
  const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...[children ?? []].flat().filter((child) => child !== null && child !== undefined));
    return element;
  };
  const svg = (name, attributes, children) =>
    fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

  /**
   * Returns about `wanted` multiples of a round step, from `low` to `high`. The step is one of `factors` (1 to 10, in
   * ascending order, the last one 10) times a power of ten.
   */
  const ticksOf = (low, high, wanted, factors = [1, 2, 5, 10]) => {
    const raw = (high - low) / wanted || 1;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = factors.map((factor) => factor * power).find((each) => each >= raw * 0.999);
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); ++i) ticks.push(i * step);
    return ticks;
  };

  /** An integer with no-break spaces between thousands. */
  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

  return { fill, svg, ticksOf, grouped };
})();
