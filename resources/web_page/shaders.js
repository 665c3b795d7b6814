// Shaders of a viewer, which draw as the window's do (resources/shaders): the same lights, colour maps and ranges.
const viewerShaders = (() => {
  const vertex = `#version 300 es
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
  const fragment = `#version 300 es
    precision highp float; precision highp int; precision highp sampler2D;
    in vec3 viewPosition; in vec3 viewNormal; in vec2 valueAndKnown; in vec2 fragmentTexCoord;
    uniform vec4 rows[3]; uniform int colouring; uniform bool points; uniform bool mixedWinding;
    uniform vec3 surface; uniform float missing;
    uniform vec3 range; uniform sampler2D table; uniform sampler2D picture;
    out vec4 pixel;
    const int kValues = 1, kTexture = 2, kNormals = 3;
    const vec3 kMissing = vec3(0.711, 0.022, 0.015);  // linear; the window's red (ui/results/result.cpp)
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
    vec3 lit(vec3 base, vec3 normal, vec3 toCamera) {
      float key = max(0.0, (dot(normal, vec3(-0.52, 0.65, 0.555)) + 0.12) / 1.12);
      float fill = max(0.0, dot(normal, vec3(0.85, -0.10, 0.52)));
      float up = 0.5 + 0.5 * normal.y;
      float grazing = 1.0 - clamp(dot(normal, toCamera), 0.0, 1.0);
      float light = 0.07 + 0.11 * up + 0.15 * fill + 0.88 * key;
      if (colouring == kValues) light = 0.4 + 0.6 * min(light, 1.0);
      return base * light + vec3(0.045 * grazing * grazing * grazing * up);
    }
    void main() {
      vec3 toCamera = normalize(-viewPosition);
      vec3 base = unlit();
      if (points) {
        // A disc that lies in the surface, so that thin parts stay thin.
        vec3 normal = dot(viewNormal, toCamera) < 0.0 ? -viewNormal : viewNormal;
        vec2 at = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
        float depth = dot(normal.xy, at) / max(normal.z, 0.25);
        if (dot(at, at) + depth * depth > 1.0) discard;
        pixel = vec4(toEncoded(lit(base, normal, toCamera)), 1.0);
        return;
      }
      if (colouring == kValues) base += vec3(0.012);
      vec3 normal = gl_FrontFacing ? viewNormal : -viewNormal;
      vec3 face = cross(dFdx(viewPosition), dFdy(viewPosition));
      if (mixedWinding || dot(normal, normal) < 1e-8) {
        if (dot(face, viewPosition) > 0.0) face = -face;
        if (dot(normal, face) < 0.0) normal = -normal;
        if (dot(normal, normal) < 1e-8) normal = face;
      }
      float size = length(normal);
      pixel = vec4(toEncoded(lit(base, size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0), toCamera)), 1.0);
    }`;

  return { vertex, fragment };
})();
