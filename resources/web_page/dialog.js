
// Results above the report that lists them. The address names the open one, so that the browser's
// "back" leads to the report; each is read when it is opened.
const results = (() => {
  const dialog = document.getElementById('result-dialog');
  const sources = new Map([...document.querySelectorAll('script.result')].map((source) => [source.id, source]));
  let viewer, opener = null, openedHere = false;
  const named = () => sources.get(location.hash.slice(1));
  const follow = () => {
    const source = named();
    if (!source) { openedHere = false; if (dialog && dialog.open) dialog.close(); return; }
    const result = JSON.parse(source.textContent);
    dialog.querySelector('h2').textContent = result.name;
    if (!dialog.open) dialog.showModal();
    viewer = viewer || makeViewer(dialog.querySelector('div'), JSON.parse(document.getElementById('viewer-data').textContent));
    dialog.querySelector('p').hidden = viewer.show(result);
  };
  if (dialog) {
    // Who came by a link to the result would leave the page by "back".
    dialog.addEventListener('close', () => {
      if (opener && opener.isConnected) opener.focus({ preventScroll: true });
      opener = null;
      if (!named()) return;
      if (openedHere) history.back(); else history.replaceState(null, '', location.href.split('#')[0]);
    });
    dialog.querySelector('button').addEventListener('click', () => dialog.close());
    addEventListener('hashchange', follow);
    follow();
  }
  return { has: (id) => sources.has(id), open: (id) => {
    [opener, openedHere] = [document.activeElement, true];  // the new address takes the focus away
    location.hash = id;
  } };
})();
