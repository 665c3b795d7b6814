#pragma once

/// CUDA's small vectors under their own names where there is no CUDA: same size, same alignment.

#if defined(THREEFOLD_EMULATION) && !defined(__CUDACC__)

// NOLINTBEGIN(readability-identifier-naming): CUDA's names
struct alignas(8) float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(8) int2 {
    int x, y;
};
struct int3 {
    int x, y, z;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct uint3 {
    unsigned x, y, z;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(4) uchar4 {
    unsigned char x, y, z, w;
};
struct alignas(4) ushort2 {
    unsigned short x, y;
};

struct dim3 {
    unsigned x, y, z;
    // Not explicit: CUDA's converts from a number.
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr dim3(unsigned across = 1, unsigned down = 1, unsigned deep = 1)
        : x(across), y(down), z(deep) {}
};

constexpr float2 make_float2(float x, float y) {
    return {x, y};
}
constexpr float3 make_float3(float x, float y, float z) {
    return {x, y, z};
}
constexpr float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}
constexpr double2 make_double2(double x, double y) {
    return {x, y};
}
constexpr int2 make_int2(int x, int y) {
    return {x, y};
}
constexpr int3 make_int3(int x, int y, int z) {
    return {x, y, z};
}
constexpr int4 make_int4(int x, int y, int z, int w) {
    return {x, y, z, w};
}
constexpr uint2 make_uint2(unsigned x, unsigned y) {
    return {x, y};
}
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
    return {x, y, z};
}
constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}
constexpr uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
    return {x, y, z, w};
}
constexpr ushort2 make_ushort2(unsigned short x, unsigned short y) {
    return {x, y};
}
// NOLINTEND(readability-identifier-naming)

#endif
