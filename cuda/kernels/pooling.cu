#include "cuda/kernels/pooling.h"

#include "cuda/kernels/sampling.h"
#include "cuda/kernels/split_coordinates.h"
#include "cuda/kernels/vector_access.h"

namespace threefold::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kMaxRowsPerBlock = 8;
constexpr int kMaxViewsPooled = 8;

/// Plan of a launch. A block pools `blockRows` rows: one thread per row, view and map computes the
/// texels, then each thread pools 16 bytes of channels; finished rows are copied from shared memory
/// together.
struct PoolingPlan {
    PoolingArguments arguments;
    std::size_t rows;
    int blockRows;
    int channels;  ///< channels of all maps
};

std::size_t cornerBytes(const PoolingPlan& plan) {
    const PoolingArguments& a = plan.arguments;
    return sizeof(BilinearCorners) *
           static_cast<std::size_t>(plan.blockRows * a.views * a.mapCount);
}

struct RowPosition {
    std::size_t point;  ///< index into (batch, points)
    int mesh;
    int offset;
};

__device__ __forceinline__ RowPosition rowPosition(const PoolingArguments& a, std::size_t row) {
    const int offsets = a.offsets == nullptr ? 1 : a.offsetCount;
    const std::size_t point = row / offsets;
    return {point, static_cast<int>(point / a.pointCount), static_cast<int>(row % offsets)};
}

/// First column after the pooled features.
__device__ __forceinline__ int firstExtraColumn(const PoolingPlan& plan) {
    return 3 + 3 * plan.channels;
}

/// Writes a coordinate of a row and, with splitCoordinates, its parts (split_coordinates.h).
template <class T>
__device__ __forceinline__ void writeCoordinate(const PoolingPlan& plan, float x, int axis,
                                                T* row) {
    using Operand = std::conditional_t<std::is_same_v<T, float>, Tfloat32, T>;
    row[axis] = fromFloat<T>(saturated<T>(x));
    if (!plan.arguments.splitCoordinates) return;
    float parts[kCoordinateParts];
    splitInto<Operand>(x, parts);
    T* splitColumns = row + firstExtraColumn(plan) + plan.arguments.hiddenWidth + axis;
    for (int i = 0; i < kExtraProducts; ++i)
        splitColumns[3 * i] = fromFloat<T>(parts[extraProduct(i).coordinate]);
}

/// Computes texels and weights of every row, map and view; writes the rows' coordinates.
template <class T, bool kBilinear>
__device__ __forceinline__ void findCorners(const PoolingPlan& plan, std::size_t firstRow, int rows,
                                            BilinearCorners* corners, T* pooled) {
    const PoolingArguments& a = plan.arguments;
    const int perRow = a.mapCount * a.views;
    for (int i = static_cast<int>(threadIdx.x); i < rows * perRow; i += kThreads) {
        const int row = i / perRow;
        const int map = i % perRow / a.views;
        const int view = i % a.views;
        const RowPosition position = rowPosition(a, firstRow + row);
        float xyz[3];
        for (int axis = 0; axis < 3; ++axis) {
            xyz[axis] = a.points[3 * position.point + axis];
            if (a.offsets != nullptr) xyz[axis] += a.offsets[3 * position.offset + axis];
        }
        const Pixel pixel =
            projectPoint(a.transforms[static_cast<std::size_t>(position.mesh) * a.views + view],
                         xyz[0], xyz[1], xyz[2]);
        if constexpr (kBilinear) {
            corners[i] = bilinearCorners(pixel, a.maps[map].side);
        } else {
            corners[i].texel[0] = nearestTexel(pixel, a.maps[map].side);
        }
        if (map == 0 && view == 0) {
            for (int axis = 0; axis < 3; ++axis)
                writeCoordinate(plan, xyz[axis], axis, pooled + row * a.pitch);
        }
    }
}

template <class T, bool kBilinear>
__device__ __forceinline__ void sampleView(const T* map, const BilinearCorners& corners,
                                           int channels, int channel,
                                           float (&sample)[kValuesPerVector<T>]) {
    const auto at = [&](int k) {
        return *reinterpret_cast<const uint4*>(
            map + static_cast<std::size_t>(corners.texel[k]) * channels + channel);
    };
    if constexpr (kBilinear) {
        const uint4 bits[4] = {at(0), at(1), at(2), at(3)};
        float values[4][kValuesPerVector<T>];
        for (int k = 0; k < 4; ++k) unpackVector<T>(bits[k], values[k]);
        for (int i = 0; i < kValuesPerVector<T>; ++i)
            sample[i] = blendCorners(values[0][i], values[1][i], values[2][i], values[3][i],
                                     corners.weight);
    } else {
        unpackVector<T>(at(0), sample);
    }
}

/// Pools features over exactly kViews views; kViews = 0: any number up to kMaxViewsPooled.
template <class T, bool kBilinear, int kViews>
__global__ void __launch_bounds__(kThreads) poolingKernel(const PoolingPlan plan) {
    constexpr int kMaxViews = kViews == 0 ? kMaxViewsPooled : kViews;
    const PoolingArguments& a = plan.arguments;
    const int views = kViews == 0 ? a.views : kViews;
    const std::size_t firstRow = static_cast<std::size_t>(blockIdx.x) * plan.blockRows;
    const int rows =
        static_cast<int>(min(static_cast<unsigned long>(plan.blockRows), plan.rows - firstRow));
    // Pooled rows come first in shared memory, since they are accessed as 16-byte vectors.
    T* const pooled = sharedMemory<T>();
    auto* const corners = sharedMemory<BilinearCorners>(static_cast<std::size_t>(plan.blockRows) *
                                                        a.pitch * sizeof(T));
    findCorners<T, kBilinear>(plan, firstRow, rows, corners, pooled);
    __syncthreads();

    const int vectors = plan.channels / kValuesPerVector<T>;
    for (int index = static_cast<int>(threadIdx.x); index < rows * vectors; index += kThreads) {
        const int row = index / vectors;
        const int channel = index % vectors * kValuesPerVector<T>;
        int map = 0;
        int mapChannel = channel;
        while (mapChannel >= a.maps[map].channels) mapChannel -= a.maps[map++].channels;
        const int side = a.maps[map].side;
        const int channels = a.maps[map].channels;
        const std::size_t image = static_cast<std::size_t>(side) * side * channels;
        const std::size_t firstView =
            static_cast<std::size_t>(rowPosition(a, firstRow + row).mesh) * a.views;
        const T* values = static_cast<const T*>(a.maps[map].values) + firstView * image;
        const BilinearCorners* viewCorners = corners + (row * a.mapCount + map) * views;

        float sample[kMaxViews][kValuesPerVector<T>];
        for (int v = 0; v < kMaxViews; ++v) {
            // nearest-first reads the first view's maps for every view.
            if (v < views)
                sampleView<T, kBilinear>(values + (kBilinear ? v * image : 0), viewCorners[v],
                                         channels, mapChannel, sample[v]);
        }
        T* target = pooled + row * a.pitch + 3 + channel;
        for (int i = 0; i < kValuesPerVector<T>; ++i) {
            float channelValues[kMaxViews];
            for (int v = 0; v < kMaxViews; ++v) channelValues[v] = v < views ? sample[v][i] : 0.0F;
            const ViewStatistics statistics = overViews<sizeof(T) == 2>(channelValues, views);
            target[i] = fromFloat<T>(statistics.maximum);
            target[plan.channels + i] = fromFloat<T>(statistics.mean);
            target[2 * plan.channels + i] = fromFloat<T>(statistics.deviation);
        }
    }

    const int width = firstExtraColumn(plan);
    const int filledColumns = a.hiddenWidth + (a.splitCoordinates ? kExtraColumns : 0);
    const int trailingColumns = a.pitch - width;
    for (int i = static_cast<int>(threadIdx.x); i < rows * trailingColumns; i += kThreads) {
        const int row = i / trailingColumns;
        const int column = i % trailingColumns;
        T value = fromFloat<T>(0.0F);
        if (column < a.hiddenWidth) {
            const std::size_t point = rowPosition(a, firstRow + row).point;
            value = static_cast<const T*>(a.hiddenFeatures)[point * a.hiddenWidth + column];
        } else if (column < filledColumns) {
            continue;
        }
        pooled[row * a.pitch + width + column] = value;
    }
    __syncthreads();

    const int outVectors = rows * a.pitch / kValuesPerVector<T>;
    auto* out = reinterpret_cast<uint4*>(static_cast<T*>(a.out) + firstRow * a.pitch);
    for (int i = static_cast<int>(threadIdx.x); i < outVectors; i += kThreads)
        out[i] = reinterpret_cast<const uint4*>(pooled)[i];
}

template <class T, bool kBilinear>
void launchFor(Stream stream, const PoolingPlan& plan) {
    const PoolingArguments& a = plan.arguments;
    const auto blocks = static_cast<unsigned>((plan.rows + plan.blockRows - 1) / plan.blockRows);
    const LaunchShape shape{
        dim3(blocks), dim3(kThreads),
        cornerBytes(plan) + static_cast<std::size_t>(plan.blockRows * a.pitch) * sizeof(T)};
    switch (a.views) {
        case 2:
            return launch(poolingKernel<T, kBilinear, 2>, shape, stream, plan);
        case 3:
            return launch(poolingKernel<T, kBilinear, 3>, shape, stream, plan);
        default:
            return launch(poolingKernel<T, kBilinear, 0>, shape, stream, plan);
    }
}

}  // namespace

void launchPooling(Stream stream, const PoolingArguments& arguments) {
    PoolingPlan plan{arguments, 0, 1, 0};
    const int offsets = arguments.offsets == nullptr ? 1 : arguments.offsetCount;
    plan.rows = static_cast<std::size_t>(arguments.batch) * arguments.pointCount * offsets;
    if (plan.rows == 0) return;
    for (int map = 0; map < arguments.mapCount; ++map)
        plan.channels += arguments.maps[map].channels;
    const int vectors = plan.channels * static_cast<int>(elementBytes(arguments.element)) / 16;
    plan.blockRows = std::clamp(kThreads / std::max(vectors, 1), 1, kMaxRowsPerBlock);
    withElementType(arguments.element, [&](auto zero) {
        using T = decltype(zero);
        if (arguments.sampler == SamplerKind::bilinearPerView) {
            launchFor<T, true>(stream, plan);
        } else {
            launchFor<T, false>(stream, plan);
        }
    });
}

}  // namespace threefold::cuda
