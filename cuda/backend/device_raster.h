#pragma once

#include <memory>

#include "engine/raster/device_raster.h"

namespace threefold::cuda {

/// CudaPlugin::makeRaster: the rasteriser on a GPU. Throws DeviceError: no driver, no such device,
/// too old.
std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device);

}  // namespace threefold::cuda
