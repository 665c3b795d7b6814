#pragma once

#include "cuda/kernels/hypothesis_block.h"
#include "cuda/kernels/hypothesis_block_layout.h"
#include "cuda/kernels/sampling.h"
#include "cuda/kernels/vector_access.h"
#include "cuda/portable/kernel.h"

/// Writes the features of a thread block's hypotheses (METHOD.md §5) to shared memory as rows of a
/// product's left operand: [maximum 112 | mean 112 | deviation 112 | coordinates 16].
///
/// Each coordinate is stored as several parts of lower precision (split_coordinates.h), as many as
/// 16 columns hold.
///
/// Pixels are computed once for each row and view, in double precision (sampling.h), and stored in
/// fixed point: 8 integer and 24 fraction bits. The last fraction bit is a sticky bit, which is set
/// if any bit was cut off. In a map of side 224 / 2^s, texel and fraction are bit fields of this
/// number. Both are exact, and so is the test for whole coordinates, at which the published sampler
/// gives 0 (METHOD.md §5).
namespace threefold::cuda::hypothesis {

/// Row and column, each 0 to 223 in units of 2^-24.
using FixedPixel = uint2;

THREEFOLD_HOST_DEVICE std::uint32_t toFixed(double coordinate) {
    const double scaled = coordinate * 16777216.0;
    const auto cut = static_cast<std::uint32_t>(scaled);
    return cut | (static_cast<double>(cut) < scaled ? 1U : 0U);
}

/// One coordinate in a map of side 224 / 2^shift.
struct MapCoordinate {
    int texel;
    bool isBetweenTexels;  ///< the coordinate lies between texels
    float weight1;         ///< weight of the next texel, 0 to 1
    float weight0;         ///< weight of `texel`: 1 − weight1, but 0 at an integer
};

THREEFOLD_HOST_DEVICE MapCoordinate toMapCoordinate(std::uint32_t fixed, int shift, int side) {
    const int bits = 24 + shift;
    const int texel = static_cast<int>(fixed >> bits);
    const std::uint32_t fraction = fixed & ((1U << bits) - 1);
    if (texel >= side - 1 || fraction == 0) return {min(texel, side - 1), false, 0.0F, 0.0F};
    // Multiplying by 2^-bits is as exact as dividing, which takes a device a dozen instructions.
    const float weight1 = static_cast<float>(fraction) *
                          detail::floatOf(static_cast<std::uint32_t>(127 - bits) << 23);
    return {texel, true, weight1, 1.0F - weight1};
}

/// Range of vertices, counted through all meshes of the batch, that one thread block processes.
struct VertexRange {
    int first;
    int count;
};

/// Projects one row into one view; for view 0 also writes the row's coordinates.
template <class Types>
__device__ __forceinline__ void projectRow(const HypothesisArguments& arguments,
                                           const PackedHeader& header, VertexRange vertexRange,
                                           int row, int view, FixedPixel& pixel,
                                           std::byte* features) {
    using Storage = typename Types::Storage;
    const int vertex = row / kVertexRows;
    const int vertexRow = row - vertex * kVertexRows;
    const bool used = vertex < vertexRange.count && __ldg(&header.order[vertexRow]) >= 0;
    float point[3] = {0.0F, 0.0F, 0.0F};
    pixel = make_uint2(0, 0);
    if (used) {
        const int global = vertexRange.first + vertex;
        for (int axis = 0; axis < 3; ++axis)
            point[axis] = __fadd_rn(__ldg(&arguments.points[3 * global + axis]),
                                    __ldg(&header.offset[vertexRow][axis]));
        const int batch = global / arguments.vertices;
        const Pixel projected = projectPoint(arguments.transforms[batch * arguments.views + view],
                                             point[0], point[1], point[2]);
        pixel = make_uint2(toFixed(projected.row), toFixed(projected.column));
    }
    if (view != 0) return;
    float columns[kTile] = {};
    for (int axis = 0; axis < 3; ++axis) {
        float parts[kCoordinateParts];
        splitInto<typename Types::First>(point[axis], parts);
        columns[axis] = parts[0];
        for (int i = 0; i < kExtraProductsInTile; ++i)
            columns[3 + 3 * i + axis] = parts[extraProduct(i).coordinate];
    }
    constexpr int kVectors = kTile / kValuesPerVector<Storage>;
    for (int i = 0; i < kVectors; ++i) {
        float vector[kValuesPerVector<Storage>];
        for (int k = 0; k < kValuesPerVector<Storage>; ++k)
            vector[k] = columns[i * kValuesPerVector<Storage> + k];
        *reinterpret_cast<uint4*>(features + kPooled * sizeof(Storage) + i * 16) =
            packVector<Storage, true>(vector);
    }
}

/// Samples one vector of channels of one row in every view and computes the three statistics; the
/// caller sets them to 0 first. Loads kViews views at once; with kViews = 0 loads arguments.views
/// views one after another, to save registers.
template <class Storage, int kViews>
__device__ __forceinline__ void poolVector(const HypothesisArguments& arguments, int batch,
                                           int channel, const FixedPixel* pixels, int pixelStride,
                                           float (&maximum)[kValuesPerVector<Storage>],
                                           float (&mean)[kValuesPerVector<Storage>],
                                           float (&deviation)[kValuesPerVector<Storage>]) {
    constexpr int n = kValuesPerVector<Storage>;
    // Channels 0 to 15 are the first map's, 16 to 47 the second's, 48 to 111 the third's.
    const int index = channel < 16 ? 0 : (channel < 48 ? 1 : 2);
    const int channels = 16 << index;
    const int inner = channel - (channels - 16);
    const auto* values = static_cast<const Storage*>(
        index == 0 ? arguments.maps[0].values
                   : (index == 1 ? arguments.maps[1].values : arguments.maps[2].values));
    const int side = index == 0 ? arguments.maps[0].side
                                : (index == 1 ? arguments.maps[1].side : arguments.maps[2].side);
    const int shift = __ffs(kInputSide / side) - 1;

    const auto load = [&](int view, uint4(&loaded)[4], float(&weight)[4]) {
        const FixedPixel pixel = pixels[view * pixelStride];
        const MapCoordinate x = toMapCoordinate(pixel.x, shift, side);
        const MapCoordinate y = toMapCoordinate(pixel.y, shift, side);
        const std::size_t image =
            static_cast<std::size_t>(batch * arguments.views + view) * side * side;
        const Storage* corner =
            values + (image + static_cast<std::size_t>(x.texel * side + y.texel)) * channels +
            inner;
        const int down = x.isBetweenTexels ? side * channels : 0;
        const int right = y.isBetweenTexels ? channels : 0;
        loaded[0] = __ldg(reinterpret_cast<const uint4*>(corner));
        loaded[1] = __ldg(reinterpret_cast<const uint4*>(corner + down));
        loaded[2] = __ldg(reinterpret_cast<const uint4*>(corner + right));
        loaded[3] = __ldg(reinterpret_cast<const uint4*>(corner + down + right));
        weight[0] = x.weight0 * y.weight0;
        weight[1] = x.weight1 * y.weight0;
        weight[2] = x.weight0 * y.weight1;
        weight[3] = x.weight1 * y.weight1;
    };
    const auto blend = [](const uint4(&loaded)[4], const float(&weight)[4], float(&sample)[n]) {
        float corners[4][n];
#pragma unroll
        for (int k = 0; k < 4; ++k) unpackVector<Storage>(loaded[k], corners[k]);
#pragma unroll
        for (int i = 0; i < n; ++i)
            sample[i] =
                blendCorners(corners[0][i], corners[1][i], corners[2][i], corners[3][i], weight);
    };

    constexpr bool kFastRoot = sizeof(Storage) == 2;
    if constexpr (kViews > 0) {
        uint4 loaded[kViews][4];
        float weight[kViews][4];
#pragma unroll
        for (int view = 0; view < kViews; ++view) load(view, loaded[view], weight[view]);
        float sample[kViews][n];
#pragma unroll
        for (int view = 0; view < kViews; ++view) blend(loaded[view], weight[view], sample[view]);
#pragma unroll
        for (int i = 0; i < n; ++i) {
            float viewValues[kViews];
#pragma unroll
            for (int view = 0; view < kViews; ++view) viewValues[view] = sample[view][i];
            const ViewStatistics statistics = overViews<kFastRoot>(viewValues, kViews);
            maximum[i] = statistics.maximum;
            mean[i] = statistics.mean;
            deviation[i] = statistics.deviation;
        }
    } else {
        // Sums of differences from the first view and of their squares need one pass and are
        // accurate if the views agree.
        const auto sampleView = [&](int view, float(&sample)[n]) {
            uint4 loaded[4];
            float weight[4];
            load(view, loaded, weight);
            blend(loaded, weight, sample);
        };
        float first[n];
        sampleView(0, first);
#pragma unroll
        for (int i = 0; i < n; ++i) maximum[i] = first[i];
#pragma unroll 1
        for (int view = 1; view < arguments.views; ++view) {
            float sample[n];
            sampleView(view, sample);
#pragma unroll
            for (int i = 0; i < n; ++i) {
                const float difference = sample[i] - first[i];
                maximum[i] = fmaxf(maximum[i], sample[i]);
                mean[i] += difference;
                deviation[i] = fmaf(difference, difference, deviation[i]);
            }
        }
        const float inverseCount = 1.0F / static_cast<float>(arguments.views);
#pragma unroll
        for (int i = 0; i < n; ++i) {
            const float meanOffset = mean[i] * inverseCount;
            const float variance =
                fmaxf(fmaf(-mean[i], meanOffset, deviation[i]) * inverseCount, 0.0F);
            mean[i] = first[i] + meanOffset;
            deviation[i] = kFastRoot ? fastSqrt(variance + 1e-6F) : sqrtf(variance + 1e-6F);
        }
    }
}

template <class Types, int kViews, int Rows, int Threads>
__device__ __forceinline__ void poolRows(const HypothesisArguments& arguments,
                                         const PackedHeader& header, VertexRange vertexRange,
                                         const FixedPixel* pixels, std::byte* features,
                                         std::size_t pitch) {
    using Storage = typename Types::Storage;
    constexpr int n = kValuesPerVector<Storage>;
    constexpr int kVectors = kMapChannels / n;
#pragma unroll 1
    for (int element = static_cast<int>(threadIdx.x); element < Rows * kVectors;
         element += Threads) {
        const int row = element / kVectors;
        const int channel = (element - row * kVectors) * n;
        const int vertex = row / kVertexRows;
        float maximum[n] = {};
        float mean[n] = {};
        float deviation[n] = {};
        if (vertex < vertexRange.count && __ldg(&header.order[row - vertex * kVertexRows]) >= 0)
            poolVector<Storage, kViews>(arguments,
                                        (vertexRange.first + vertex) / arguments.vertices, channel,
                                        pixels + row, Rows, maximum, mean, deviation);
        std::byte* to = features + row * pitch + channel * sizeof(Storage);
        constexpr std::size_t kStatistic = kMapChannels * sizeof(Storage);
        *reinterpret_cast<uint4*>(to) = packVector<Storage, true>(maximum);
        *reinterpret_cast<uint4*>(to + kStatistic) = packVector<Storage, true>(mean);
        *reinterpret_cast<uint4*>(to + 2 * kStatistic) = packVector<Storage, true>(deviation);
    }
}

/// Writes the features of all rows of the thread block; rows without a hypothesis or vertex become
/// 0. All threads take part; a barrier must follow.
template <class Types, int Rows, int Threads>
__device__ __forceinline__ void writeFeatures(const HypothesisArguments& arguments,
                                              const PackedHeader& header, VertexRange vertexRange,
                                              FixedPixel* pixels, std::byte* features,
                                              std::size_t pitch) {
#pragma unroll 1
    for (int index = static_cast<int>(threadIdx.x); index < Rows * arguments.views;
         index += Threads) {
        const int view = index / Rows;
        const int row = index - view * Rows;
        projectRow<Types>(arguments, header, vertexRange, row, view, pixels[index],
                          features + row * pitch);
    }
    __syncthreads();
    const auto pool = [&](auto views) {
        poolRows<Types, decltype(views)::value, Rows, Threads>(arguments, header, vertexRange,
                                                               pixels, features, pitch);
    };
    if (arguments.views == 3) {
        pool(std::integral_constant<int, 3>{});
    } else if (arguments.views == 2) {
        pool(std::integral_constant<int, 2>{});
    } else {
        pool(std::integral_constant<int, 0>{});
    }
}

}  // namespace threefold::cuda::hypothesis
