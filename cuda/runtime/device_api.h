#pragma once

#include <cstddef>

#include "cuda/runtime/stream.h"
#include "engine/network/device_error.h"

struct CUevent_st;

namespace threefold::cuda {

/// A point in the work of a stream: cudaEvent_t without its header.
using Event = CUevent_st*;

/// Bytes of the whole device, other processes included.
struct DeviceMemoryInfo {
    std::size_t free = 0;
    std::size_t total = 0;
};

/// What pools and monitors need of a device; tests implement a fake one. Functions that are not
/// noexcept throw DeviceLost when the device is gone and DeviceError for other failures.
/// Thread-safe.
class DeviceApi {
  public:
    DeviceApi() = default;
    DeviceApi(const DeviceApi&) = delete;
    DeviceApi& operator=(const DeviceApi&) = delete;
    virtual ~DeviceApi() = default;

    /// Device memory, aligned to 256 bytes, usable by what is put into `stream` afterwards
    /// (cudaMallocAsync). `bytes` > 0. Throws OutOfDeviceMemory.
    virtual void* allocate(std::size_t bytes, Stream stream) = 0;
    /// Gives memory back once `stream` has come this far (cudaFreeAsync). Nothing on a lost device.
    virtual void free(void* memory, Stream stream) noexcept = 0;

    /// Page-locked host memory (cudaHostAlloc), usable at once. `bytes` > 0. Throws
    /// OutOfDeviceMemory where the system gives no more.
    virtual void* allocatePinned(std::size_t bytes) = 0;
    /// At once: no copy may be under way.
    virtual void freePinned(void* memory) noexcept = 0;

    virtual DeviceMemoryInfo memoryInfo() = 0;

    virtual Event createEvent() = 0;  ///< without times
    virtual void destroyEvent(Event event) noexcept = 0;
    /// The event has passed when all that is in `stream` now has. Replaces an earlier record.
    virtual void record(Event event, Stream stream) = 0;
    virtual bool passed(Event event) = 0;  ///< true for one that was never recorded
    virtual void wait(Event event) = 0;    ///< blocks the calling thread

    virtual void synchronise() = 0;  ///< blocks until all streams are idle
};

}  // namespace threefold::cuda
