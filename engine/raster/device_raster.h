#pragma once

#include <span>

#include "engine/raster/rasterize.h"
#include "engine/raster/screen.h"

namespace threefold::raster {

/// Draws on a device what drawBasic() draws, bit for bit but for barycentrics (1e-5). Keeps the
/// device's memory from one view to the next. One thread at a time.
class DeviceRaster {
  public:
    DeviceRaster() = default;
    DeviceRaster(const DeviceRaster&) = delete;
    DeviceRaster& operator=(const DeviceRaster&) = delete;
    virtual ~DeviceRaster() = default;

    /// `image` has its size; `prior` is empty or the view's. Throws DeviceError, and Cancelled
    /// between copies and launches, with `image` in any state.
    virtual void draw(const Screen& screen, const RasterOptions& options,
                      std::span<const float> prior, RasterImage& image) = 0;
};

}  // namespace threefold::raster
