// Meshes of a result, unpacked into arrays.
const meshData = (() => {
  const fields = ['values', 'difference'];  // numbers of vertices, each with its colour map
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  // As in render/mesh_geometry.cpp, so that window and page shade a mesh alike; the reasons are there.
  const kMinRelativeLength = 0.5, kVerticesPerCancelled = 64, kEdgesPerRepeated = 100;

  /** Whether many neighbouring faces wind in opposite directions, so that the sign of a normal says nothing. */
  const isMixedWinding = (faces, vertices) => {
    const edges = new Float64Array(faces.length);
    for (let i = 0; i < faces.length; i += 3)
      for (let k = 0; k < 3; ++k) edges[i + k] = faces[i + k] * vertices + faces[i + (k + 1) % 3];
    edges.sort();
    let repeated = 0;
    for (let i = 1; i < edges.length; ++i) if (edges[i] === edges[i - 1]) ++repeated;
    return repeated * kEdgesPerRepeated > edges.length;
  };

  /**
   * Returns the unit `normals` of a mesh's vertices, sums of the faces' normals, weighted by area, and `mixedWinding` of
   * the faces.
   */
  const normalsOf = (p, faces) => {
    const normals = new Float32Array(p.length);
    const sum = (align) => {
      let areas = align ? null : new Float32Array(p.length / 3);
      for (let i = 0; i < faces.length; i += 3) {
        const [a, b, c] = [3 * faces[i], 3 * faces[i + 1], 3 * faces[i + 2]];
        const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
        const v = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        for (const at of [a, b, c]) {
          const same = n[0] * normals[at] + n[1] * normals[at + 1] + n[2] * normals[at + 2];
          const sign = align && same < 0 ? -1 : 1;
          for (let k = 0; k < 3; ++k) normals[at + k] += sign * n[k];
          if (areas) areas[at / 3] += Math.hypot(...n);
        }
      }
      return areas;
    };
    const areas = sum(false);
    let cancelled = 0;
    for (let i = 0; i < areas.length; ++i)
      if (Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]) < kMinRelativeLength * areas[i]) ++cancelled;
    const mixedWinding = cancelled * kVerticesPerCancelled > areas.length && isMixedWinding(faces, areas.length);
    if (mixedWinding) { normals.fill(0); sum(true); }
    for (let i = 0; i < normals.length; i += 3) {
      const size = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
      for (let k = 0; k < 3; ++k) normals[i + k] /= size;
    }
    return { normals, mixedWinding };
  };

  /**
   * Unpacks a mesh's bytes, which are laid out as PackedMesh (engine/web_page/packed_mesh.h). Returns
   *   `source`: the mesh as the page has it, with its name and numbers,
   *   `positions`, `normals`: three numbers for each vertex; `faces`: three vertices for each face, none of a cloud,
   *   `values`, `difference`: a number for each vertex, NaN where there is none; absent where the source has none,
   *   `texCoords`: two numbers for each corner of a face; absent without a texture,
   *   `mixedWinding`: faces wind inconsistently; `discDiameter`: of a cloud's discs, object units, else 0.
   */
  const unpack = (source) => {
    const bytes = bytesOf(source.data);
    let at = 0;
    const next16 = () => { at += 2; return bytes[at - 2] | bytes[at - 1] << 8; };
    const nextDifference = () => {
      let number = 0, scale = 1;
      for (;; scale *= 128) {
        const byte = bytes[at++];
        number += (byte & 127) * scale;
        if (byte < 128) return number % 2 ? -(number + 1) / 2 : number / 2;
      }
    };
    const mesh = { source, positions: new Float32Array(3 * source.vertices), faces: new Uint32Array(3 * source.faces) };
    for (let i = 0; i < mesh.positions.length; ++i)
      mesh.positions[i] = source.low[i % 3] + source.size[i % 3] * next16() / 65535;
    for (const field of fields) {
      if (!source[field]) continue;
      const [low, high] = source[field];
      mesh[field] = Float32Array.from({ length: source.vertices }, () => {
        const step = next16();
        return step > 65534 ? NaN : low + (high - low) * step / 65534;
      });
    }
    if (source.coordinates) {
      mesh.texCoords = Float32Array.from({ length: 6 * source.faces }, (_, i) => {
        const step = next16();
        return step > 65534 ? -1 : i % 2 ? 1 - step / 65534 : step / 65534;
      });
    }
    for (let i = 0, last = 0; i < mesh.faces.length; i += 3) {
      mesh.faces[i] = last += nextDifference();
      mesh.faces[i + 1] = last + nextDifference();
      mesh.faces[i + 2] = last + nextDifference();
    }
    const { positions, faces } = mesh;
    const shading = source.faces ? normalsOf(positions, faces) : clouds.normalsOf(positions, source.low, source.size);
    return { mixedWinding: false, discDiameter: 0, ...mesh, ...shading };
  };

  return { fields, bytesOf, unpack };
})();
