#pragma once

#include <cstddef>

#include "engine/geometry/surface_samples.h"
#include "engine/raster/raster_choice.h"
#include "engine/sample_rendering/prepared_mesh.h"
#include "engine/sample_rendering/view_plan.h"

namespace threefold {

/// Minimum and maximum side of rendered images, in pixels.
inline constexpr int kMinRenderingSide = 16;
inline constexpr int kMaxRenderingSide = 1024;
/// Side of the images in ShapeNetRendering, in pixels.
inline constexpr int kDefaultRenderingSide = 137;
inline constexpr std::size_t kMaxTruthPoints = 10'000'000;

/// Options of rendering samples.
struct RenderOptions {
    MeshConversion conversion;
    ViewPlan views;
    int side = kDefaultRenderingSide;          ///< pixels, kMinRenderingSide…kMaxRenderingSide
    std::size_t points = kSurfaceSampleCount;  ///< number of ground-truth points, 1…kMaxTruthPoints
    bool overwrite = false;                    ///< replace an existing sample
    bool texturesAnywhere = false;             ///< see MeshReadOptions::texturesAnywhere
    RasterChoice raster;
};

/// Throws UsageError if an option is out of range.
void requireValidOptions(const RenderOptions& options);

}  // namespace threefold
