// Source of a mesh's colours: a number for each vertex, or a texture.
layout(set = kValueSet, binding = kValueBinding, std430) readonly buffer Values { float values[]; };
layout(set = kValueSet, binding = kValueBinding, std430) readonly buffer Texture {
    uint textureWords[];
};
