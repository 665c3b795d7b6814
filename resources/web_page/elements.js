// Elements and numbers of the viewer.
const viewerElements = (() => {
  /** Adds an element to `parent`. */
  const element = (parent, name, className, text) => {
    const child = document.createElement(name);
    if (className) child.className = className;
    if (text !== undefined) child.textContent = text;
    parent.append(child);
    return child;
  };
  const labelled = (parent, text, control) => {
    const label = element(parent, 'label');
    label.append(...(control.type === 'checkbox' ? [control, text] : [text, control]));
    return control;
  };
  const select = (options) => {
    const control = document.createElement('select');
    for (const [value, text] of options) control.append(new Option(text, value));
    return control;
  };
  const css = ([r, g, b]) => `rgb(${Math.round(255 * r)}, ${Math.round(255 * g)}, ${Math.round(255 * b)})`;
  const number = (value) => String(Number(value.toPrecision(3))).replace('-', '−');
  const whole = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, '\u00a0');

  return { element, labelled, select, css, number, whole };
})();
