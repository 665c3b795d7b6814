// A page of results with one viewer. The data of a result are parsed when it is shown.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId('data').textContent);
  const sources = [...document.querySelectorAll('script.result')];
  const stills = [...document.querySelectorAll('.still')];
  const choice = byId('result');
  const viewer = makeViewer(byId('viewer'), data);

  const show = (index) => {
    choice.selectedIndex = index;
    byId('previous').disabled = index === 0;
    byId('next').disabled = index === sources.length - 1;
    const drawn = viewer.show(JSON.parse(sources[index].textContent));
    stills.forEach((still, i) => { still.hidden = drawn || i !== index; });
    byId('no-webgl').hidden = drawn;
  };

  data.names.forEach((name) => choice.append(new Option(name)));
  byId('results').hidden = sources.length < 2;
  choice.addEventListener('change', () => show(choice.selectedIndex));
  byId('previous').addEventListener('click', () => show(choice.selectedIndex - 1));
  byId('next').addEventListener('click', () => show(choice.selectedIndex + 1));

  const theme = byId('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme || (system.matches ? 'dark' : 'light')) === 'dark';
  const updateTheme = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; viewer.draw(); };
  theme.addEventListener('click', () => { root.dataset.theme = isDark() ? 'light' : 'dark'; updateTheme(); });
  system.addEventListener('change', updateTheme);
  theme.hidden = false;
  updateTheme();

  stills.forEach((still) => { still.hidden = true; });
  if (sources.length === 0) return;
  if (window.top === window) {
    show(0);
    return;
  }
  // A frame of a notebook draws nothing before it is scrolled to, which may never happen.
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    show(0);
  });
  seen.observe(document.querySelector('main'));
})();
