// Elements of the page, and tips beside the pointer.

const byId = (id) => document.getElementById(id);

const { fill, svg, ticksOf } = plots;
const html = (name, attributes, children) => fill(document.createElement(name), attributes, children);

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

/** Listeners that show `text(event)` beside the pointer; nothing where it is empty. */
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

/** A heading with a note in lower-case letters behind it. */
function heading(id, title, note) {
  byId(id).replaceChildren(title, html('span', { class: 'as-is' }, `  ${note}`));
}
