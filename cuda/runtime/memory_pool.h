#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "cuda/runtime/device_api.h"
#include "cuda/runtime/partition.h"
#include "engine/progress.h"

namespace threefold::cuda {

enum class MemoryKind {
    device,  ///< of the GPU
    pinned,  ///< of the host, page-locked: what copies to and from the GPU start or end in
};

struct PoolCounters {
    std::uint64_t allocations = 0;      ///< taken from the device (or from the host's system)
    std::uint64_t frees = 0;            ///< given back to it
    std::uint64_t hits = 0;             ///< requests served by a block that was already there
    std::uint64_t lateAllocations = 0;  ///< allocations while sealed
    std::size_t bytesInUse = 0;         ///< handed out, whole blocks
    std::size_t bytesHeld = 0;          ///< handed out or waiting to be
    std::size_t peakInUse = 0;
    std::size_t peakHeld = 0;
};

/// What a request of `bytes` takes up: the next of 512, 640, 768, 896, 1024, 1280, … (four steps
/// for each doubling), so that at most a fifth is wasted from 512 bytes on. Throws InputError for
/// sizes above 2^60.
std::size_t blockBytes(std::size_t bytes);

class PooledMemory;

/// Keeps freed blocks of memory for the next request.
///
/// An event in the stream that last used a block marks the end of its use. The same stream may have
/// a device block again at once (the stream's order protects it), another stream when the event has
/// passed. Pinned memory is written by the host in no stream's order: it is reused only when the
/// event has passed.
///
/// After warm-up the pool is sealed: no request should need a new block then. Pinned requests wait
/// for a block of their size that is still in use; any other allocation is made, counted
/// (`lateAllocations`) and logged as a warning.
///
/// Thread-safe. Must outlive its buffers, and the streams must outlive the pool. Not for a stream
/// that is being captured into a graph: allocate what a graph uses before.
class MemoryPool {
  public:
    MemoryPool(DeviceApi& device, MemoryKind kind, LogFunction log = {});
    /// Waits for the device, then gives everything back.
    ~MemoryPool();
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;

    /// At least `bytes` (0 counts as 1), aligned to 256, contents undefined, for use in `stream`.
    /// If the device has no more, trims the idle blocks and tries again. Throws OutOfDeviceMemory,
    /// DeviceLost.
    PooledMemory allocate(std::size_t bytes, Stream stream);

    /// Memory of the parts that `layOut(Partition&)` takes. It is called twice: for the size, and
    /// with the memory, which it may fill.
    template <class LayOut>
    PooledMemory allocateParts(Stream stream, const LayOut& layOut);

    /// Gives back every block that is not handed out; waits for those that copies still use.
    /// Returns the bytes given back.
    std::size_t trim();

    void seal(bool sealed = true);
    bool sealed() const;
    PoolCounters counters() const;

  private:
    friend class PooledMemory;

    struct Block {
        std::byte* data = nullptr;
        std::size_t capacity = 0;
        Stream stream = nullptr;  ///< last used in
        Event event = nullptr;    ///< recorded there when it came back
    };

    bool reuseIdle(std::size_t capacity, Stream stream, Block& taken);
    Block makeBlock(std::size_t capacity, Stream stream);
    void giveBack(Block block) noexcept;
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

/// Memory lent by a pool; goes back when the value dies. Empty when default-constructed or moved
/// from.
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
    T* as(std::size_t offset = 0) const {  ///< bytes
        return reinterpret_cast<T*>(data() + offset);
    }

    /// The stream whose work must be done before the block is used again: the one it was allocated
    /// for, unless lastUsedIn() changes it. Work in other streams must have been joined to it.
    void lastUsedIn(Stream stream) { block_.stream = stream; }
    Stream stream() const { return block_.stream; }

    void reset() noexcept;  ///< gives it back now

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
    Partition size;
    layOut(size);
    PooledMemory memory = allocate(size.bytes(), stream);
    Partition parts(memory.data());
    layOut(parts);
    return memory;
}

/// One look at a device's memory, in bytes.
struct MemoryReading {
    std::size_t total = 0;
    std::size_t used = 0;      ///< of the whole device, other processes included
    std::size_t poolHeld = 0;  ///< by the watched pools

    double share() const {
        return total == 0 ? 0.0 : static_cast<double>(used) / static_cast<double>(total);
    }
};

/// Watches how full a device is. Not thread-safe.
class MemoryMonitor {
  public:
    using Alert = std::function<void(const MemoryReading&)>;

    /// Above the first share of used memory an alert is due, and again only after less than the
    /// second share was used.
    static constexpr double kAlertShare = 0.90;
    static constexpr double kClearShare = 0.85;

    /// `alert` may be empty. The device must outlive the monitor.
    MemoryMonitor(DeviceApi& device, Alert alert);

    /// Counts this pool in later readings; it must outlive the monitor.
    void watch(const MemoryPool& pool) { pools_.push_back(&pool); }

    /// Looks now, and calls the alert where one is due. Throws DeviceLost.
    MemoryReading read();

    /// Most that a reading has found in use on the device, other processes included; 0 before the
    /// first.
    std::size_t peakUsed() const { return peakUsed_; }

  private:
    DeviceApi& device_;
    Alert alert_;
    std::vector<const MemoryPool*> pools_;
    bool alerted_ = false;
    std::size_t peakUsed_ = 0;
};

}  // namespace threefold::cuda
