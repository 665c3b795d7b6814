#pragma once

#include <cstddef>

namespace threefold::cuda {

/// Every part of a block of device memory begins at a multiple of this: pools give it, and no
/// vector load needs more.
inline constexpr std::size_t kAlignment = 256;

constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Cuts a block of memory into parts, one after another, before the block is allocated.
class Partition {
  public:
    /// Adds a part of `bytes`; returns its byte offset.
    std::size_t reserve(std::size_t bytes) {
        const std::size_t begin = bytes_;
        bytes_ += aligned(bytes);
        return begin;
    }
    /// The size of the whole block.
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

}  // namespace threefold::cuda
