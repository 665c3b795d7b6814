#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/stream.h"
#include "engine/raster/screen.h"

namespace threefold::cuda {

/// Triangles drawn by one launch; more need several launches. With so many, 40 bits count the
/// chunks of boxes even of the largest image.
inline constexpr std::uint32_t kRasterTrianglesAtOnce = (1U << 24) - 1;

/// A view's triangles on the grid (engine/raster/screen.h), in device memory.
struct RasterScene {
    const raster::ScreenVertex* vertices = nullptr;
    const std::uint32_t* faces = nullptr;   ///< (faceCount, 3); those with a vertex that is
                                            ///< kMustBeCut are drawn by their pieces
    const raster::Piece* pieces = nullptr;  ///< (pieceCount)
    std::uint32_t faceCount = 0;
    std::uint32_t pieceCount = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    const float* prior = nullptr;  ///< (height, width), null without one
    float truncation = 0;
    std::uint32_t trianglesAtOnce = kRasterTrianglesAtOnce;  ///< 1 to that

    std::uint64_t triangles() const { return std::uint64_t{faceCount} + pieceCount; }
};

/// Results in device memory, row by row.
struct RasterOutput {
    std::uint32_t* face = nullptr;        ///< index + 1, 0: background
    float* barycentric = nullptr;         ///< (height, width, 3)
    float* depth = nullptr;               ///< infinity in the background; null if not wanted
    std::uint32_t* degenerate = nullptr;  ///< faces without area are added to it
};

/// Bytes of a launch's workspace: 16 per pixel and at most 12 per triangle. Depends on the scene's
/// sizes only.
std::size_t rasterWorkspace(const RasterScene& scene);

/// Draws the view: face indices and depths have the bits of engine/raster's tiers, barycentrics
/// are within 1e-5. The same bits on every run. Throws InputError where there are 2^32 triangles or
/// more.
///
/// `workspace`: rasterWorkspace() bytes, 8-byte aligned, contents undefined. Launches that share it
/// follow each other.
void launchRaster(Stream stream, const DeviceLimits& limits, const RasterScene& scene,
                  const RasterOutput& output, std::byte* workspace);

}  // namespace threefold::cuda
