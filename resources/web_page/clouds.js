'use strict';

// Clouds of points, drawn as discs that lie in their surface.
const clouds = (() => {
  // Neighbours of a cloud's points in a grid of cells that are about as wide as points are apart.
  const gridOf = (p, low, size) => {
    const count = p.length / 3, sides = [...size].sort((a, b) => b - a);
    const cell = Math.max(Math.sqrt(Math.max(sides[0] * sides[1], 1e-12) / count), sides[0] / 500, 1e-9) * 1.5;
    const dims = size.map((s) => Math.floor(s / cell) + 1), heads = new Map(), next = new Int32Array(count);
    const cellOf = (at) => low.map((l, k) => Math.min(dims[k] - 1, Math.max(0, Math.floor((p[at + k] - l) / cell))));
    const keyOf = (x, y, z) => (x * dims[1] + y) * dims[2] + z;
    for (let i = 0; i < count; ++i) {
      const key = keyOf(...cellOf(3 * i)), head = heads.get(key);
      next[i] = head === undefined ? -1 : head;
      heads.set(key, i);
    }
    return (i, visit) => {
      const [x, y, z] = cellOf(3 * i);
      for (let a = Math.max(0, x - 1); a <= Math.min(dims[0] - 1, x + 1); ++a)
        for (let b = Math.max(0, y - 1); b <= Math.min(dims[1] - 1, y + 1); ++b)
          for (let c = Math.max(0, z - 1); c <= Math.min(dims[2] - 1, z + 1); ++c) {
            const head = heads.get(keyOf(a, b, c));
            for (let j = head === undefined ? -1 : head; j >= 0; j = next[j]) visit(j);
          }
    };
  };

  // Normals of a cloud, of either sign: across the plane of the nearest points. And the diameter of
  // discs that leave few holes: reaching the fourth neighbour of nine points in ten.
  const addNormals = (mesh, low, size) => {
    const kNear = 8, { positions: p } = mesh, count = p.length / 3;
    const near = gridOf(p, low, size), reaches = [];
    mesh.normals = new Float32Array(p.length);
    const step = Math.max(1, Math.floor(count / 2000));
    const nearest = new Int32Array(kNear + 1), squares = new Float64Array(kNear + 1);
    for (let i = 0; i < count; ++i) {
      const [px, py, pz] = [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
      let found = 0;
      near(i, (j) => {
        const x = p[3 * j] - px, y = p[3 * j + 1] - py, z = p[3 * j + 2] - pz, square = x * x + y * y + z * z;
        if (found > kNear && square >= squares[kNear]) return;
        let at = Math.min(found, kNear);
        for (; at > 0 && squares[at - 1] > square; --at) {
          squares[at] = squares[at - 1];
          nearest[at] = nearest[at - 1];
        }
        squares[at] = square;
        nearest[at] = j;
        ++found;
      });
      found = Math.min(found, kNear + 1);
      if (i % step === 0 && found > 4) reaches.push(Math.sqrt(squares[4]));
      // The inverse of the spread, times a vector again and again, turns it to the least spread.
      const middle = [0, 0, 0], m = [0, 0, 0, 0, 0, 0];
      for (let n = 0; n < found; ++n) for (let k = 0; k < 3; ++k) middle[k] += p[3 * nearest[n] + k] / found;
      for (let n = 0; n < found; ++n) {
        const j = 3 * nearest[n], x = p[j] - middle[0], y = p[j + 1] - middle[1], z = p[j + 2] - middle[2];
        m[0] += x * x; m[1] += x * y; m[2] += x * z; m[3] += y * y; m[4] += y * z; m[5] += z * z;
      }
      const weak = 1e-4 * (m[0] + m[3] + m[5]) + 1e-20;
      const [a, b, c, d, e, f] = [m[0] + weak, m[1], m[2], m[3] + weak, m[4], m[5] + weak];
      const inverse = [d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b];
      let n = [0.48, 0.6, 0.64];
      for (let turn = 0; turn < 6; ++turn) {
        const [x, y, z] = n, [A, B, C, D, E, F] = inverse;
        n = [A * x + B * y + C * z, B * x + D * y + E * z, C * x + E * y + F * z];
        const long = Math.hypot(...n) || 1;
        n = n.map((v) => v / long);
      }
      mesh.normals.set(n, 3 * i);
    }
    reaches.sort((a, b) => a - b);
    mesh.disc = reaches.length ? 2 * reaches[Math.floor(0.9 * (reaches.length - 1))] : 0;
  };

  return { addNormals };
})();
