// The unit normal on the camera's side, whatever the winding of this face and of its neighbours. The
// face's own normal if `viewNormal` is zero.
vec3 facingNormal(vec3 viewNormal, vec3 viewPosition) {
    vec3 normal = gl_FrontFacing ? viewNormal : -viewNormal;
    if (has(kEitherWay) || dot(normal, normal) < 1e-8) {
        vec3 face = cross(dFdx(viewPosition), dFdy(viewPosition));
        if (dot(face, viewPosition) > 0.0) face = -face;
        if (dot(normal, face) < 0.0) normal = -normal;
        if (dot(normal, normal) < 1e-8) normal = face;
    }
    const float size = length(normal);
    return size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
}
