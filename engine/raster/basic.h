#pragma once

#include "engine/raster/rasterize.h"
#include "engine/raster/screen.h"

namespace threefold::raster {

/// One thread, triangle by triangle over its bounding box: the reference of the other tiers.
/// `image` has its size; `prior` is empty or the view's.
void drawBasic(const Screen& screen, const RasterOptions& options, std::span<const float> prior,
               RasterImage& image);

}  // namespace threefold::raster
