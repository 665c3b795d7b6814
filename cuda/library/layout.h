#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "cuda/kernels/element.h"
#include "cuda/runtime/memory_layout.h"

namespace threefold::cuda::library {

/// Bytes of the values in their order, each rounded to nearest in the type `element`.
inline std::vector<std::byte> toElement(std::span<const float> values, ElementType element) {
    return withElementType(element, [&](auto value) {
        std::vector<std::byte> bytes(values.size() * sizeof value);
        for (std::size_t i = 0; i < values.size(); ++i) {
            value = fromFloat<decltype(value)>(values[i]);
            std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
        }
        return bytes;
    });
}

/// Builder of packed weights: aligned parts, one after another.
class Packer {
  public:
    /// Starts with `bytes` zeros for put() to overwrite.
    explicit Packer(std::size_t bytes = 0) : bytes_(bytes) {}

    /// Appends a part; returns its byte offset.
    std::size_t add(std::span<const std::byte> bytes) {
        const std::size_t begin = bytes_.size();
        bytes_.resize(begin + alignUp(bytes.size()));
        put(begin, bytes);
        return begin;
    }
    /// Overwrites at a known offset.
    void put(std::size_t offset, std::span<const std::byte> bytes) {
        std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    void put(std::size_t offset, std::span<const float> values,
             ElementType element = ElementType::float32) {
        put(offset, toElement(values, element));
    }

    std::vector<std::byte> release() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

}  // namespace threefold::cuda::library
