#pragma once

/// CUDA's small vectors under their own names where there is no CUDA: same size, same alignment.

#if defined(THREEFOLD_EMULATION) && !defined(__CUDACC__)

// NOLINTBEGIN(readability-identifier-naming): CUDA's names
#define THREEFOLD_VECTOR2(Type, Value, bytes)      \
    struct alignas(bytes) Type {                   \
        Value x, y;                                \
    };                                             \
    constexpr Type make_##Type(Value x, Value y) { \
        return {x, y};                             \
    }
#define THREEFOLD_VECTOR3(Type, Value)                      \
    struct Type {                                           \
        Value x, y, z;                                      \
    };                                                      \
    constexpr Type make_##Type(Value x, Value y, Value z) { \
        return {x, y, z};                                   \
    }
#define THREEFOLD_VECTOR4(Type, Value, bytes)                        \
    struct alignas(bytes) Type {                                     \
        Value x, y, z, w;                                            \
    };                                                               \
    constexpr Type make_##Type(Value x, Value y, Value z, Value w) { \
        return {x, y, z, w};                                         \
    }
THREEFOLD_VECTOR2(float2, float, 8)
THREEFOLD_VECTOR2(double2, double, 16)
THREEFOLD_VECTOR2(int2, int, 8)
THREEFOLD_VECTOR2(uint2, unsigned, 8)
THREEFOLD_VECTOR2(ushort2, unsigned short, 4)
THREEFOLD_VECTOR3(float3, float)
THREEFOLD_VECTOR3(int3, int)
THREEFOLD_VECTOR3(uint3, unsigned)
THREEFOLD_VECTOR4(float4, float, 16)
THREEFOLD_VECTOR4(int4, int, 16)
THREEFOLD_VECTOR4(uint4, unsigned, 16)
THREEFOLD_VECTOR4(uchar4, unsigned char, 4)
#undef THREEFOLD_VECTOR2
#undef THREEFOLD_VECTOR3
#undef THREEFOLD_VECTOR4

struct dim3 {
    unsigned x, y, z;
    // Not explicit: CUDA's converts from a number.
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr dim3(unsigned across = 1, unsigned down = 1, unsigned deep = 1)
        : x(across), y(down), z(deep) {}
};
// NOLINTEND(readability-identifier-naming)

#endif
