#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuda/backend/input_staging.h"
#include "cuda/backend/stream_contexts.h"
#include "cuda/runtime/memory_pool.h"

namespace threefold::cuda {

/// Page-locked input and result buffers of the batches in flight. A batch holds a slot until its
/// results are read; with two slots, one batch is staged and uploaded while the previous one is
/// computed. One thread at a time.
class BatchSlots {
  public:
    /// `device`: layout.deviceBytes(count) bytes for the inputs, used in the main stream and in the
    /// stream of copies. Throws OutOfDeviceMemory, DeviceError.
    BatchSlots(const InputLayout& layout, std::size_t resultFloats, std::size_t count,
               std::byte* device, const StreamContexts& contexts, MemoryPool& pinnedMemory);
    /// Waits for the batches in flight.
    ~BatchSlots();
    BatchSlots(const BatchSlots&) = delete;
    BatchSlots& operator=(const BatchSlots&) = delete;

    /// Takes a free slot, writes the inputs into it and returns its index. Throws std::logic_error
    /// if no slot is free.
    std::size_t fillSlot(std::span<const NetworkInput> inputs);
    std::size_t stagedBytes(std::size_t slot) const { return slots_[slot].stagedBytes; }

    /// Enqueues the copy of the inputs; later work in the main stream sees them. The pixels are
    /// copied while an earlier batch is computed.
    void upload(std::size_t slot);
    /// Enqueues the copy of the results in the main stream. May be called during a capture.
    void download(std::size_t slot, const float* results);
    /// Records the event that results() waits for. Call it outside a capture: an event recorded as
    /// a node of a graph cannot be waited for.
    void recordDone(std::size_t slot);

    /// Waits for recordDone()'s event. The values stay valid until the slot is released.
    std::span<const float> results(std::size_t slot);
    void release(std::size_t slot) { slots_[slot].inUse = false; }

    std::size_t bytes() const { return memory_.size(); }

  private:
    struct Slot {
        std::byte* inputs = nullptr;
        float* results = nullptr;
        OwnedEvent uploaded = makeEvent();
        OwnedEvent done = makeEvent();
        std::size_t stagedBytes = 0;
        bool inUse = false;
    };

    InputLayout layout_;
    std::size_t resultFloats_;
    std::byte* device_;
    const StreamContexts* contexts_;
    PooledMemory memory_;
    std::vector<Slot> slots_;
};

}  // namespace threefold::cuda
