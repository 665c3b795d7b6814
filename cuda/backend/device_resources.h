#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cuda/backend/cuda_device_api.h"
#include "cuda/backend/device.h"
#include "cuda/backend/device_model.h"
#include "cuda/backend/network_resources.h"
#include "cuda/backend/stream_contexts.h"
#include "cuda/runtime/memory_monitor.h"
#include "cuda/runtime/memory_pool.h"
#include "engine/log.h"
#include "engine/model/model.h"
#include "engine/network/cuda_options.h"

namespace threefold::cuda {

/// Resources of one GPU that the parts of a back end share: description, memory, streams, choice of
/// kernels. The order of the members matters: streams must outlive the pools, and the pools must
/// outlive the contexts. Used on the back end's thread alone.
struct DeviceResources {
    /// Chooses the device and makes it current. Throws DeviceError as chooseDevice() does, and for
    /// a model without the published number of hypothesis blocks.
    DeviceResources(std::shared_ptr<const Model> networkModel, const CudaOptions& cudaOptions);
    DeviceResources(const DeviceResources&) = delete;
    DeviceResources& operator=(const DeviceResources&) = delete;

    void log(LogLevel level, const std::string& line) const {
        if (options.log) options.log(level, line);
    }
    /// Logs which parts of the network use library kernels instead of fused kernels.
    void logChoice() const;
    NetworkConfiguration configuration() const {
        return {device.limits, options.precision, choice};
    }
    NetworkResources forNetwork() { return {contexts, deviceMemory, pinnedMemory}; }
    /// Frees the memory that nothing uses. Waits for the device.
    void trim();

    std::shared_ptr<const Model> model;
    CudaOptions options;
    DeviceInfo device;
    std::size_t initialBytes;  ///< bytes in use on the device before the first allocation
    CudaDeviceApi api;
    BackendStreams streams;
    MemoryPool deviceMemory;
    MemoryPool pinnedMemory;
    MemoryMonitor monitor;  ///< of `deviceMemory`; warns when the device's memory is full
    StreamContexts contexts;
    KernelChoice choice;
};

/// Unseals both pools in a scope: networks of new shapes and MeshOperations may allocate after
/// warm-up; launches of captured graphs must not.
class UnsealScope {
  public:
    explicit UnsealScope(DeviceResources& resources);
    ~UnsealScope();
    UnsealScope(const UnsealScope&) = delete;
    UnsealScope& operator=(const UnsealScope&) = delete;

  private:
    MemoryPool* pools_[2];
    bool sealed_[2];
};

}  // namespace threefold::cuda
