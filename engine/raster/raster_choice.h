#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/log.h"

namespace threefold {

namespace raster {
class DeviceRaster;
}

/// Rasteriser implementations. All give the same result: face indices and depths bit for bit,
/// barycentrics within 1e-5.
enum class RasterTier {
    automatic,   ///< `cuda` for views of kMinTrianglePixelsForGpu or more, if RasterFallback allows
                 ///< a device; else `vectorised`
    cuda,        ///< the GPU plug-in's kernel; every image is copied back
    vectorised,  ///< threads over tiles; AVX-512, AVX2 or the compiler target's vectors
    tiled,       ///< threads over tiles, one pixel at a time
    basic,       ///< one thread, triangle by triangle over its bounding box
};

inline constexpr RasterTier kAllRasterTiers[] = {RasterTier::automatic, RasterTier::cuda,
                                                 RasterTier::vectorised, RasterTier::tiled,
                                                 RasterTier::basic};
/// Triangles × pixels of a view from which `automatic` prefers a device, such as 100 000 triangles
/// and 1000 × 1000 pixels. Estimated from the bytes copied for an image, not measured on any
/// device.
inline constexpr double kMinTrianglePixelsForGpu = 1e11;

/// "automatic", "cuda", "vectorised", "tiled", "basic".
std::string_view rasterTierName(RasterTier tier);

/// Instruction sets of `vectorised` on this processor, widest first: "avx512", "avx2" and last
/// "portable", the instructions of the compiler's target (SSE2 on x86-64, NEON on ARM). Results are
/// equal bit for bit, barycentrics too.
std::vector<std::string_view> runnableRasterInstructions();

/// Returns a GPU's rasteriser; cudaRasterFactory() in engine/network/cuda_plugin.h makes such a
/// factory. Throws DeviceError.
using DeviceRasterFactory = std::function<std::shared_ptr<raster::DeviceRaster>()>;

/// Remembers whether RasterTier::automatic has given up a device. Shared by all calls with the same
/// device.
struct RasterFallback {
    /// Gets one line: at debug level if no device opens, a warning if an open device fails.
    LogFunction log;
    std::atomic<bool> gaveUp = false;  ///< the device is not tried again
};

/// Choice of the rasteriser and its device.
struct RasterChoice {
    RasterTier tier = RasterTier::automatic;
    DeviceRasterFactory deviceRaster = {};          ///< opens the device; the tier cuda needs it
    std::shared_ptr<RasterFallback> fallback = {};  ///< null: `automatic` tries no device
};

}  // namespace threefold
