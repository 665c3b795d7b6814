'use strict';
// Fake DOM for the report's scripts: elements keep attributes, children and listeners, and have no size.

class FakeElement {
  constructor(name) {
    Object.assign(this, { name, attributes: {}, children: [], listeners: {}, style: {}, dataset: {}, hidden: false });
    Object.assign(this, { value: '', checked: false, scrollTop: 0, clientHeight: 0, clientWidth: 0, offsetWidth: 0, offsetHeight: 0 });
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  append(...children) { this.children.push(...children); }
  replaceChildren(...children) { this.children = children; }
  set textContent(text) { this.children = [text]; }
  get textContent() { return this.children.map((child) => child.textContent ?? String(child)).join(''); }
  get parentElement() { return new FakeElement('div'); }
  get tHead() { return this.all('thead')[0]; }
  get tBodies() { return this.all('tbody'); }
  focus() {}
  closest() { return null; }
  /** Returns the descendants of this name, in document order. */
  all(name) {
    return this.children.filter((child) => child instanceof FakeElement)
      .flatMap((child) => [...(child.name === name ? [child] : []), ...child.all(name)]);
  }
}

/** A document that makes an element at the first getElementById(). `known`: existing elements by identifier. */
const fakeDocument = (known = {}) => {
  const byId = { ...known };
  return { getElementById: (id) => (byId[id] ||= new FakeElement(id)), querySelectorAll: () => [],
    createElement: (name) => new FakeElement(name), createElementNS: (_, name) => new FakeElement(name) };
};

module.exports = { fakeDocument };
