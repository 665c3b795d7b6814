#pragma once

/// CUDA's small vectors: same names, size and alignment.

// NOLINTBEGIN(readability-identifier-naming): CUDA's names
#define THREEFOLD_VECTOR2(Type, Value, bytes)      \
    struct alignas(bytes) Type {                   \
        Value x, y;                                \
    };                                             \
    constexpr Type make_##Type(Value x, Value y) { \
        return {x, y};                             \
    }
#define THREEFOLD_VECTOR4(Type, Value, bytes)                        \
    struct alignas(bytes) Type {                                     \
        Value x, y, z, w;                                            \
    };                                                               \
    constexpr Type make_##Type(Value x, Value y, Value z, Value w) { \
        return {x, y, z, w};                                         \
    }
THREEFOLD_VECTOR2(float2, float, 8)
THREEFOLD_VECTOR2(uint2, unsigned, 8)
THREEFOLD_VECTOR4(float4, float, 16)
THREEFOLD_VECTOR4(uint4, unsigned, 16)
#undef THREEFOLD_VECTOR2
#undef THREEFOLD_VECTOR4

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
    // Not explicit, since CUDA's dim3 converts from a number.
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr dim3(unsigned across = 1, unsigned down = 1, unsigned deep = 1)
        : x(across), y(down), z(deep) {}
};
// NOLINTEND(readability-identifier-naming)
