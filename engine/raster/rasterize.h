#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"
#include "engine/progress.h"

namespace threefold {

namespace raster {
class DeviceRaster;
}

/// Ways to draw, all with the same result: face indices and depths bit for bit, barycentrics within
/// 1e-5.
enum class RasterTier {
    automatic,   ///< `cuda` for views from kWorthDevice on where a device may be tried (see
                 ///< RasterFallback), else `vectorised`
    cuda,        ///< the GPU plug-in's kernel; every image is copied back
    vectorised,  ///< threads over tiles, AVX-512, AVX2 or what the compiler's target has
    tiled,       ///< threads over tiles, one pixel at a time
    basic,       ///< one thread, triangle by triangle over its bounding box
};

inline constexpr RasterTier kAllRasterTiers[] = {RasterTier::automatic, RasterTier::cuda,
                                                 RasterTier::vectorised, RasterTier::tiled,
                                                 RasterTier::basic};
/// Triangles × pixels of a view from which `automatic` prefers a device: 100 000 triangles at
/// 1000 × 1000. An estimate from the bytes copied for an image, not measured on any device.
inline constexpr double kWorthDevice = 1e11;

/// "automatic", "cuda", "vectorised", "tiled", "basic".
std::string_view rasterTierName(RasterTier tier);

/// What `vectorised` can compute with on this processor, the widest first: "avx512", "avx2" and, as
/// the last, "portable", which is what the compiler's target has (SSE2 on x86-64, NEON on ARM). The
/// result is the same bit for bit, barycentrics too.
std::vector<std::string_view> availableRasterInstructions();

/// Widest and highest image, in pixels.
inline constexpr std::uint32_t kLargestRaster = 16384;

/// One view, row by row from the row of the least y. Pixels that no face covers are background.
struct RasterImage {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint32_t> face;     ///< index + 1 of the face that is seen, 0: background
    std::vector<glm::vec3> barycentric;  ///< of the face's corners, perspective-correct, sum 1;
                                         ///< zeros in the background; empty if not wanted
    std::vector<float> depth;            ///< z/w, infinity in the background; empty if not wanted
    std::size_t degenerate = 0;          ///< faces without area on the grid, which draw nothing
    RasterTier tier = RasterTier::automatic;  ///< that drew it; automatic: nothing was drawn
};

/// Returns a GPU's rasteriser; cudaRaster() in engine/network/cuda_plugin.h makes one. Throws
/// DeviceError.
using DeviceRasterFactory = std::function<std::shared_ptr<raster::DeviceRaster>()>;

/// Lets `automatic` try a device and go on without it. Shared by all calls that use the same
/// device.
struct RasterFallback {
    LogFunction log;  ///< gets one line: debug where there is no device, warning where it failed
    std::atomic<bool> taken = false;  ///< the device is not tried again
};

struct RasterOptions {
    std::uint32_t width = 0;   ///< pixels, 1…kLargestRaster
    std::uint32_t height = 0;  ///< pixels, 1…kLargestRaster
    RasterTier tier = RasterTier::automatic;
    std::string_view instructions;             ///< an available one; empty: the first of them
    DeviceRasterFactory deviceRaster;          ///< for the tier cuda; empty: that tier throws
    std::shared_ptr<RasterFallback> fallback;  ///< null: `automatic` tries no device
    /// Identifies the faces: calls with the same non-null pointer must pass the same faces, which a
    /// device then keeps between calls. What it points to does not matter.
    std::shared_ptr<const void> facesKey;
    int threads = 0;       ///< for tiers that use several; 0: all that the process may use
    float nearDepth = -1;  ///< what has z < nearDepth · w is cut away: −1 as OpenGL, 0 as Vulkan
    bool wantBarycentric = true;  ///< fill RasterImage::barycentric; without it is quicker
    bool wantDepth = false;       ///< fill RasterImage::depth
    /// Depth peeling: where not empty (views · width · height values, view by view), a face is
    /// drawn only where its z/w ≥ depthPrior + occlusionTruncation.
    std::span<const float> depthPrior;
    float occlusionTruncation = 1e-6F;  ///< in the units of z/w
    std::stop_token cancel;
};

/// Draws `faces` with each view's clip-space vertices (x, y, z, w); views share the faces.
///
/// Pixels: x/w and y/w in −1…1 are the image's left to right and first to last row; pixel (i, j)
/// has its centre at (i + 0.5, j + 0.5). There is no flip: with y up in clip space the first row is
/// the lowest.
///
/// Coverage is exact. Corners are snapped to 1/256 pixel (to nearest, ties to even); a pixel is
/// covered if its centre is inside the snapped triangle, or on a top or left edge of it. So of two
/// triangles with a common edge exactly one has a pixel that lies on it. Both windings are drawn.
/// Faces in front of the near plane or more than 2^15 pixels outside of the image are cut first,
/// common edges at the same points.
///
/// The face with the least z/w is seen, the lower index where two are equal, such as on a common
/// edge of faces folded over it; there is no far plane. z/w is computed at the corners in double
/// precision and is linear over the image between them; its order is exact, in whatever order faces
/// are drawn. A depth prior is compared with z/w computed in double precision.
///
/// Faces without area after snapping are skipped and counted. Throws InputError, with `images` as
/// they were: a size out of range, coordinates that are not finite, a face that names a missing
/// vertex, no vertices or no faces, 2^31 faces or more, a prior of the wrong size or NaN. Throws
/// DeviceError where the tier is cuda without a device (see `deviceRaster`) or the processor lacks
/// the instructions, and Cancelled, both with `images` in any state. Thread-safe.
std::vector<RasterImage> rasterize(std::span<const std::span<const glm::vec4>> views,
                                   const Faces& faces, const RasterOptions& options);

/// The same into `images`, one for each view, whose memory is reused.
void rasterize(std::span<const std::span<const glm::vec4>> views, const Faces& faces,
               const RasterOptions& options, std::span<RasterImage> images);

/// The same for matrices that take the mesh's vertices to clip space, in float32.
std::vector<RasterImage> rasterize(const Mesh& mesh, std::span<const glm::mat4> views,
                                   const RasterOptions& options);

}  // namespace threefold
