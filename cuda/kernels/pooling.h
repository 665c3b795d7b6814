#pragma once

#include <algorithm>
#include <span>

#include "cuda/kernels/view.h"
#include "cuda/runtime/stream.h"
#include "engine/model/model.h"

namespace threefold::cuda {

/// METHOD.md §5 for a whole batch. Rows of `out` are [x, y, z, max, mean, std, extra…, parts…, 0…].
/// Maps, `extra` and `out` are 16-byte aligned; channels, extraWidth and pitch are multiples of 8.
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
    DeviceMap maps[kMostMaps];
    int mapCount = 0;
    Element element = Element::float32;  ///< of maps and of `out`
    SamplerKind sampler = SamplerKind::bilinearEach;
    /// Null, or (batch, points, extraWidth) of `element`, copied after the pooled features: the
    /// hidden features of the level below (METHOD.md §6).
    const void* extra = nullptr;
    int extraWidth = 0;
    /// Whether kFurtherColumns columns with parts of the coordinates follow (split_coordinates.h),
    /// in float32 those for a product in tfloat32.
    bool splitCoordinates = false;
    void* out = nullptr;  ///< (rows, pitch) of `element`
    int pitch = 0;        ///< values; what is beyond the columns above is set to 0

    /// The least to read and write: results and points once, of each map no more than all of it.
    double bytes() const {
        constexpr double kTexels = 4;  // of a bilinear sample
        const double pooled = 1.0 * batch * pointCount;
        const double rows = pooled * std::max(offsetCount, 1);
        double values = rows * (pitch + extraWidth);
        for (const DeviceMap& map : std::span(maps).first(static_cast<std::size_t>(mapCount))) {
            const double whole = 1.0 * batch * map.side * map.side;
            values += views * map.channels * std::min(whole, kTexels * rows);
        }
        return values * static_cast<double>(bytesOf(element)) + pooled * 3 * sizeof(float);
    }
};

/// All maps and views in one pass.
void launchPooling(Stream stream, const PoolingArguments& arguments);

}  // namespace threefold::cuda
