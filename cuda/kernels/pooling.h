#pragma once

#include <algorithm>
#include <span>

#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// Pools the features of a whole batch (METHOD.md §5). Rows of `out` are [x, y, z, max, mean, std,
/// hiddenFeatures…, parts…, 0…]. Maps, `hiddenFeatures` and `out` are 16-byte aligned; channels,
/// hiddenWidth and pitch are multiples of 8.
struct PoolingArguments {
    const float* points = nullptr;  ///< (batch, points, 3)
    int batch = 1;
    int pointCount = 0;
    /// Null, or (offsetCount, 3): every point is pooled at point + offset for each offset, and the
    /// rows are (batch, points, offsets).
    const float* offsets = nullptr;
    int offsetCount = 0;
    const ViewTransform* transforms = nullptr;  ///< (batch, views)
    int views = 3;                              ///< 2 to 8
    DeviceMap maps[kMaxMapCount];
    int mapCount = 0;
    ElementType element = ElementType::float32;  ///< type of the maps and of `out`
    SamplerKind sampler = SamplerKind::bilinearPerView;
    /// Null, or (batch, points, hiddenWidth) of `element`, copied after the pooled features: the
    /// hidden features of the level below (METHOD.md §6).
    const void* hiddenFeatures = nullptr;
    int hiddenWidth = 0;
    /// Whether to append kExtraColumns columns of split coordinates (split_coordinates.h); in
    /// float32 the parts for a tfloat32 product.
    bool splitCoordinates = false;
    void* out = nullptr;  ///< (rows, pitch) of `element`
    int pitch = 0;        ///< values per row; the remaining columns are set to 0

    /// Minimum bytes to read and write: results and points once, each map at most once.
    double bytes() const {
        constexpr double kTexels = 4;  // texels of a bilinear sample
        const double pooled = 1.0 * batch * pointCount;
        const double rows = pooled * std::max(offsetCount, 1);
        double values = rows * (pitch + hiddenWidth);
        for (const DeviceMap& map : std::span(maps).first(static_cast<std::size_t>(mapCount))) {
            const double mapTexels = 1.0 * batch * map.side * map.side;
            values += views * map.channels * std::min(mapTexels, kTexels * rows);
        }
        return values * static_cast<double>(elementBytes(element)) + pooled * 3 * sizeof(float);
    }
};

/// Pools all maps and views in one launch.
void launchPooling(Stream stream, const PoolingArguments& arguments);

}  // namespace threefold::cuda
