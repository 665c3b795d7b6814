// `normal` and `toCamera` are unit vectors in camera space, the normal on the camera's side; `ambient` is the
// fraction of the light from all around that reaches the point. All in linear light.

// Colours that stand for values are lit evenly: enough to show the shape, but not so much that one
// looks like another of the legend.
float evened(float light) { return has(kByValue) ? 0.4 + 0.6 * min(light, 1.0) : light; }

// A studio, in the camera's axes or in the world's: a key light from the upper left, a weak fill from the right, a
// sky, and a rim that keeps dark colours readable against a dark background.
vec3 litByStudio(vec3 base, vec3 normal, vec3 toCamera, float ambient) {
    const vec3 kKeyDirection = vec3(-0.52, 0.65, 0.555);
    const vec3 kFillDirection = vec3(0.85, -0.10, 0.52);
    const float kAmbient = 0.07, kSky = 0.11, kKey = 0.88, kFill = 0.15, kRim = 0.045;
    // The key wraps a little around the edge: shapes stay readable in its shadow.
    const float key = max(0.0, (dot(normal, kKeyDirection) + 0.12) / 1.12);
    const float fill = max(0.0, dot(normal, kFillDirection));
    const float sky = 0.5 + 0.5 * normal.y;
    const float grazing = 1.0 - clamp(dot(normal, toCamera), 0.0, 1.0);
    const float rim = kRim * grazing * grazing * grazing * (0.5 + 0.5 * normal.y);
    // The key light is wide: half of it comes from so far to the side that it counts as ambient.
    const float direct = 0.5 * kKey * key;
    const float around = kAmbient + kSky * sky + kFill * fill + direct;
    return base * evened(ambient * around + direct) + vec3(rim);
}

// Matcap: looks up the colour of a lit clay ball by the normal. The ball darkens towards its
// outline, which separates the shape from a light background, and glows at the outline itself,
// which separates it from a dark one.
vec3 litByMatcap(vec3 base, vec3 normal, vec3 toCamera, float ambient) {
    // The ball is seen along the line of sight, so a shape looks the same anywhere in the pane.
    const vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toCamera));
    const vec3 up = cross(toCamera, right);
    const vec3 ball = vec3(dot(normal, right), dot(normal, up), dot(normal, toCamera));

    const float soft = 0.5 + 0.5 * dot(ball, vec3(-0.408, 0.612, 0.678));
    const float light = 0.10 + 1.02 * soft * soft;
    vec3 tint = mix(vec3(0.86, 0.94, 1.10), vec3(1.03, 1.0, 0.95), soft);
    const float outline = 1.0 - clamp(ball.z, 0.0, 1.0);
    const float dark = 1.0 - 0.60 * smoothstep(0.35, 0.85, outline);
    const float glow = 0.22 * smoothstep(0.72, 1.0, outline) * (0.55 + 0.45 * ball.y);
    const float shine = pow(max(0.0, dot(ball, vec3(-0.223, 0.334, 0.916))), 48.0);
    if (has(kByValue)) tint = vec3(1.0);
    return base * tint * evened(ambient * light * dark) + vec3(glow) * (0.35 + base) + vec3(0.13 * shine);
}

vec3 lit(vec3 base, vec3 normal, vec3 toCamera, float ambient) {
    if (has(kUnlit)) return base;
    if (has(kFixedLight)) return litByStudio(base, turnToWorld(normal), turnToWorld(toCamera), ambient);
    return has(kMatcap) ? litByMatcap(base, normal, toCamera, ambient)
                        : litByStudio(base, normal, toCamera, ambient);
}
