#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cuda/kernels/element.h"
#include "cuda/runtime/partition.h"

namespace threefold::cuda::library {

/// Values rounded to nearest as `element`, in the order they are given.
std::vector<std::byte> toElement(std::span<const float> values, Element element);

/// Packed weights: parts one after another, each aligned.
class Packer {
  public:
    /// Begins with so many bytes of zeros, which put() overwrites.
    explicit Packer(std::size_t bytes = 0) : bytes_(bytes) {}

    /// Appends; gives the part's byte offset.
    std::size_t add(std::span<const std::byte> bytes);
    /// Writes at a known offset.
    void put(std::size_t place, std::span<const std::byte> bytes);
    void put(std::size_t place, std::span<const float> values, Element element = Element::float32);

    std::vector<std::byte> release() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace threefold::cuda::library
