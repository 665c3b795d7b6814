#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/network/backend.h"
#include "engine/raster/device_raster.h"

namespace threefold {

/// Options of the GPU backend.
struct CudaOptions {
    Precision precision = Precision::float16;
    int device = 0;               ///< CUDA's device number
    bool libraryKernels = false;  ///< cuDNN, cuBLASLt and cuSPARSE instead of the fused kernels
    bool stageTimes = true;  ///< CUDA events, see RunOptions::wantTimings; false: no stage timings
    /// Computes kEntropyChannel of hypothesis blocks, for batches of one only: copies the scores
    /// from the device.
    bool entropy = false;
    int warmUpRuns = 15;
    // Optimisations that can be switched off one by one; results are the same without them.
    /// 3: uploads overlap computation, and stage 2's convolutions overlap stage 1; 2: only the
    /// convolutions overlap; 1: nothing overlaps.
    int streams = 3;
    bool graphs = true;  ///< one launch per batch; false: one launch per kernel
    bool pinned = true;  ///< page-locked host memory; false: the driver makes one more copy
    std::size_t graphBytes = std::size_t{2} << 30;  ///< maximum device memory of captured graphs
    /// Maximum device memory for weights and buffers, without the libraries'; 0: no limit. Larger
    /// batches are split.
    std::size_t memoryBytes = 0;
    std::filesystem::path planFolder;  ///< empty: the user's cache folder
    /// Samples to measure 8-bit scales on. Empty: the scales of an earlier plan, else of the
    /// bundled samples.
    std::vector<NetworkInput> calibration;
    LogFunction log;
    /// Makes the processor's back end (float32, same model), the reference of check(). check()
    /// requires it.
    std::function<std::unique_ptr<Backend>()> processor;
};

/// A GPU, as described by its driver.
struct GpuDescription {
    std::string name;
    int computeCapability = 0;  ///< 90 for 9.0
    int multiprocessors = 0;
    std::size_t memoryBytes = 0;
    std::string driver;     ///< "580.65"
    std::string libraries;  ///< "CUDA 13.0, cuBLASLt 13.1, cuDNN 9.13"
};

/// Comparison of one operation on the device and the processor, for `threefold doctor`.
struct GpuCheck {
    std::string name;  ///< "hypothesis block, float16"
    bool passed = false;
    double error = 0;  ///< largest deviation, relative to the largest magnitude
    double allowed = 0;
    double milliseconds = 0;
    double utilisation = 0;  ///< fraction of the device's measured peak rate; 0 if none applies
    std::string remark;
};

/// One step of a reconstruction on the device: a kernel, a copy, or a library call.
struct GpuStep {
    std::string stage;        ///< runStepName(), or "download"
    std::string name;         ///< "graph block", "convolution 3 images 56 64>64 3/1 float16", …
    std::size_t nodes = 0;    ///< of the captured graph
    double bytes = 0;         ///< minimum traffic: inputs and outputs
    double flop = 0;          ///< multiply-adds × 2; 0 if not counted
    double milliseconds = 0;  ///< median of replays of this step alone
};

/// Peak rates of a device, measured when called.
struct GpuCeilings {
    double teraflops = 0;           ///< a cuBLASLt product in the requested precision
    double gigabytesPerSecond = 0;  ///< a device copy, read and written bytes together
};

/// Functions of the plug-in library. Program and plug-in must share the C++ runtime and the
/// compiler: a plug-in with another version string is refused. All functions throw the engine's
/// exceptions; their types survive the library boundary.
struct CudaPlugin {
    std::string version;  ///< cudaPluginVersion() of the plug-in's build
    /// In CUDA's order. Never empty. Throws DeviceError if there is no driver or no GPU.
    std::vector<GpuDescription> (*devices)() = nullptr;
    /// Uploads the weights, makes or reads the plan, warms up. Throws DeviceError (no driver, no
    /// such device, unsupported precision, too little memory), ModelError.
    std::unique_ptr<Backend> (*makeBackend)(std::shared_ptr<const Model> model,
                                            const CudaOptions& options) = nullptr;
    /// Needs `options.processor`. Runs on `options.calibration`, else on the bundled samples.
    /// Throws as makeBackend does, and InputError without samples.
    std::vector<GpuCheck> (*check)(const std::shared_ptr<const Model>& model,
                                   const CudaOptions& options) = nullptr;
    GpuCeilings (*ceilings)(int device, Precision precision) = nullptr;
    /// Times each step of one batch in isolation, in execution order, and calls `report` after
    /// each. All inputs must have the same number of views. Throws as makeBackend and
    /// reconstructBatch do; exceptions of `report` propagate.
    void (*timeSteps)(const std::shared_ptr<const Model>& model, const CudaOptions& options,
                      std::span<const NetworkInput> inputs, int replays,
                      const std::function<void(const GpuStep&)>& report,
                      const std::stop_token& cancel) = nullptr;
    /// Makes the device's rasteriser (engine/raster/device_raster.h). Throws DeviceError.
    std::unique_ptr<raster::DeviceRaster> (*makeRaster)(int device) = nullptr;
    /// Compute capabilities with machine code in the plug-in, ascending: 90 for 9.0. The last one
    /// also has PTX.
    std::vector<int> architectures = {};
};

/// Whether a GPU of this compute capability runs code for one of `architectures`: machine code of
/// its own generation and not newer than the GPU, or the PTX of the last architecture if that is
/// not newer than the GPU.
bool hasCodeFor(int computeCapability, std::span<const int> architectures);

/// Formats a compute capability: "9.0" for 90.
std::string capabilityText(int computeCapability);

/// Release, compiler and a hash of the shared headers, which plug-in and program must agree on:
/// "0.1.0, compiler 12.2.0, contract 3fa92c1b".
std::string cudaPluginVersion();

/// The plug-in's only exported symbol, `extern "C" const CudaPlugin* threefoldCudaPlugin()`.
inline constexpr const char* kCudaPluginEntry = "threefoldCudaPlugin";
using CudaPluginEntry = const CudaPlugin* (*)();

/// The plug-in's path: $THREEFOLD_CUDA_PLUGIN if set, else libthreefold_cuda.so in ../lib or
/// ../lib/threefold beside the running program. Throws DeviceError if there is no such file.
std::filesystem::path cudaPluginFile();

/// Loads a plug-in; it stays loaded until the process ends, since its exceptions and back ends need
/// its code. Throws DeviceError with the reason in one line: not a library, a missing dependency,
/// not a plug-in, a plug-in that lacks a function or is of another build.
const CudaPlugin& openCudaPlugin(const std::filesystem::path& file);

/// The error of program and plug-in for a missing driver.
DeviceError noNvidiaDriver();

/// Throws noNvidiaDriver() unless the driver's library is installed; also throws as
/// cudaPluginFile() does. Call before cudaPlugin(): finding out by loading the plug-in and CUDA's
/// libraries takes 180 ms of processor time at start-up. If $THREEFOLD_CUDA_PLUGIN is set, no
/// driver is required.
void requireNvidiaDriver();

/// Opens cudaPluginFile() once per process; after a failure the next call tries again.
/// Thread-safe. Throws as cudaPluginFile() and openCudaPlugin() do.
const CudaPlugin& cudaPlugin();

/// Returns a factory that opens the plug-in's rasteriser on a device (CUDA's device number) at its
/// first call. Later calls, also of its copies, return the same rasteriser. The factory throws as
/// cudaPlugin() and CudaPlugin::makeRaster do and is thread-safe.
DeviceRasterFactory cudaRaster(int device);

}  // namespace threefold
