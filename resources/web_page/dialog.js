// The dialog of a report's results. The address names the open result, so that the browser's "back" leads to the report.
// The data of a result are parsed when it is opened.
const resultDialog = (() => {
  const dialog = document.getElementById('result-dialog');
  const sources = new Map([...document.querySelectorAll('script.result')].map((source) => [source.id, source]));
  let viewer, opener = null, openedHere = false;
  let order = [...sources.keys()];  // identifiers in the order of "previous" and "next"
  const current = () => location.hash.slice(1);
  const currentSource = () => sources.get(current());
  const showFromAddress = () => {
    const source = currentSource();
    if (!source) { openedHere = false; if (dialog && dialog.open) dialog.close(); return; }
    const result = JSON.parse(source.textContent);
    const at = order.indexOf(current());
    dialog.querySelector('h2').textContent = result.name;
    dialog.querySelector('header span').textContent = at < 0 ? '' : `${at + 1} of ${order.length}`;
    dialog.querySelector('.previous').disabled = at <= 0;
    dialog.querySelector('.next').disabled = at < 0 || at + 1 >= order.length;
    if (!dialog.open) {
      dialog.showModal();
      dialog.querySelector('.close').focus();  // "autofocus" complains where the page has a focus already
    }
    viewer = viewer || makeViewer(dialog.querySelector('div'), JSON.parse(document.getElementById('viewer-data').textContent));
    dialog.querySelector('p').hidden = viewer.show(result);
  };
  /** Opens another result: replaces the address, so that "back" still leads to the report. */
  const step = (offset) => {
    history.replaceState(null, '', `#${order[order.indexOf(current()) + offset]}`);
    showFromAddress();
  };
  if (dialog) {
    // A visitor who followed a link to the result would leave the page by "back".
    dialog.addEventListener('close', () => {
      if (opener && opener.isConnected) opener.focus({ preventScroll: true });
      opener = null;
      if (!currentSource()) return;
      if (openedHere) history.back(); else history.replaceState(null, '', location.href.split('#')[0]);
    });
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
    dialog.querySelector('.previous').addEventListener('click', () => step(-1));
    dialog.querySelector('.next').addEventListener('click', () => step(1));
    addEventListener('hashchange', showFromAddress);
    showFromAddress();
  }
  /**
   * has(id): whether the page has this result. open(id, list): opens it; `list`: identifiers in the order of "previous"
   * and "next"; undefined: all, in the order of the page.
   */
  return { has: (id) => sources.has(id), open: (id, list) => {
    order = (list || [...sources.keys()]).filter((each) => sources.has(each));
    [opener, openedHere] = [document.activeElement, true];  // the new address takes the focus away
    location.hash = id;
  } };
})();
