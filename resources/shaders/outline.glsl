// The line around a silhouette: the mesh once more, grown on the picture and set back in depth, so
// that what is drawn of it stands out beyond the mesh.
const float kOutlineWidth = 1.1;  // logical pixels

// Behind all of the mesh, which steep faces at its silhouette would not be otherwise.
void setBack() {
    const float back = max(layer.depthRange.y - layer.depthRange.x, 0.0);
    const float w = gl_Position.w;
    if (w > layer.nearPlane) gl_Position.z = w * (1.0 - layer.nearPlane / (w + back));
}
