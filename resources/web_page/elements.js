// Elements of the viewer, and numbers as text.
const viewerElements = (() => {
  /** Adds an element to `parent`, and returns it. */
  const element = (parent, name, className, text) => {
    const child = document.createElement(name);
    if (className) child.className = className;
    if (text !== undefined) child.textContent = text;
    parent.append(child);
    return child;
  };
  /** Adds a control with its label to `parent`; returns the control. */
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
  /** A colour of components from 0 to 1, in CSS. */
  const css = ([r, g, b]) => `rgb(${Math.round(255 * r)}, ${Math.round(255 * g)}, ${Math.round(255 * b)})`;
  /** Three significant digits. */
  const number = (value) => String(Number(value.toPrecision(3))).replace('-', '−');

  return { element, labelled, select, css, number, whole: plots.grouped };
})();
