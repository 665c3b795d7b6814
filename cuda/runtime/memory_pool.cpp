#include "cuda/runtime/memory_pool.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace threefold::cuda {
namespace {

constexpr std::size_t kMinBlock = 512;
constexpr std::size_t kMaxRequest = std::size_t{1} << 60;

const char* kindName(MemoryKind kind) {
    return kind == MemoryKind::device ? "device" : "pinned";
}

}  // namespace

std::size_t blockBytes(std::size_t bytes) {
    if (bytes > kMaxRequest)
        throw std::logic_error(fmt::format("memory pool: {} bytes were asked for", bytes));
    if (bytes <= kMinBlock) return kMinBlock;
    const std::size_t step = std::size_t{1} << (std::bit_width(bytes - 1) - 3);
    return (bytes + step - 1) / step * step;
}

MemoryPool::MemoryPool(DeviceApi& device, MemoryKind kind, LogFunction log)
    : device_(device), kind_(kind), log_(std::move(log)) {}

MemoryPool::~MemoryPool() {
    try {
        device_.synchronise();
    } catch (const Error&) {  // a lost device has nothing in flight
    }
    trimLocked();
}

PooledMemory MemoryPool::allocate(std::size_t bytes, Stream stream) {
    const std::size_t capacity = blockBytes(bytes);
    Block block;
    bool late = false;
    {
        const std::scoped_lock lock(mutex_);
        if (reuseIdle(capacity, stream, block)) {
            ++counters_.reusedCount;
        } else {
            block = makeBlock(capacity, stream);
            late = sealed_;
            counters_.lateAllocationCount += late ? 1 : 0;
        }
        block.stream = stream;
        counters_.bytesInUse += capacity;
        counters_.peakInUse = std::max(counters_.peakInUse, counters_.bytesInUse);
    }
    PooledMemory memory(*this, block, bytes);
    if (late && log_)
        log_(LogLevel::warning, fmt::format("{} bytes of {} memory had to be allocated after "
                                            "warm-up",
                                            capacity, kindName(kind_)));
    return memory;
}

bool MemoryPool::reuseIdle(std::size_t capacity, Stream stream, Block& reused) {
    const auto idle = idle_.find(capacity);
    if (idle == idle_.end() || idle->second.empty()) return false;
    std::vector<Block>& blocks = idle->second;

    auto chosen = blocks.end();
    if (kind_ == MemoryKind::device)
        chosen = std::find_if(blocks.begin(), blocks.end(),
                              [&](const Block& block) { return block.stream == stream; });
    if (chosen == blocks.end())
        chosen = std::find_if(blocks.begin(), blocks.end(),
                              [&](const Block& block) { return device_.isComplete(block.event); });
    if (chosen == blocks.end()) {
        if (kind_ == MemoryKind::device || !sealed_) return false;
        chosen = blocks.begin();
        device_.wait(chosen->event);
    }
    reused = *chosen;
    blocks.erase(chosen);
    return true;
}

MemoryPool::Block MemoryPool::makeBlock(std::size_t capacity, Stream stream) {
    const auto fromDevice = [&] {
        return static_cast<std::byte*>(kind_ == MemoryKind::device
                                           ? device_.allocate(capacity, stream)
                                           : device_.allocatePinned(capacity));
    };
    Block block{nullptr, capacity, stream, device_.createEvent()};
    try {
        try {
            block.data = fromDevice();
        } catch (const OutOfDeviceMemory&) {
            trimLocked();
            // Memory freed in other streams is available only when these are done.
            device_.synchronise();
            block.data = fromDevice();
        }
    } catch (...) {
        device_.destroyEvent(block.event);
        throw;
    }
    ++counters_.allocations;
    counters_.bytesHeld += capacity;
    counters_.peakHeld = std::max(counters_.peakHeld, counters_.bytesHeld);
    return block;
}

void MemoryPool::release(Block block) noexcept {
    const std::scoped_lock lock(mutex_);
    counters_.bytesInUse -= block.capacity;
    try {
        device_.record(block.event, block.stream);
        idle_[block.capacity].push_back(block);
    } catch (...) {  // without its event, the end of the block's use is unknown
        destroy(block);
    }
}

void MemoryPool::destroy(const Block& block) noexcept {
    if (kind_ == MemoryKind::device) {
        device_.free(block.data, block.stream);
    } else {
        try {
            device_.wait(block.event);
        } catch (...) {  // a lost device copies nothing any more
        }
        device_.freePinned(block.data);
    }
    device_.destroyEvent(block.event);
    ++counters_.freedCount;
    counters_.bytesHeld -= block.capacity;
}

std::size_t MemoryPool::trim() {
    const std::scoped_lock lock(mutex_);
    return trimLocked();
}

std::size_t MemoryPool::trimLocked() noexcept {
    const std::size_t before = counters_.bytesHeld;
    for (const auto& [capacity, blocks] : idle_)
        for (const Block& block : blocks) destroy(block);
    idle_.clear();
    return before - counters_.bytesHeld;
}

void MemoryPool::setSealed(bool sealed) {
    const std::scoped_lock lock(mutex_);
    sealed_ = sealed;
}

bool MemoryPool::sealed() const {
    const std::scoped_lock lock(mutex_);
    return sealed_;
}

PoolCounters MemoryPool::counters() const {
    const std::scoped_lock lock(mutex_);
    return counters_;
}

void PooledMemory::reset() noexcept {
    if (pool_ != nullptr) pool_->release(block_);
    pool_ = nullptr;
    block_ = {};
    size_ = 0;
}

void PooledMemory::swap(PooledMemory& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
}

}  // namespace threefold::cuda
