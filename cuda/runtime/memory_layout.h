#pragma once

#include <cstddef>

namespace threefold::cuda {

/// Alignment of every part of a block of device memory: pools guarantee it, and no vector load
/// needs more.
inline constexpr std::size_t kAlignment = 256;

/// `bytes` rounded up to a multiple of kAlignment.
constexpr std::size_t alignUp(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Layout of consecutive parts of a block of memory. Parts are added twice: without memory, to
/// measure, then with the block (MemoryPool::allocateParts()).
class MemoryLayout {
  public:
    explicit MemoryLayout(std::byte* block = nullptr) : block_(block) {}

    /// Adds a part of `bytes`; returns its byte offset.
    std::size_t addBytes(std::size_t bytes) {
        const std::size_t begin = bytes_;
        bytes_ += alignUp(bytes);
        return begin;
    }
    /// Adds a part of `count` values; null while measuring.
    template <class Value>
    Value* add(std::size_t count) {
        const std::size_t begin = addBytes(count * sizeof(Value));
        return block_ == nullptr ? nullptr : reinterpret_cast<Value*>(block_ + begin);
    }
    /// The size of the whole block.
    std::size_t bytes() const { return bytes_; }

  private:
    std::byte* block_;
    std::size_t bytes_ = 0;
};

}  // namespace threefold::cuda
