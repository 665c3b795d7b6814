// The table of fitted meshes.

/** Draws a table of the third stage alone, so that its numbers do not stand among the published ones. */
function drawFitted() {
  byId('fitted-section').hidden = !data.run.fit;
  if (!data.run.fit) return;
  const keys = ['chamfer', 'f_tau', 'f_2tau', 'overlap', 'surface_mean'].filter(isMeasured);
  const fitOf = (group, key) => statisticsOf(group, key) || {};
  const rows = groups.filter(isGroupMeasured).map((group) => html('tr', { class: group === data.all ? 'all' : null }, [
    html('td', {}, group.name),
    html('td', {}, whole(Math.max(0, ...keys.map((key) => fitOf(group, key).fitted?.count || 0)))),
    ...keys.flatMap((key) => {
      const { fitted, fitted_difference: delta } = fitOf(group, key);
      return [
        html('td', { class: 'gap' }, formatted(key, fitted?.mean)),
        html('td', { class: sureVerdict(key, delta) }, formatted(key, delta?.mean, true)),
        html('td', { class: 'muted' }, intervalText(key, delta).slice(1, -1) || kNotMeasured),
      ];
    }),
  ]));
  byId('fitted').replaceChildren(
    html('thead', {}, [
      html('tr', { class: 'over' }, [html('th', { colspan: 2 }),
        ...keys.map((key) => html('th', { colspan: 3, class: 'gap', scope: 'colgroup' }, groupHeading(key)))]),
      html('tr', {}, [html('th', { scope: 'col' }, 'Category'), html('th', { scope: 'col' }, 'n'),
        ...keys.flatMap(() => [html('th', { class: 'gap', scope: 'col' }, 'fitted'), html('th', { scope: 'col' }, 'Δ'),
          html('th', { scope: 'col' }, '95 % of Δ')])]),
    ]), html('tbody', {}, rows));
  byId('fitted-note').textContent = `The ${resultMesh} meshes, fitted to ${data.run.fit_text || data.run.fit}: a third stage, not comparable ` +
    `with published numbers. Δ is fitted − ${resultMesh}, green or red where its interval excludes zero, from eight samples on. The published protocol ` +
    'rates a mesh of more vertices higher, and a fitted mesh may have more than the network’s; the surface protocol takes equally many points of each mesh.';
}
