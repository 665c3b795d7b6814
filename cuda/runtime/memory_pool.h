#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "cuda/runtime/device_api.h"
#include "cuda/runtime/memory_layout.h"
#include "engine/devices/device_memory_use.h"
#include "engine/log.h"

namespace threefold::cuda {

enum class MemoryKind {
    device,  ///< GPU memory
    pinned,  ///< page-locked host memory, for copies to and from the GPU
};

/// Statistics of one pool. Late allocations are the ones made while the pool is sealed.
struct PoolCounters : PoolStatistics {
    std::uint64_t allocations = 0;  ///< blocks allocated from the device (or the host's system)
    std::size_t bytesInUse = 0;     ///< size of the blocks that are handed out
    std::size_t bytesHeld = 0;      ///< size of all blocks, handed out or idle
    std::size_t peakInUse = 0;
    std::size_t peakHeld = 0;
};

/// Block size for a request of `bytes`: the next of 512, 640, 768, 896, 1024, 1280, … (four steps
/// for each doubling), so that at most a fifth is wasted from 512 bytes on. Throws
/// std::logic_error for sizes above 2^60.
std::size_t blockBytes(std::size_t bytes);

class PooledMemory;

/// Memory pool that keeps freed blocks for later requests.
///
/// An event in the stream that last used a block marks the end of its use. The same stream may
/// reuse a device block at once (stream order protects it), another stream once the event has
/// passed. The host writes pinned memory outside stream order, so pinned blocks are reused only
/// once the event has passed.
///
/// The pool is sealed after warm-up. Then a request for which no block is reusable gets a new
/// block, which is counted (`lateAllocationCount`) and logged as a warning. A pinned request
/// instead waits for the event of the oldest freed block of its size, if there is one.
///
/// Thread-safe. Must outlive its buffers, and the streams must outlive the pool. Not for a
/// capturing stream: allocate a graph's memory before capture.
class MemoryPool {
  public:
    MemoryPool(DeviceApi& device, MemoryKind kind, LogFunction log = {});
    /// Waits for the device, then frees everything.
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    /// Allocates at least `bytes` (0 counts as 1), aligned to 256, contents undefined, for use in
    /// `stream`. May hold the pool's lock while it waits for a pinned block. If the device is out
    /// of memory, trims the idle blocks and retries. Throws OutOfDeviceMemory, DeviceLost.
    PooledMemory allocate(std::size_t bytes, Stream stream);

    /// Allocates one block for the parts that `layOut(MemoryLayout&)` adds. Calls `layOut` twice:
    /// to measure, then with the memory, which `layOut` may fill.
    template <class LayOut>
    PooledMemory allocateParts(Stream stream, const LayOut& layOut);

    /// Frees every block that is not handed out; waits for pending copies of pinned blocks. Returns
    /// the bytes freed.
    std::size_t trim();

    void setSealed(bool sealed);
    bool sealed() const;
    PoolCounters counters() const;

  private:
    friend class PooledMemory;

    struct Block {
        std::byte* data = nullptr;
        std::size_t capacity = 0;
        Stream stream = nullptr;  ///< stream of the last use
        Event event = nullptr;    ///< recorded in `stream` on return to the pool
    };

    bool reuseIdle(std::size_t capacity, Stream stream, Block& reused);
    Block makeBlock(std::size_t capacity, Stream stream);
    void release(Block block) noexcept;
    void destroy(const Block& block) noexcept;
    std::size_t trimLocked() noexcept;

    DeviceApi& device_;
    const MemoryKind kind_;
    const LogFunction log_;
    mutable std::mutex mutex_;
    std::map<std::size_t, std::vector<Block>> idle_;  ///< by capacity, longest idle first
    PoolCounters counters_;
    bool sealed_ = false;
};

/// Owning handle of pool memory, which returns to the pool on destruction. Empty if
/// default-constructed or moved from.
class PooledMemory {
  public:
    PooledMemory() = default;
    ~PooledMemory() { reset(); }
    PooledMemory(PooledMemory&& other) noexcept { swap(other); }
    PooledMemory& operator=(PooledMemory&& other) noexcept {
        PooledMemory moved(std::move(other));
        swap(moved);
        return *this;
    }
    PooledMemory(const PooledMemory&) = delete;
    PooledMemory& operator=(const PooledMemory&) = delete;

    explicit operator bool() const { return pool_ != nullptr; }
    std::byte* data() const { return block_.data; }
    std::size_t size() const { return size_; }  ///< requested bytes
    template <class T>
    T* as(std::size_t offset = 0) const {  ///< `offset`: bytes
        return reinterpret_cast<T*>(data() + offset);
    }

    /// Sets the stream whose work must finish before the block is reused (initially the stream of
    /// the allocation). Work in other streams must have been joined to it.
    void setLastStream(Stream stream) { block_.stream = stream; }
    Stream stream() const { return block_.stream; }

    void reset() noexcept;  ///< returns the memory to the pool now

  private:
    friend class MemoryPool;
    PooledMemory(MemoryPool& pool, MemoryPool::Block block, std::size_t size)
        : pool_(&pool), block_(block), size_(size) {}
    void swap(PooledMemory& other) noexcept;

    MemoryPool* pool_ = nullptr;
    MemoryPool::Block block_;
    std::size_t size_ = 0;
};

template <class LayOut>
PooledMemory MemoryPool::allocateParts(Stream stream, const LayOut& layOut) {
    MemoryLayout size;
    layOut(size);
    PooledMemory memory = allocate(size.bytes(), stream);
    MemoryLayout parts(memory.data());
    layOut(parts);
    return memory;
}

}  // namespace threefold::cuda
