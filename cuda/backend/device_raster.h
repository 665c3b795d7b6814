#pragma once

#include <memory>

#include "engine/raster/device_raster.h"

namespace threefold::cuda {

/// CudaPlugin::makeRaster: the rasteriser on a GPU. Throws DeviceError as chooseDevice() does.
std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device);

}  // namespace threefold::cuda
