#pragma once

#include <memory>
#include <vector>

#include "engine/devices/gpu_check.h"
#include "engine/devices/gpu_steps.h"
#include "engine/network/cuda_options.h"
#include "engine/raster/device_raster.h"

namespace threefold::cuda {

/// CudaPlugin::makeBackend: the whole method on one GPU.
std::unique_ptr<Backend> makeCudaBackend(std::shared_ptr<const Model> model,
                                         const CudaOptions& options);

/// CudaPlugin::timeSteps.
void timeSteps(const std::shared_ptr<const Model>& model, const CudaOptions& options,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const GpuStep&)>& report, const std::stop_token& cancel);

/// CudaPlugin::check: compares each step of the network on the device with the processor's float32,
/// in each precision of the device; also the whole mesh, the same input twice, and the services.
/// Input: the first of `options.quantisationSamples`, else the first bundled sample with a truth.
std::vector<GpuCheck> checkDevice(const std::shared_ptr<const Model>& model,
                                  const CudaOptions& options);

/// CudaPlugin::peakRates: the best of a few large cuBLASLt products of random values in `precision`
/// (float32: strict), and of a few copies within the device's memory. Takes a fraction of a second
/// and up to a quarter of the free memory. Throws DeviceError, OutOfDeviceMemory.
GpuPeakRates measureGpuPeakRates(int device, Precision precision);

/// CudaPlugin::makeRaster: the rasteriser on a GPU. Throws DeviceError: no driver, no such device,
/// too old.
std::unique_ptr<raster::DeviceRaster> makeDeviceRaster(int device);

}  // namespace threefold::cuda
