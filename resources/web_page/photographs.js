// The row of a result's photographs, each a button that moves the view to its camera.

/** Returns a function that shows `photographs`, the one at `chosen` pressed; `onChosen(index)` is called on a click. */
const makePhotographs = (row, onChosen) => {
  const { element } = viewerElements;

  return (photographs, chosen) => {
    row.textContent = '';
    row.hidden = photographs.length === 0;
    const order = [...photographs.keys()].sort((a, b) =>
      photographs[a].name.localeCompare(photographs[b].name, undefined, { numeric: true }));
    order.forEach((index) => {
      const each = photographs[index];
      const button = element(row, 'button');
      button.type = 'button';
      button.title = `${each.name}: fly to its camera${each.input ? '; the network’s input' : ''}`;
      button.setAttribute('aria-pressed', index === chosen);
      element(button, 'small', each.input ? 'input' : '', each.name.replace(/^view /, ''));
      const picture = element(button, 'img');
      picture.alt = each.name;
      picture.src = each.picture;
      button.addEventListener('click', () => {
        [...row.children].forEach((other) => other.setAttribute('aria-pressed', other === button));
        onChosen(index);
      });
    });
    if (photographs.some(({ input }) => input) && photographs.some(({ input }) => !input))
      element(row, 'p', 'hint', 'Blue numbers: the network’s input. The others are seen by the fit alone.');
  };
};
