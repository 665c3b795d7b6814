#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "cuda/kernels/element.h"

namespace threefold::cuda::library {

/// 8 bit is only inside the fused hypothesis block; the libraries run those precisions in float16.
constexpr Precision withoutEightBit(Precision precision) {
    const bool eightBit = precision == Precision::int8 || precision == Precision::float8;
    return eightBit ? Precision::float16 : precision;
}

/// Every part of a block of device memory begins here: what pools give, and more than any library's
/// vector loads ask for.
inline constexpr std::size_t kAlignment = 256;

constexpr std::size_t aligned(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// Cuts a block of memory into parts, one after another.
class Partition {
  public:
    /// Where a part of `bytes` begins.
    std::size_t take(std::size_t bytes) {
        const std::size_t begin = bytes_;
        bytes_ += aligned(bytes);
        return begin;
    }
    std::size_t bytes() const { return bytes_; }

  private:
    std::size_t bytes_ = 0;
};

/// Values rounded to nearest as `element`, in the order they are given.
std::vector<std::byte> toElement(std::span<const float> values, Element element);

/// Weights in the making: parts one after another, each aligned.
class Packer {
  public:
    std::size_t add(std::span<const std::byte> bytes);
    std::size_t add(std::span<const float> values, Element element = Element::float32);
    std::vector<std::byte> take();

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace threefold::cuda::library
