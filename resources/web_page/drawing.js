// Draws meshes with WebGL 2.
const drawing = (() => {
  const kColourings = { plain: 0, values: 1, difference: 1, texture: 2, normals: 3 };
  const { fields: kFields, bytesOf } = meshData;
  const { viewRows } = viewerCamera;
  const kAttributes = ['position', 'normal', 'value', 'texCoord'];  // in the order of their locations
  const kValueLocation = 2, kTexCoordLocation = 3;
  const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

  /** Makes the program of all meshes. Throws an Error if the driver does not accept the shaders. */
  const compile = (gl) => {
    const program = gl.createProgram(), shaders = [];
    for (const [kind, source] of [[gl.VERTEX_SHADER, viewerShaders.vertex], [gl.FRAGMENT_SHADER, viewerShaders.fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      shaders.push(shader);
    }
    kAttributes.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    if (gl.getProgramParameter(program, gl.LINK_STATUS)) return program;
    // Where a shader does not compile, most drivers leave the program's log empty.
    const refused = shaders.filter((shader) => !gl.getShaderParameter(shader, gl.COMPILE_STATUS));
    const logs = [...refused.map((shader) => gl.getShaderInfoLog(shader)), gl.getProgramInfoLog(program)];
    throw new Error(logs.filter(Boolean).join('\n'));
  };

  /**
   * Uploads a mesh of meshData.unpack(): with texture coordinates, each face has three vertices of its own. Returns
   *   `vertexArray`, and all `buffers`; `fields`: the buffer of each field that the mesh has,
   *   `isIndexed`: faces are drawn by an index buffer,
   *   `texture`: null until its picture has arrived, when redraw() is called; `isRemoved`: if set, a
   *   picture that arrives is ignored.
   */
  const upload = (gl, mesh, redraw) => {
    const { positions, normals, faces, texCoords, source } = mesh;
    const order = texCoords ? faces : null;
    const count = order ? order.length : source.vertices;
    /** Array of `size` numbers for each vertex; `write(data, at, vertex)` writes those of one vertex from index `at`. */
    const interleave = (size, write) => {
      const data = new Float32Array(size * count);
      for (let i = 0; i < count; ++i) write(data, size * i, order ? order[i] : i);
      return data;
    };
    const fromArray = (from) => (to, at, v) => { for (let k = 0; k < 3; ++k) to[at + k] = from[3 * v + k]; };
    const withKnownFlag = (from) => (to, at, v) => { to[at] = from[v] || 0; to[at + 1] = from[v] === from[v] ? 1 : 0; };
    const uploaded = { vertexArray: gl.createVertexArray(), buffers: [], fields: {}, isIndexed: !order && faces.length > 0,
      texture: null, isRemoved: false };
    const buffer = () => { const created = gl.createBuffer(); uploaded.buffers.push(created); return created; };
    gl.bindVertexArray(uploaded.vertexArray);
    const fill = (data, size, location) => {
      const attribute = buffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, attribute);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
      return attribute;
    };
    fill(interleave(3, fromArray(positions)), 3, 0);
    fill(interleave(3, fromArray(normals)), 3, 1);
    for (const field of kFields) if (mesh[field]) uploaded.fields[field] = fill(interleave(2, withKnownFlag(mesh[field])), 2, kValueLocation);
    if (texCoords) fill(texCoords, 2, kTexCoordLocation);
    if (uploaded.isIndexed) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    }
    if (!source.texture) return uploaded;
    const picture = new Image();
    picture.onload = () => {
      if (uploaded.isRemoved) return;
      uploaded.texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, uploaded.texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      redraw();
    };
    picture.src = source.texture;
    return uploaded;
  };

  /** Entries of the colour map, sRGB-encoded 0…1. */
  const tableOf = (text) => {
    const bytes = bytesOf(text);
    return Array.from({ length: bytes.length / 6 }, (_, i) =>
      [0, 2, 4].map((k) => (bytes[6 * i + k] | bytes[6 * i + k + 1] << 8) / 65535));
  };

  /**
   * Opens WebGL 2 on a canvas; returns null if the browser has no WebGL 2 or its driver does not accept the shaders.
   * `scales`: colour map and range of each field of meshData; `redraw()` is called when a mesh's texture has arrived.
   * Returns add(mesh), which uploads a mesh of meshData.unpack(), remove(uploaded), clearCanvas(colour) and drawPane(…).
   */
  const open = (canvas, scales, redraw) => {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: true });
    if (!gl) return null;
    let program;
    try {
      program = compile(gl);
    } catch (error) {
      console.warn(error);
      return null;
    }
    const uniform = (name) => gl.getUniformLocation(program, name);
    const uniforms = Object.fromEntries(['rows', 'projection', 'pointSize', 'colouring', 'points', 'mixedWinding', 'surface',
      'missing', 'range', 'table', 'picture'].map((name) => [name, uniform(name)]));
    const textureOf = ({ table }) => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, table.length, 1, 0, gl.RGBA, gl.FLOAT,
        Float32Array.from(table.flatMap((c) => [...c.map(toLinear), 1])));
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
      return texture;
    };
    const tables = Object.fromEntries(kFields.map((field) => [field, textureOf(scales[field])]));
    gl.useProgram(program);
    gl.uniform1i(uniforms.table, 0);
    gl.uniform1i(uniforms.picture, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.SCISSOR_TEST);

    const clear = (colour) => { gl.clearColor(...colour, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); };
    /**
     * Draws one pane with a mesh, or its background alone without one. `uploaded`: of add(mesh); `rect`: left, bottom,
     * width and height of the pane in pixels of the canvas; `part`: the same of the part to draw; `theme`: colours
     * `viewport` and `surface`; `colouring`: a field, 'texture', 'normals' or 'plain'; `ratio`: pixels of the canvas in a
     * CSS pixel.
     */
    const drawPane = ({ mesh, uploaded, camera, rect, part, theme, colouring, ratio }) => {
      gl.viewport(...rect);
      gl.scissor(...part);
      clear(theme.viewport);
      if (!mesh) return;
      const rows = viewRows(camera);
      const aspect = rect[2] / rect[3];
      const scale = 1 / Math.tan(camera.halfAngle);
      const isField = kFields.includes(colouring);
      const isColoured = isField ? uploaded.fields[colouring] : colouring === 'texture' ? uploaded.texture : true;
      const field = isField ? colouring : 'values';
      const { min, max, logarithmic } = scales[field];
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, uploaded.texture || tables[field]);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, tables[field]);
      gl.uniform3f(uniforms.range, min, max, logarithmic ? 1 : 0);
      gl.uniform4fv(uniforms.rows, rows.flat());
      gl.uniform3f(uniforms.projection, scale / aspect, scale, 0.01 * camera.distance);
      gl.uniform2f(uniforms.pointSize, 3 * ratio, 0.5 * mesh.discDiameter * scale * rect[3]);
      gl.uniform1f(uniforms.missing, colouring === 'values' ? mesh.source.max_shown_distance || 0 : 0);
      gl.uniform1i(uniforms.colouring, isColoured ? kColourings[colouring] : 0);
      gl.uniform1i(uniforms.points, mesh.faces.length === 0);
      gl.uniform1i(uniforms.mixedWinding, mesh.mixedWinding);
      gl.uniform3fv(uniforms.surface, theme.surface.map(toLinear));
      gl.bindVertexArray(uploaded.vertexArray);
      if (uploaded.fields[field]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, uploaded.fields[field]);
        gl.vertexAttribPointer(kValueLocation, 2, gl.FLOAT, false, 0, 0);
      }
      if (mesh.faces.length === 0) gl.drawArrays(gl.POINTS, 0, mesh.source.vertices);
      else if (uploaded.isIndexed) gl.drawElements(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_INT, 0);
      else gl.drawArrays(gl.TRIANGLES, 0, mesh.faces.length);
    };
    const remove = (uploaded) => {
      uploaded.isRemoved = true;
      uploaded.buffers.forEach((buffer) => gl.deleteBuffer(buffer));
      gl.deleteVertexArray(uploaded.vertexArray);
      gl.deleteTexture(uploaded.texture);
    };
    const clearCanvas = (colour) => { gl.scissor(0, 0, canvas.width, canvas.height); clear(colour); };
    return { add: (mesh) => upload(gl, mesh, redraw), remove, clearCanvas, drawPane };
  };

  return { open, tableOf };
})();
