#pragma once

#include <cstddef>

namespace threefold::cuda {

/// Lays tensors side by side in one block of device memory before there is any: add() gives each
/// its byte offset, bytes() what the block must hold.
class ArenaPlan {
  public:
    static constexpr std::size_t kAlignment = 256;

    std::size_t add(std::size_t bytes) {
        const std::size_t offset = bytes_;
        bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return offset;
    }
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

}  // namespace threefold::cuda
