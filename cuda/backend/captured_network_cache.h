#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "cuda/backend/captured_network.h"
#include "cuda/backend/device_network.h"
#include "cuda/backend/device_resources.h"
#include "cuda/backend/network_factory.h"
#include "cuda/runtime/lru_cache.h"
#include "cuda/runtime/memory_monitor.h"
#include "engine/network/backend.h"

namespace threefold::cuda {

/// Captured networks of a back end, one for each shape of a batch. Captures a network when its
/// shape first occurs, and keeps networks of up to CudaTuning::maxCudaGraphBytes in all. Reads the
/// device's memory use now and then, and estimates the largest batch that fits. Used on the back
/// end's thread alone.
class CapturedNetworkCache {
  public:
    /// Keeps references to its arguments.
    CapturedNetworkCache(DeviceResources& resources, NetworkFactory& networks);

    /// Network for inputs with equal numbers of views; captured if new. The reference is valid
    /// until the next call of a function that is not const. Throws OutOfDeviceMemory, DeviceError.
    const std::shared_ptr<CapturedNetwork>& networkFor(std::span<const NetworkInput> inputs,
                                                       TimedSteps steps);
    /// Runs the inputs on their network and waits for the meshes. Throws as networkFor() does.
    std::vector<Reconstruction> run(std::span<const NetworkInput> inputs, TimedSteps steps);
    /// Runs blank inputs, then seals the pools: later runs should not allocate.
    void warmUp(int runs);

    /// Forgets all networks. A network that a caller holds lives until the caller releases it.
    void clear();

    /// Counts a finished batch. Reads the memory use only from time to time, since a reading is
    /// slow.
    void countBatch();
    /// Batch size that would fit, by the last reading of the memory.
    std::size_t estimatedBatch() const { return estimatedBatch_; }

  private:
    std::shared_ptr<CapturedNetwork> capture(const NetworkShape& shape,
                                             std::span<const NetworkInput> inputs,
                                             TimedSteps steps);
    /// Inserts a network into the cache, or updates its bytes there. Call again after a capture:
    /// each captured graph adds to the network's bytes.
    void insert(const std::shared_ptr<CapturedNetwork>& network);
    MemoryReading readMemory();

    DeviceResources& resources_;
    NetworkFactory& networks_;
    LruCache<NetworkShape, CapturedNetwork> cache_;
    std::shared_ptr<CapturedNetwork> current_;
    std::size_t maxSlotPixels_ = 0;
    std::size_t capturedBatch_ = 0;  ///< batch size of the last captured network
    std::size_t capturedBytes_ = 0;
    std::size_t estimatedBatch_ = kMaxUsefulBatchSize;
    std::size_t batchesSinceReading_ = 0;
};

}  // namespace threefold::cuda
