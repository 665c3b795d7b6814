// Draws meshes as the window does (resources/shaders): the same lights, colour maps and ranges.
const drawing = (() => {
  const kVertex = `#version 300 es
    in vec3 position; in vec3 normal; in vec2 value; in vec2 texCoord;
    uniform vec4 rows[3]; uniform vec3 projection; uniform vec2 pointSize;
    out vec3 viewPosition; out vec3 viewNormal; out vec2 valueAndKnown; out vec2 fragmentTexCoord;
    void main() {
      vec4 p = vec4(position, 1.0);
      viewPosition = vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
      viewNormal = vec3(dot(rows[0].xyz, normal), dot(rows[1].xyz, normal), dot(rows[2].xyz, normal));
      valueAndKnown = value;
      fragmentTexCoord = texCoord;
      float w = -viewPosition.z;
      gl_Position = vec4(projection.xy * viewPosition.xy, w - 2.0 * projection.z, w);
      gl_PointSize = max(pointSize.x, pointSize.y / w);
    }`;
  const kFragment = `#version 300 es
    precision highp float; precision highp int; precision highp sampler2D;
    in vec3 viewPosition; in vec3 viewNormal; in vec2 valueAndKnown; in vec2 fragmentTexCoord;
    uniform vec4 rows[3]; uniform int colouring; uniform bool points; uniform bool eitherWay;
    uniform vec3 surface; uniform float missing;
    uniform vec3 range; uniform sampler2D table; uniform sampler2D picture;
    out vec4 pixel;
    const int kValues = 1, kTexture = 2, kNormals = 3;
    const vec3 kMissing = vec3(0.711, 0.022, 0.015);  // the window's red
    vec3 toLinear(vec3 c) {
      return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThanEqual(c, vec3(0.04045)));
    }
    vec3 toEncoded(vec3 light) {
      vec3 c = clamp(light, 0.0, 1.0);
      return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, c * 12.92, lessThanEqual(c, vec3(0.0031308)));
    }
    float scalePosition(float value) {
      if (value <= range.x) return 0.0;
      if (value >= range.y) return 1.0;
      if (range.z > 0.0) return log(value / range.x) / log(range.y / range.x);
      return (value - range.x) / (range.y - range.x);
    }
    vec4 texel(ivec2 at) {
      vec4 t = texelFetch(picture, clamp(at, ivec2(0), textureSize(picture, 0) - 1), 0);
      return vec4(toLinear(t.rgb) * t.a, t.a);
    }
    vec3 textured() {
      vec2 at = fragmentTexCoord * vec2(textureSize(picture, 0)) - 0.5;
      ivec2 first = ivec2(floor(at));
      vec2 part = at - vec2(first);
      vec4 above = mix(texel(first), texel(first + ivec2(1, 0)), part.x);
      vec4 below = mix(texel(first + ivec2(0, 1)), texel(first + ivec2(1, 1)), part.x);
      vec4 colour = mix(above, below, part.y);
      return colour.rgb + (1.0 - colour.a) * surface;
    }
    vec3 turnedToWorld(vec3 d) { return d.x * rows[0].xyz + d.y * rows[1].xyz + d.z * rows[2].xyz; }
    vec3 unlit() {
      if (colouring == kNormals) {
        float size = length(viewNormal);
        return size > 0.0 ? toLinear(0.5 + 0.5 * turnedToWorld(viewNormal / size)) : vec3(0.153);
      }
      if (colouring == kTexture) return fragmentTexCoord.x < 0.0 ? surface : textured();
      if (colouring != kValues) return surface;
      if (missing > 0.0) return valueAndKnown.x > missing ? kMissing : surface;
      if (valueAndKnown.y < 0.999) return vec3(0.153);
      float at = scalePosition(valueAndKnown.x) * 255.0;
      int below = min(int(at), 254);
      return mix(texelFetch(table, ivec2(below, 0), 0).rgb, texelFetch(table, ivec2(below + 1, 0), 0).rgb,
                 at - float(below));
    }
    vec3 lit(vec3 base, vec3 normal, vec3 toEye) {
      float key = max(0.0, (dot(normal, vec3(-0.52, 0.65, 0.555)) + 0.12) / 1.12);
      float fill = max(0.0, dot(normal, vec3(0.85, -0.10, 0.52)));
      float up = 0.5 + 0.5 * normal.y;
      float grazing = 1.0 - clamp(dot(normal, toEye), 0.0, 1.0);
      float light = 0.07 + 0.11 * up + 0.15 * fill + 0.88 * key;
      if (colouring == kValues) light = 0.4 + 0.6 * min(light, 1.0);
      return base * light + vec3(0.045 * grazing * grazing * grazing * up);
    }
    void main() {
      vec3 toEye = normalize(-viewPosition);
      vec3 base = unlit();
      if (points) {
        // A disc that lies in the surface, so that thin parts stay thin.
        vec3 normal = dot(viewNormal, toEye) < 0.0 ? -viewNormal : viewNormal;
        vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
        float depth = dot(normal.xy, at) / max(normal.z, 0.25);
        if (dot(at, at) + depth * depth > 1.0) discard;
        pixel = vec4(toEncoded(lit(base, normal, toEye)), 1.0);
        return;
      }
      if (colouring == kValues) base += vec3(0.012);
      vec3 normal = gl_FrontFacing ? viewNormal : -viewNormal;
      vec3 face = cross(dFdx(viewPosition), dFdy(viewPosition));
      if (eitherWay || dot(normal, normal) < 1e-8) {
        if (dot(face, viewPosition) > 0.0) face = -face;
        if (dot(normal, face) < 0.0) normal = -normal;
        if (dot(normal, normal) < 1e-8) normal = face;
      }
      float size = length(normal);
      pixel = vec4(toEncoded(lit(base, size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0), toEye)), 1.0);
    }`;

  const kColourings = { plain: 0, values: 1, difference: 1, texture: 2, normals: 3 };
  const kFields = ['values', 'difference'];  // numbers of vertices, each with its colour map
  const kAttributes = ['position', 'normal', 'value', 'texCoord'];  // in the order of their locations
  const kValueLocation = 2, kTexCoordLocation = 3;
  const kDefaultHalfAngle = 0.35;
  const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

  /** Whether many neighbouring faces wind in opposite ways, so that the sign of a normal says nothing. */
  const windsEitherWay = (faces, vertices) => {
    const edges = new Float64Array(faces.length);
    for (let i = 0; i < faces.length; i += 3)
      for (let k = 0; k < 3; ++k) edges[i + k] = faces[i + k] * vertices + faces[i + (k + 1) % 3];
    edges.sort();
    let repeated = 0;
    for (let i = 1; i < edges.length; ++i) if (edges[i] === edges[i - 1]) ++repeated;
    return repeated * 100 > edges.length;
  };

  /** Adds to a mesh its vertices' unit normals: sums of the faces' normals, weighted by area. */
  const addNormals = (mesh) => {
    const { positions: p, faces } = mesh;
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
      if (Math.hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]) < 0.5 * areas[i]) ++cancelled;
    mesh.eitherWay = cancelled * 64 > areas.length && windsEitherWay(faces, areas.length);
    if (mesh.eitherWay) { normals.fill(0); sum(true); }
    for (let i = 0; i < normals.length; i += 3) {
      const size = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
      for (let k = 0; k < 3; ++k) normals[i + k] /= size;
    }
    mesh.normals = normals;
  };

  /** A mesh from its bytes, laid out as PackedMesh (engine/web_page/packed_mesh.h), with normals. */
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
    for (const field of kFields) {
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
    if (source.faces) addNormals(mesh);
    else clouds.addNormals(mesh, source.low, source.size);
    return mesh;
  };

  const compile = (gl) => {
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, kVertex], [gl.FRAGMENT_SHADER, kFragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    kAttributes.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  };

  /** Makes a mesh's buffers: with texture coordinates, each face has three vertices of its own. */
  const upload = (gl, mesh, redraw) => {
    const { positions, normals, faces, texCoords, source } = mesh;
    const order = texCoords ? faces : null;
    const count = order ? order.length : source.vertices;
    /** Numbers of all vertices, `size` each, which `write(data, at, vertex)` writes at `at`. */
    const interleave = (size, write) => {
      const data = new Float32Array(size * count);
      for (let i = 0; i < count; ++i) write(data, size * i, order ? order[i] : i);
      return data;
    };
    const fromArray = (from) => (to, at, v) => { for (let k = 0; k < 3; ++k) to[at + k] = from[3 * v + k]; };
    const withKnownFlag = (from) => (to, at, v) => { to[at] = from[v] || 0; to[at + 1] = from[v] === from[v] ? 1 : 0; };
    mesh.array = gl.createVertexArray();
    mesh.buffers = [];
    const buffer = () => { const created = gl.createBuffer(); mesh.buffers.push(created); return created; };
    gl.bindVertexArray(mesh.array);
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
    mesh.fields = {};
    for (const field of kFields) if (mesh[field]) mesh.fields[field] = fill(interleave(2, withKnownFlag(mesh[field])), 2, kValueLocation);
    if (texCoords) fill(texCoords, 2, kTexCoordLocation);
    if (!order && faces.length) {
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    }
    mesh.indexed = !order && faces.length > 0;
    if (!source.texture) return;
    const picture = new Image();
    picture.onload = () => {
      if (mesh.removed) return;
      mesh.texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, mesh.texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      redraw();
    };
    picture.src = source.texture;
  };

  /** Rows of a camera's transform from object to view space: right, up and backward axis, each with its offset. */
  const viewRows = ({ yaw, pitch, distance, target }) => {
    const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
    const axes = [[cy, 0, -sy], [-sp * sy, cp, -sp * cy], [cp * sy, sp, cp * cy]];
    const eye = target.map((t, k) => t + distance * axes[2][k]);
    return axes.map((axis) => [...axis, -axis.reduce((sum, a, k) => sum + a * eye[k], 0)]);
  };
  /** The camera that shows meshes whole. Fits the points, not their box: seen from a corner, a box is mostly empty. */
  const framing = (camera, meshes, aspect) => {
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
    const height = 0.86 * Math.tan(start.halfAngle);
    let distance = 1e-3;
    relative(start, (q) => {
      distance = Math.max(distance, Math.abs(q[0]) / (height * aspect) + q[2], Math.abs(q[1]) / height + q[2]);
    });
    return { ...start, distance };
  };

  /** Entries of the colour map, sRGB-encoded 0…1. */
  const tableOf = (text) => {
    const bytes = bytesOf(text);
    return Array.from({ length: bytes.length / 6 }, (_, i) =>
      [0, 2, 4].map((k) => (bytes[6 * i + k] | bytes[6 * i + k + 1] << 8) / 65535));
  };

  /** Graphics of a canvas: add(source), remove(mesh), begin(colour) and drawPane(…), with the colour map and range of each field; null without WebGL 2. */
  const open = (canvas, scales, redraw) => {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: true });
    if (!gl) return null;
    const program = compile(gl);
    const uniform = (name) => gl.getUniformLocation(program, name);
    const u = Object.fromEntries(['rows', 'projection', 'pointSize', 'colouring', 'points', 'eitherWay', 'surface',
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
    gl.uniform1i(u.table, 0);
    gl.uniform1i(u.picture, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.SCISSOR_TEST);

    const clear = (colour) => { gl.clearColor(...colour, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); };
    /** Draws a pane. `rect`: its left, bottom, width and height; `part`: the same of its drawn part. */
    const drawPane = (mesh, camera, rect, part, theme, colouring, ratio) => {
      gl.viewport(...rect);
      gl.scissor(...part);
      clear(theme.viewport);
      if (!mesh) return;
      const rows = viewRows(camera);
      const aspect = rect[2] / rect[3];
      const scale = 1 / Math.tan(camera.halfAngle);
      const isField = kFields.includes(colouring);
      const isColoured = isField ? mesh.fields[colouring] : colouring === 'texture' ? mesh.texture : true;
      const field = isField ? colouring : 'values';
      const { lowest, highest, logarithmic } = scales[field];
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, mesh.texture || tables[field]);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, tables[field]);
      gl.uniform3f(u.range, lowest, highest, logarithmic ? 1 : 0);
      gl.uniform4fv(u.rows, rows.flat());
      gl.uniform3f(u.projection, scale / aspect, scale, 0.01 * camera.distance);
      gl.uniform2f(u.pointSize, 3 * ratio, 0.5 * (mesh.disc || 0) * scale * rect[3]);
      gl.uniform1f(u.missing, colouring === 'values' ? mesh.source.missingDistance || 0 : 0);
      gl.uniform1i(u.colouring, isColoured ? kColourings[colouring] : 0);
      gl.uniform1i(u.points, mesh.faces.length === 0);
      gl.uniform1i(u.eitherWay, mesh.eitherWay);
      gl.uniform3fv(u.surface, theme.surface.map(toLinear));
      gl.bindVertexArray(mesh.array);
      if (mesh.fields[field]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, mesh.fields[field]);
        gl.vertexAttribPointer(kValueLocation, 2, gl.FLOAT, false, 0, 0);
      }
      if (mesh.faces.length === 0) gl.drawArrays(gl.POINTS, 0, mesh.source.vertices);
      else if (mesh.indexed) gl.drawElements(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_INT, 0);
      else gl.drawArrays(gl.TRIANGLES, 0, mesh.faces.length);
    };
    const remove = (mesh) => {
      mesh.removed = true;
      mesh.buffers.forEach((buffer) => gl.deleteBuffer(buffer));
      gl.deleteVertexArray(mesh.array);
      gl.deleteTexture(mesh.texture || null);
    };
    const begin = (colour) => { gl.scissor(0, 0, canvas.width, canvas.height); clear(colour); };
    return { add: (source) => { const mesh = unpack(source); upload(gl, mesh, redraw); return mesh; },
      remove, begin, drawPane };
  };

  return { open, fields: kFields, framing, viewRows, tableOf, unpack };
})();
