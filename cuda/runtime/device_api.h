#pragma once

#include <cstddef>

#include "cuda/runtime/stream.h"
#include "engine/devices/device_error.h"

struct CUevent_st;

namespace threefold::cuda {

/// A point in the work of a stream: cudaEvent_t without its header.
using Event = CUevent_st*;

/// Bytes of the whole device, other processes included.
struct DeviceMemoryInfo {
    std::size_t free = 0;
    std::size_t total = 0;
};

/// Device interface of pools and monitors; tests implement a fake. Functions that are not noexcept
/// throw DeviceLost if the device is gone and DeviceError for other failures. Thread-safe.
class DeviceApi {
  public:
    DeviceApi() = default;
    DeviceApi(const DeviceApi&) = delete;
    DeviceApi& operator=(const DeviceApi&) = delete;
    virtual ~DeviceApi() = default;

    /// Allocates device memory, aligned to 256 bytes, for later work in `stream` (cudaMallocAsync).
    /// `bytes` > 0. Throws OutOfDeviceMemory.
    virtual void* allocate(std::size_t bytes, Stream stream) = 0;
    /// Frees memory in the order of `stream` (cudaFreeAsync). Does nothing on a lost device.
    virtual void free(void* memory, Stream stream) noexcept = 0;

    /// Allocates page-locked host memory (cudaHostAlloc), usable at once. `bytes` > 0. Throws
    /// OutOfDeviceMemory if the system refuses.
    virtual void* allocatePinned(std::size_t bytes) = 0;
    /// Frees at once: no copy may be in flight.
    virtual void freePinned(void* memory) noexcept = 0;

    virtual DeviceMemoryInfo memoryInfo() = 0;

    virtual Event createEvent() = 0;  ///< an event that records no time
    virtual void destroyEvent(Event event) noexcept = 0;
    /// Records the event after all work now in `stream`. Replaces an earlier record.
    virtual void record(Event event, Stream stream) = 0;
    virtual bool isComplete(Event event) = 0;  ///< true for an event that was never recorded
    virtual void wait(Event event) = 0;        ///< blocks the calling thread

    virtual void synchronise() = 0;  ///< blocks until all streams are idle
};

}  // namespace threefold::cuda
