// Cameras of a viewer, as values: { yaw, pitch, halfAngle } in radians, { distance, target } in object
// units. A camera looks from `distance` at `target`; `halfAngle` is half of its vertical field of view.
const viewerCamera = (() => {
  const kDefaultHalfAngle = 0.35;
  const kZoomStep = 0.875;  // factor of the distance in one step of the wheel, as in the window
  const kMargin = 0.86;  // fraction of a pane's height and width that meshes fill
  const kMinDistance = 1e-3;  // smallest distance of ofMeshes(), object units

  /** Rows of a camera's transform from object to camera space: right, up and backward axis, each with its offset. */
  const viewRows = ({ yaw, pitch, distance, target }) => {
    const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
    const axes = [[cy, 0, -sy], [-sp * sy, cp, -sp * cy], [cp * sy, sp, cp * cy]];
    const centre = target.map((t, k) => t + distance * axes[2][k]);
    return axes.map((axis) => [...axis, -axis.reduce((sum, a, k) => sum + a * centre[k], 0)]);
  };
  /** The camera turned around its target by `x`, `y` radians; it stops at the poles. */
  const orbited = (camera, x, y) => ({ ...camera, yaw: camera.yaw - x,
    pitch: Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + y)) });
  /** The camera moved sideways by `x`, `y` pixels of a pane of this height. */
  const panned = (camera, x, y, height) => {
    const [right, up] = viewRows(camera);
    const unit = 2 * camera.distance * Math.tan(camera.halfAngle) / height;
    return { ...camera, target: camera.target.map((v, k) => v + unit * (y * up[k] - x * right[k])) };
  };
  /** The camera moved closer to its target by `steps`, each kZoomStep times the distance. */
  const zoomed = (camera, steps) =>
    ({ ...camera, distance: Math.max(1e-5, Math.min(1e6, camera.distance * kZoomStep ** steps)) });
  /** The camera from `from` (s = 0) to `to` (s = 1), turning the shorter way. */
  const between = (from, to, s) => {
    const turn = to.yaw - from.yaw - 2 * Math.PI * Math.round((to.yaw - from.yaw) / (2 * Math.PI));
    const mixed = (a, b) => a + s * (b - a);
    return { yaw: from.yaw + s * turn, pitch: mixed(from.pitch, to.pitch),
      distance: mixed(from.distance, to.distance), halfAngle: mixed(from.halfAngle, to.halfAngle),
      target: from.target.map((v, k) => mixed(v, to.target[k])) };
  };
  /** The camera of a photograph, its field of view widened until a pane of this aspect shows it whole. */
  const ofPhotograph = ({ yaw, pitch, distance, half_angle: halfAngle }, aspect) => ({ yaw, pitch, distance, target: [0, 0, 0],
    halfAngle: Math.atan(Math.tan(halfAngle) / Math.min(1, aspect)) });
  /**
   * The camera that shows meshes whole, from the direction of `camera`. It fits the points, not their box: seen from
   * a corner, a box is mostly empty. As frameCamera() of ui/panes/pane_cameras.cpp.
   */
  const ofMeshes = (camera, meshes, aspect) => {
    const relative = (from, visit) => {
      const rows = viewRows(from);
      for (const { positions: p } of meshes)
        for (let i = 0; i < p.length; i += 3)
          visit(rows.map((r, k) => r[0] * p[i] + r[1] * p[i + 1] + r[2] * p[i + 2] + r[3] + (k === 2 ? from.distance : 0)));
    };
    const start = { ...camera, target: [0, 0, 0], distance: 1, halfAngle: kDefaultHalfAngle };
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    relative(start, (q) => q.forEach((v, k) => { low[k] = Math.min(low[k], v); high[k] = Math.max(high[k], v); }));
    const centre = low.map((v, k) => (v + high[k]) / 2);
    const rows = viewRows(start);
    start.target = [0, 1, 2].map((k) => rows.reduce((sum, r, j) => sum + r[k] * centre[j], 0));
    const height = kMargin * Math.tan(start.halfAngle);
    let distance = kMinDistance;
    relative(start, (q) => {
      distance = Math.max(distance, Math.abs(q[0]) / (height * aspect) + q[2], Math.abs(q[1]) / height + q[2]);
    });
    return { ...start, distance };
  };

  return { kZoomStep, viewRows, orbited, panned, zoomed, between, ofPhotograph, ofMeshes };
})();
