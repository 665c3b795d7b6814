#pragma once

#include <cmath>

#include "cuda/kernels/view.h"
#include "cuda/portable/arithmetic.h"
#include "engine/views/camera.h"

/// Arithmetic of the projection, of both samplers and of the statistics over views (METHOD.md §2,
/// §5). Products and sums of pixel coordinates are never fused: the samplers are not continuous at
/// integers, so a pixel must not depend on the compiler. Pixels and corner weights agree to the bit
/// between a device, the kernels compiled as plain C++ and engine/network/pooling.cpp. Weighted
/// sums are chains of fused multiply-adds in the order written here, which is the order of the
/// engine's vector code.
namespace threefold::cuda {

/// Row h and column w in a 224×224 image, clamped to 0…223.
struct Pixel {
    double row;
    double column;
};

/// Four corners of a bilinear sample: texel index row · side + column, and weight. A corner of
/// weight 0 still names a texel inside the map.
struct BilinearCorners {
    int texel[4];
    float weight[4];
};

/// Statistics of one channel over all views.
struct ViewStatistics {
    float maximum;
    float mean;
    float deviation;
};

/// Row `axis` of q = rotation · p + translation, summed from the left.
__device__ __forceinline__ double viewCoordinate(const ViewTransform& view, int axis, double x,
                                                 double y, double z) {
    const double* row = view.rotation + 3 * axis;
    const double planar = __dadd_rn(__dmul_rn(row[0], x), __dmul_rn(row[1], y));
    return __dadd_rn(__dadd_rn(planar, __dmul_rn(row[2], z)), view.translation[axis]);
}

/// Clamps to 0…223; NaN (a point at the camera's centre) becomes 0.
__device__ __forceinline__ double clampToImage(double v) {
    constexpr double kLast = kInputSide - 1;
    return v > 0.0 ? (v < kLast ? v : kLast) : 0.0;
}

/// Projects a point of the first view's space into the image of a view.
__device__ __forceinline__ Pixel projectPoint(const ViewTransform& view, float x, float y,
                                              float z) {
    const double qx = viewCoordinate(view, 0, x, y, z);
    const double qy = viewCoordinate(view, 1, x, y, z);
    const double qz = viewCoordinate(view, 2, x, y, z);
    const double row = __dadd_rn(__dmul_rn(kFocalLength, qy) / qz, kPrincipalPoint);
    const double column = __dadd_rn(__dmul_rn(-kFocalLength, qx) / qz, kPrincipalPoint);
    return {clampToImage(row), clampToImage(column)};
}

/// The published bilinear sampler: at an integer row or column all weights are 0.
__device__ __forceinline__ BilinearCorners bilinearCorners(Pixel pixel, int side) {
    const double toMap = static_cast<double>(side) / kInputSide;
    const double last = side - 1;
    const double scaledRow = __dmul_rn(pixel.row, toMap);
    const double scaledColumn = __dmul_rn(pixel.column, toMap);
    const double row = scaledRow < last ? scaledRow : last;
    const double column = scaledColumn < last ? scaledColumn : last;
    const int firstRow = static_cast<int>(row);
    const int firstColumn = static_cast<int>(column);
    const double lower = row - firstRow;
    const double right = column - firstColumn;
    const bool betweenRows = lower > 0.0;
    const bool betweenColumns = right > 0.0;
    const double upper = betweenRows ? 1.0 - lower : 0.0;
    const double left = betweenColumns ? 1.0 - right : 0.0;
    const int secondRow = betweenRows ? firstRow + 1 : firstRow;
    const int secondColumn = betweenColumns ? firstColumn + 1 : firstColumn;
    return {
        {firstRow * side + firstColumn, secondRow * side + firstColumn,
         firstRow * side + secondColumn, secondRow * side + secondColumn},
        {static_cast<float>(__dmul_rn(upper, left)), static_cast<float>(__dmul_rn(lower, left)),
         static_cast<float>(__dmul_rn(upper, right)), static_cast<float>(__dmul_rn(lower, right))}};
}

/// Texel of the published stage-1 sampler, which reads the first view's map for every view.
__device__ __forceinline__ int nearestTexel(Pixel pixel, int side) {
    const double toMap = static_cast<double>(side) / kInputSide;
    const int row = static_cast<int>(__dmul_rn(pixel.row, toMap));
    const int column = static_cast<int>(__dmul_rn(pixel.column, toMap));
    return row * side + column;
}

/// Σ weight[k] · corner[k].
__device__ __forceinline__ float blendCorners(float corner0, float corner1, float corner2,
                                              float corner3, const float (&weight)[4]) {
    float sum = corner0 * weight[0];
    sum = fmaf(corner1, weight[1], sum);
    sum = fmaf(corner2, weight[2], sum);
    return fmaf(corner3, weight[3], sum);
}

/// Statistics over the first `views` of `sample`, 1 ≤ views ≤ MaxViews. MaxViews is constant so
/// that the loops unroll and the samples stay in registers. kFastRoot: fast square root, for
/// results that are rounded to 16 bits.
template <bool kFastRoot = false, int MaxViews>
__device__ __forceinline__ ViewStatistics overViews(const float (&sample)[MaxViews], int views) {
    const float inverseCount = 1.0F / static_cast<float>(views);
    float maximum = sample[0];
    float sum = sample[0];
    for (int v = 1; v < MaxViews; ++v) {
        if (v < views) {
            maximum = fmaxf(maximum, sample[v]);
            sum += sample[v];
        }
    }
    // Explicit rounding keeps the compiler from fusing the product into the subtraction below.
    const float mean = __fmul_rn(sum, inverseCount);
    float variance = 0.0F;
    for (int v = 0; v < MaxViews; ++v) {
        if (v < views) {
            const float d = sample[v] - mean;
            variance = fmaf(d, d, variance);
        }
    }
    variance = fmaf(variance, inverseCount, 1e-6F);
    return {maximum, mean, kFastRoot ? fastSqrt(variance) : sqrtf(variance)};
}

}  // namespace threefold::cuda
