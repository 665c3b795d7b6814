// Projects a point of camera space to clip space.
//
// Positions are rounded to the rasteriser's subpixel grid, counted from the middle of the whole pane
// even if only a tile of it is drawn: so every tile rounds each vertex as the whole picture does.
// `offset` is in pixels, y down.
const float kGrid = 256.0;

// Depth may be compared for equality between two passes.
invariant gl_Position;

// No far plane: depth is 1 - near / distance.
vec4 toClip(vec3 view, vec2 offset) {
    const float w = -view.z;
    const vec2 middle = 2.0 * layer.shift / layer.viewportSize;
    if (w < layer.nearPlane) {
        const vec2 scale = layer.projection * layer.wholeSize / layer.viewportSize;
        return vec4(scale * view.xy + middle * w, w - layer.nearPlane, w);
    }
    vec2 pixel = layer.projection * view.xy / w * (0.5 * layer.wholeSize);
    pixel = round((pixel + offset) * kGrid) / kGrid + layer.shift;
    return vec4(2.0 * pixel / layer.viewportSize * w, w - layer.nearPlane, w);
}
