// The normal on the eye's side, whatever the winding of the face. The face's own normal where none
// is given.
vec3 facingNormal(vec3 viewNormal, vec3 viewPosition) {
    vec3 normal = gl_FrontFacing ? viewNormal : -viewNormal;
    if (dot(normal, normal) < 1e-8) {
        normal = cross(dFdx(viewPosition), dFdy(viewPosition));
        if (dot(normal, viewPosition) > 0.0) normal = -normal;
    }
    const float size = length(normal);
    return size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
}
