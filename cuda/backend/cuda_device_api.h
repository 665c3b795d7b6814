#pragma once

#include <cuda_runtime_api.h>

#include "cuda/backend/device.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/device_api.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// DeviceApi of a real device. Device memory comes from a stream-ordered pool of its own, which
/// keeps freed memory without limit (until trim() or the driver releases it), so that allocating
/// again costs no call into the driver.
class CudaDeviceApi final : public DeviceApi {
  public:
    /// Creates a memory pool of at most `maxBytes` (0: no limit). `pinned`: false makes
    /// allocatePinned() return memory that is not page-locked. Throws DeviceError.
    explicit CudaDeviceApi(const DeviceInfo& device, std::size_t maxBytes = 0, bool pinned = true);

    void* allocate(std::size_t bytes, Stream stream) override;
    void free(void* memory, Stream stream) noexcept override {
        ignoreFailure(cudaFreeAsync(memory, stream));
    }
    void* allocatePinned(std::size_t bytes) override;
    void freePinned(void* memory) noexcept override;
    DeviceMemoryInfo memoryInfo() override;
    Event createEvent() override { return makeEvent().release(); }
    void destroyEvent(Event event) noexcept override { ignoreFailure(cudaEventDestroy(event)); }
    void record(Event event, Stream stream) override { CUDA_CHECK(cudaEventRecord(event, stream)); }
    bool isComplete(Event event) override;
    void wait(Event event) override { CUDA_CHECK(cudaEventSynchronize(event)); }
    void synchronise() override { CUDA_CHECK(cudaDeviceSynchronize()); }

    std::size_t freeBytes();  ///< bytes that allocate() could still take

    /// Releases unused memory to the driver. Waits for the device.
    void trim();

  private:
    int index_;
    std::size_t maxBytes_;
    bool pinned_;
    using OwnedPool = OwnedHandle<cudaMemPool_t, cudaMemPoolDestroy>;
    OwnedPool pool_;
};

}  // namespace threefold::cuda
