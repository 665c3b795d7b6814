#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/devices/gpu_description.h"
#include "engine/error.h"
#include "engine/network/backend.h"
#include "engine/network/cuda_options.h"
#include "engine/network/gpu_measurements.h"
#include "engine/network/precision.h"
#include "engine/raster/device_raster.h"

namespace threefold {

/// Functions of the plug-in library. Program and plug-in must share the C++ runtime and the
/// compiler: a plug-in with another version string is refused. All functions throw the engine's
/// exceptions; their types survive the library boundary.
struct CudaPlugin {
    std::string version;  ///< cudaPluginVersion() of the plug-in's build
    /// The GPUs, in CUDA's order; never empty. Throws DeviceError if there is no driver or no GPU.
    std::vector<GpuDescription> (*devices)() = nullptr;
    /// Makes the back end: uploads the weights, reads the stored tuning plan or makes one, warms
    /// up. Throws DeviceError (no driver, no such device, unsupported precision, too little
    /// memory), ModelError.
    std::unique_ptr<Backend> (*makeBackend)(std::shared_ptr<const Model> model,
                                            const CudaOptions& options) = nullptr;
    /// Compares a device with the processor. Needs `options.makeProcessorBackend`. Runs on the
    /// first of `options.quantisationSamples`, else of the bundled samples with a truth. Throws as
    /// makeBackend does, and InputError without samples.
    std::vector<GpuCheck> (*check)(const std::shared_ptr<const Model>& model,
                                   const CudaOptions& options) = nullptr;
    /// Measures the rates of a device. Takes a fraction of a second and a quarter of the free
    /// memory. Throws DeviceError, OutOfDeviceMemory.
    GpuPeakRates (*peakRates)(int device, Precision precision) = nullptr;
    /// Measures the time of each step of one batch in isolation, in execution order, and calls
    /// `report` after each step. `inputs`: at least one, with equal numbers of views. Throws
    /// InputError without inputs; also throws as makeBackend and Backend::reconstructBatch() do.
    /// Exceptions of `report` propagate.
    void (*timeSteps)(const std::shared_ptr<const Model>& model, const CudaOptions& options,
                      std::span<const NetworkInput> inputs, int replays,
                      const std::function<void(const CapturedStep&)>& report,
                      const std::stop_token& cancel) = nullptr;
    /// Makes the device's rasteriser (engine/raster/device_raster.h). Throws DeviceError.
    std::unique_ptr<raster::DeviceRaster> (*makeRaster)(int device) = nullptr;
    /// Compute capabilities with machine code in the plug-in, ascending: 90 for 9.0. The last one
    /// also has PTX.
    std::vector<int> computeCapabilities = {};
};

/// Release, compiler and a hash of the shared headers, which plug-in and program must agree on:
/// "0.1.0, compiler 12.2.0, contract 3fa92c1b".
std::string cudaPluginVersion();

/// The plug-in's only exported symbol, `extern "C" const CudaPlugin* threefoldCudaPlugin()`.
inline constexpr const char* kCudaPluginEntry = "threefoldCudaPlugin";
using CudaPluginEntry = const CudaPlugin* (*)();

/// The plug-in's path: $THREEFOLD_CUDA_PLUGIN if set, else libthreefold_cuda.so in ../lib or
/// ../lib/threefold, relative to the running program's folder. Throws DeviceError if there is no
/// such file.
std::filesystem::path cudaPluginFile();

/// Loads a plug-in; it stays loaded until the process ends, since its exceptions and back ends need
/// its code. Throws DeviceError with the reason in one line: not a library, a missing dependency,
/// not a plug-in, a plug-in that lacks a function or is of another build.
const CudaPlugin& openCudaPlugin(const std::filesystem::path& file);

/// The error that program and plug-in both throw if the driver is missing.
DeviceError noNvidiaDriverError();

/// Throws noNvidiaDriverError() unless the driver's library is installed; also throws as
/// cudaPluginFile() does. Call it before cudaPlugin(): without a driver, loading the plug-in and
/// CUDA's libraries takes 180 ms of processor time in vain. If $THREEFOLD_CUDA_PLUGIN is set, no
/// driver is required.
void requireNvidiaDriver();

/// Opens cudaPluginFile() once per process; after a failure the next call tries again.
/// Thread-safe. Throws as cudaPluginFile() and openCudaPlugin() do.
const CudaPlugin& cudaPlugin();

/// Returns a factory that opens the plug-in's rasteriser on a device (CUDA's device number) at its
/// first call. Later calls, also calls of the factory's copies, return the same rasteriser. The
/// factory throws as cudaPlugin() and CudaPlugin::makeRaster do and is thread-safe.
DeviceRasterFactory cudaRasterFactory(int device);

}  // namespace threefold
