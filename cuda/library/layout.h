#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "cuda/kernels/element.h"
#include "cuda/runtime/partition.h"

namespace threefold::cuda::library {

/// Values rounded to nearest as `element`, in the order they are given.
inline std::vector<std::byte> toElement(std::span<const float> values, Element element) {
    return withElement(element, [&](auto value) {
        std::vector<std::byte> bytes(values.size() * sizeof value);
        for (std::size_t i = 0; i < values.size(); ++i) {
            value = fromFloat<decltype(value)>(values[i]);
            std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
        }
        return bytes;
    });
}

/// Packed weights: parts one after another, each aligned.
class Packer {
  public:
    /// Begins with so many bytes of zeros, which put() overwrites.
    explicit Packer(std::size_t bytes = 0) : bytes_(bytes) {}

    /// Appends; gives the part's byte offset.
    std::size_t add(std::span<const std::byte> bytes) {
        const std::size_t begin = bytes_.size();
        bytes_.resize(begin + aligned(bytes.size()));
        put(begin, bytes);
        return begin;
    }
    /// Writes at a known offset.
    void put(std::size_t place, std::span<const std::byte> bytes) {
        std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(place));
    }
    void put(std::size_t place, std::span<const float> values, Element element = Element::float32) {
        put(place, toElement(values, element));
    }

    std::vector<std::byte> release() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace threefold::cuda::library
