// The line around a silhouette: the mesh is drawn once more, enlarged in the picture and behind the
// mesh, so that only the part outside of the silhouette is visible.
const float kOutlineWidth = 1.1;  // logical pixels

// Moves the vertex behind the whole mesh: enlarged steep faces would otherwise cover the mesh.
void setBack() {
    const float back = max(layer.depthRange.y - layer.depthRange.x, 0.0);
    const float w = gl_Position.w;
    if (w > layer.nearPlane) gl_Position.z = w * (1.0 - layer.nearPlane / (w + back));
}
