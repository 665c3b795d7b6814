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

  // Unit eigenvector of the smallest eigenvalue of a symmetric matrix, given as xx, xy, xz, yy, yz, zz:
  // six power iterations on the adjugate, which is a multiple of the inverse.
  const smallestEigenvector = ([xx, xy, xz, yy, yz, zz]) => {
    const regularisation = 1e-4 * (xx + yy + zz) + 1e-20;
    const [a, b, c, d, e, f] = [xx + regularisation, xy, xz, yy + regularisation, yz, zz + regularisation];
    const [A, B, C, D, E, F] = [d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b];
    let vector = [0.48, 0.6, 0.64];
    for (let iteration = 0; iteration < 6; ++iteration) {
      const [x, y, z] = vector;
      vector = [A * x + B * y + C * z, B * x + D * y + E * z, C * x + E * y + F * z];
      const length = Math.hypot(...vector) || 1;
      vector = vector.map((v) => v / length);
    }
    return vector;
  };

  // Adds to a cloud its normals, whose sign is arbitrary, from the eight nearest points, and the
  // diameter of discs that leave few holes: nine discs in ten reach the fourth neighbour.
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
      const centre = [0, 0, 0], covariance = [0, 0, 0, 0, 0, 0];
      for (let n = 0; n < found; ++n) for (let k = 0; k < 3; ++k) centre[k] += p[3 * nearest[n] + k] / found;
      for (let n = 0; n < found; ++n) {
        const j = 3 * nearest[n], x = p[j] - centre[0], y = p[j + 1] - centre[1], z = p[j + 2] - centre[2];
        [x * x, x * y, x * z, y * y, y * z, z * z].forEach((product, k) => { covariance[k] += product; });
      }
      mesh.normals.set(smallestEigenvector(covariance), 3 * i);
    }
    reaches.sort((a, b) => a - b);
    mesh.disc = reaches.length ? 2 * reaches[Math.floor(0.9 * (reaches.length - 1))] : 0;
  };

  return { addNormals };
})();
