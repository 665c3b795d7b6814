// Normals and disc sizes of point clouds, which are drawn as discs that lie in their surface.
const clouds = (() => {
  /**
   * Returns a function (i, visit) that visits the points near point i of a cloud: those in its cell of a grid and in
   * the cells around. Cells are about as wide as points are apart. `minimum`, `size`: of the cloud's box.
   */
  const neighboursIn = (positions, minimum, size) => {
    const count = positions.length / 3, sides = [...size].sort((a, b) => b - a);
    const cell = Math.max(Math.sqrt(Math.max(sides[0] * sides[1], 1e-12) / count), sides[0] / 500, 1e-9) * 1.5;
    const cellsAlong = size.map((s) => Math.floor(s / cell) + 1), firstInCell = new Map(), next = new Int32Array(count);
    const cellOf = (at) => minimum.map((low, k) => Math.min(cellsAlong[k] - 1, Math.max(0, Math.floor((positions[at + k] - low) / cell))));
    const keyOf = (x, y, z) => (x * cellsAlong[1] + y) * cellsAlong[2] + z;
    for (let i = 0; i < count; ++i) {
      const key = keyOf(...cellOf(3 * i));
      next[i] = firstInCell.get(key) ?? -1;
      firstInCell.set(key, i);
    }
    return (i, visit) => {
      const [x, y, z] = cellOf(3 * i);
      for (let a = Math.max(0, x - 1); a <= Math.min(cellsAlong[0] - 1, x + 1); ++a)
        for (let b = Math.max(0, y - 1); b <= Math.min(cellsAlong[1] - 1, y + 1); ++b)
          for (let c = Math.max(0, z - 1); c <= Math.min(cellsAlong[2] - 1, z + 1); ++c)
            for (let j = firstInCell.get(keyOf(a, b, c)) ?? -1; j >= 0; j = next[j]) visit(j);
    };
  };

  /**
   * Unit eigenvector of the smallest eigenvalue of a symmetric matrix, given as xx, xy, xz, yy, yz, zz:
   * six power iterations on the adjugate, which is a multiple of the inverse.
   */
  const smallestEigenvector = ([xx, xy, xz, yy, yz, zz]) => {
    const regularisation = 1e-4 * (xx + yy + zz) + 1e-20;
    xx += regularisation;
    yy += regularisation;
    zz += regularisation;
    const adjugate = { xx: yy * zz - yz * yz, xy: xz * yz - xy * zz, xz: xy * yz - xz * yy,
      yy: xx * zz - xz * xz, yz: xy * xz - xx * yz, zz: xx * yy - xy * xy };
    let vector = [0.48, 0.6, 0.64];
    for (let iteration = 0; iteration < 6; ++iteration) {
      const [x, y, z] = vector;
      vector = [adjugate.xx * x + adjugate.xy * y + adjugate.xz * z, adjugate.xy * x + adjugate.yy * y + adjugate.yz * z,
        adjugate.xz * x + adjugate.yz * y + adjugate.zz * z];
      const length = Math.hypot(...vector) || 1;
      vector = vector.map((v) => v / length);
    }
    return vector;
  };

  /**
   * Returns the unit `normals` of a cloud, from the eight nearest points (their sign is arbitrary), and `discDiameter`,
   * which leaves few holes between the discs: nine in ten reach the fourth neighbour. `minimum`, `size`: of the cloud's box.
   */
  const normalsOf = (positions, minimum, size) => {
    const kNeighbours = 8, count = positions.length / 3;
    const visitNear = neighboursIn(positions, minimum, size), fourthDistances = [];
    const normals = new Float32Array(positions.length);
    const step = Math.max(1, Math.floor(count / 2000));
    const nearest = new Int32Array(kNeighbours + 1), squares = new Float64Array(kNeighbours + 1);
    for (let i = 0; i < count; ++i) {
      const [px, py, pz] = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
      let found = 0;
      visitNear(i, (j) => {
        const x = positions[3 * j] - px, y = positions[3 * j + 1] - py, z = positions[3 * j + 2] - pz;
        const square = x * x + y * y + z * z;
        if (found > kNeighbours && square >= squares[kNeighbours]) return;
        let at = Math.min(found, kNeighbours);
        for (; at > 0 && squares[at - 1] > square; --at) {
          squares[at] = squares[at - 1];
          nearest[at] = nearest[at - 1];
        }
        squares[at] = square;
        nearest[at] = j;
        ++found;
      });
      found = Math.min(found, kNeighbours + 1);
      if (i % step === 0 && found > 4) fourthDistances.push(Math.sqrt(squares[4]));
      const centre = [0, 0, 0], covariance = [0, 0, 0, 0, 0, 0];
      for (let n = 0; n < found; ++n) for (let k = 0; k < 3; ++k) centre[k] += positions[3 * nearest[n] + k] / found;
      for (let n = 0; n < found; ++n) {
        const at = 3 * nearest[n];
        const x = positions[at] - centre[0], y = positions[at + 1] - centre[1], z = positions[at + 2] - centre[2];
        [x * x, x * y, x * z, y * y, y * z, z * z].forEach((product, k) => { covariance[k] += product; });
      }
      normals.set(smallestEigenvector(covariance), 3 * i);
    }
    fourthDistances.sort((a, b) => a - b);
    const discDiameter = fourthDistances.length ? 2 * fourthDistances[Math.floor(0.9 * (fourthDistances.length - 1))] : 0;
    return { normals, discDiameter };
  };

  return { normalsOf };
})();
