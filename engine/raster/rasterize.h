#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "engine/mesh.h"
#include "engine/raster/raster_choice.h"

namespace threefold {

/// Maximum width and height of a drawn image, in pixels. Pictures that are read have a limit of
/// their own (kMaxImageSide).
inline constexpr std::uint32_t kMaxRasterSide = 16384;

/// Rasterised view, row by row from the lowest y. Pixels that no face covers are background.
struct RasterImage {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<std::uint32_t> facePlusOne;  ///< index + 1 of the visible face, 0: background
    std::vector<glm::vec3> barycentric;      ///< corner weights, perspective-correct, sum 1;
                                             ///< zeros in the background; empty if not wanted
    std::vector<float> depth;             ///< z/w, infinity in the background; empty if not wanted
    std::size_t degenerateFaceCount = 0;  ///< faces without area on the grid, which draw nothing
    RasterTier tier = RasterTier::automatic;  ///< tier that drew the view; automatic: not drawn yet
};

/// Identity of a list of faces, without content: make one for each list that is drawn repeatedly.
struct FacesIdentity {};
/// Key by which a device keeps faces between calls: calls with the same non-null key must pass the
/// same faces. The key is owned, so that no later list gets the address of an earlier list's key.
using FacesCacheKey = std::shared_ptr<const FacesIdentity>;

/// Depth peeling: draws a face only where its z/w ≥ previous depth + minGap, so only behind an
/// earlier layer.
struct DepthPeeling {
    /// Depths of the earlier layer: views · width · height values, view by view. Empty: every face
    /// is drawn.
    std::span<const float> previousDepths = {};
    float minGap = 1e-6F;  ///< in units of z/w
};

/// Choice of the rasteriser, size, outputs and limits of a drawing.
struct RasterOptions {
    RasterChoice choice = {};
    std::uint32_t width = 0;        ///< pixels, 1…kMaxRasterSide
    std::uint32_t height = 0;       ///< pixels, 1…kMaxRasterSide
    std::string_view instructions;  ///< one of runnableRasterInstructions(); empty: the first
    FacesCacheKey facesCacheKey;    ///< key of the faces that are drawn; null: not kept
    int threads = 0;                ///< number for multi-threaded tiers; 0: all available
    float nearDepth = -1;           ///< clips z < nearDepth · w: −1 for OpenGL, 0 for Vulkan
    bool wantBarycentric = true;    ///< fill RasterImage::barycentric; faster without
    bool wantDepth = false;         ///< fill RasterImage::depth
    DepthPeeling peeling = {};
    std::stop_token cancel;
};

/// Draws `faces` with each view's clip-space vertices (x, y, z, w); views share the faces.
///
/// Pixels: x/w and y/w in −1…1 are the image's left to right and first to last row; pixel (i, j)
/// has its centre at (i + 0.5, j + 0.5). Nothing is flipped: with y up in clip space the first row
/// is the lowest.
///
/// Coverage is exact. Corners are snapped to 1/256 pixel (to nearest, ties to even); a pixel is
/// covered if its centre is inside the snapped triangle, or on a top or left edge of it. Hence
/// exactly one of two triangles with a common edge covers a pixel on that edge. Both windings are
/// drawn. Faces that reach in front of the near plane or more than 2^15 pixels outside the image
/// are clipped first, common edges at the same points.
///
/// The face with the lowest z/w is visible; if two are equal, as on the common edge of folded
/// faces, the face with the lower index is visible. There is no far plane. z/w is computed at the
/// corners in double precision and interpolated linearly over the image; depth order is exact, in
/// any order of drawing. Previous depths are compared with z/w computed in double precision.
///
/// Faces without area after snapping are skipped and counted. Throws InputError, with `images` as
/// they were: a size out of range, coordinates that are not finite, a vertex index out of range, no
/// vertices or no faces, 2^31 faces or more, previous depths of the wrong number or NaN. Throws
/// DeviceError if the tier is cuda without RasterChoice::deviceRaster or the processor lacks the
/// instructions, and Cancelled, both with `images` in any state. Thread-safe.
std::vector<RasterImage> rasterize(std::span<const std::span<const glm::vec4>> views,
                                   const Faces& faces, const RasterOptions& options);

/// Overload that draws into `images`, one for each view, and reuses their memory.
void rasterize(std::span<const std::span<const glm::vec4>> views, const Faces& faces,
               const RasterOptions& options, std::span<RasterImage> images);

/// Overload with one matrix per view from mesh to clip space, applied in float32.
std::vector<RasterImage> rasterize(const Mesh& mesh, std::span<const glm::mat4> views,
                                   const RasterOptions& options);

}  // namespace threefold
