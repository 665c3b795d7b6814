// Cameras of a viewer, as values: { yaw, pitch, halfAngle } in radians, { distance, target } in object
// units. A camera looks from `distance` at `target`.
const viewerCamera = (() => {
  const orbited = (camera, x, y) => ({ ...camera, yaw: camera.yaw - x,
    pitch: Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + y)) });
  /** `x`, `y`: in pixels of a pane of this height. */
  const panned = (camera, x, y, height) => {
    const [right, up] = drawing.viewRows(camera);
    const unit = 2 * camera.distance * Math.tan(camera.halfAngle) / height;
    return { ...camera, target: camera.target.map((v, k) => v + unit * (y * up[k] - x * right[k])) };
  };
  const zoomed = (camera, steps) =>
    ({ ...camera, distance: Math.max(1e-5, Math.min(1e6, camera.distance * 0.875 ** steps)) });
  /** The camera from `from` (s = 0) to `to` (s = 1), the shorter way round. */
  const between = (from, to, s) => {
    const turn = to.yaw - from.yaw - 2 * Math.PI * Math.round((to.yaw - from.yaw) / (2 * Math.PI));
    const mixed = (a, b) => a + s * (b - a);
    return { yaw: from.yaw + s * turn, pitch: mixed(from.pitch, to.pitch),
      distance: mixed(from.distance, to.distance), halfAngle: mixed(from.halfAngle, to.halfAngle),
      target: from.target.map((v, k) => mixed(v, to.target[k])) };
  };
  /** The camera of a photograph, its field of view widened until a pane of this aspect shows it whole. */
  const ofPhotograph = ({ yaw, pitch, distance, halfAngle }, aspect) => ({ yaw, pitch, distance, target: [0, 0, 0],
    halfAngle: Math.atan(Math.tan(halfAngle) / Math.min(1, aspect)) });

  return { orbited, panned, zoomed, between, ofPhotograph };
})();
