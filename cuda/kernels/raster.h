#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/stream.h"
#include "engine/raster/snapped_view.h"

namespace threefold::cuda {

/// Maximum number of triangles of one launch, so that a 40-bit counter holds the number of chunks
/// of the largest image. More triangles need several launches.
inline constexpr std::uint32_t kMaxTrianglesPerLaunch = (1U << 24) - 1;

/// Triangles of a view on the pixel grid (engine/raster/snapped_view.h), in device memory.
struct RasterTriangles {
    const raster::ScreenVertex* vertices = nullptr;
    const std::uint32_t* faces = nullptr;  ///< (faceCount, 3); a face with a kNeedsClipping vertex
                                           ///< is drawn by its clipped triangles
    const raster::ClippedTriangle* clippedTriangles = nullptr;  ///< (clippedTriangleCount)
    std::uint32_t faceCount = 0;
    std::uint32_t clippedTriangleCount = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const float* previousDepths = nullptr;  ///< (height, width); null: nothing is peeled
    float minGap = 0;                       ///< minimum distance behind `previousDepths`, in z/w
    std::uint32_t trianglesPerLaunch = kMaxTrianglesPerLaunch;  ///< 1 to kMaxTrianglesPerLaunch

    std::uint64_t count() const { return std::uint64_t{faceCount} + clippedTriangleCount; }
};

/// Results in device memory, row by row.
struct RasterOutput {
    std::uint32_t* facePlusOne = nullptr;  ///< 0: background
    float* barycentric = nullptr;          ///< (height, width, 3)
    float* depth = nullptr;                ///< infinity in the background; null: not written
    std::uint32_t* degenerateFaceCount =
        nullptr;  ///< incremented by the number of faces without area
};

/// Bytes of a launch's workspace: 16 per pixel, at most 12 per triangle, and 8. Depends only on the
/// view's size, the number of triangles and trianglesPerLaunch.
std::size_t rasterWorkspaceBytes(const RasterTriangles& triangles);

/// Draws the view. Face indices and depths are bit-identical to engine/raster's tiers, barycentrics
/// within 1e-5. Gives the same bits on every run. Throws InputError where there are 2^32 triangles
/// or more.
///
/// `workspace`: rasterWorkspaceBytes() bytes, 8-byte aligned, contents undefined. Launches that
/// share a workspace must follow each other.
void launchRaster(Stream stream, const DeviceLimits& limits, const RasterTriangles& triangles,
                  const RasterOutput& output, std::byte* workspace);

}  // namespace threefold::cuda
