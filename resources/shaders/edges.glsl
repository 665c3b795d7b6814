// Lines along the edges of a triangle, from its barycentric coordinates.
layout(location = 3) noperspective in vec3 corners;

const float kDenseHeight = 5.0;  // logical pixels; lines fade in lower triangles, which they would fill

// Fraction of the pixel that the lines cover; `halfWidth` in logical pixels on either side of
// an edge.
float edgeCoverage(float halfWidth) {
    // A corner's coordinate falls from 1 at the corner to 0 on the opposite edge, over the triangle's height.
    const vec3 across = dFdx(corners), along = dFdy(corners);
    const vec3 perPixel = max(sqrt(across * across + along * along), vec3(1e-6));
    const vec3 distances = corners / perPixel;
    const float nearest = min(distances.x, min(distances.y, distances.z));
    const float minHeight = 1.0 / max(perPixel.x, max(perPixel.y, perPixel.z));

    const float line = clamp(halfWidth * layer.pixelRatio + 0.5 - nearest, 0.0, 1.0);
    return line * clamp(minHeight / (kDenseHeight * layer.pixelRatio), 0.25, 1.0);
}
