// A quiet studio, fixed to the camera: a key from the upper left, a weak fill from the right, a
// sky, and a rim that keeps dark colours readable against a dark background. All in linear light.
const vec3 kKeyDirection = vec3(-0.52, 0.65, 0.555);
const vec3 kFillDirection = vec3(0.85, -0.10, 0.52);
const float kAmbient = 0.07;
const float kSky = 0.11;
const float kKey = 0.88;
const float kFill = 0.15;
const float kRim = 0.045;

vec3 toEncoded(vec3 light) {
    const vec3 clamped = clamp(light, 0.0, 1.0);
    const vec3 low = clamped * 12.92;
    const vec3 high = 1.055 * pow(clamped, vec3(1.0 / 2.4)) - 0.055;
    return mix(high, low, lessThanEqual(clamped, vec3(0.0031308)));
}

// `normal` and `toEye` are unit vectors in view space, the normal on the eye's side.
vec3 lit(vec3 base, vec3 normal, vec3 toEye) {
    // The key wraps a little around the edge: shapes stay readable in its shadow.
    const float key = max(0.0, (dot(normal, kKeyDirection) + 0.12) / 1.12);
    const float fill = max(0.0, dot(normal, kFillDirection));
    const float sky = 0.5 + 0.5 * normal.y;
    const float grazing = 1.0 - clamp(dot(normal, toEye), 0.0, 1.0);
    const float rim = kRim * grazing * grazing * grazing * (0.5 + 0.5 * normal.y);
    return base * (kAmbient + kSky * sky + kKey * key + kFill * fill) + vec3(rim);
}
