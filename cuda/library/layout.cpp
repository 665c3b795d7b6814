#include "cuda/library/layout.h"

#include <algorithm>
#include <cstring>

namespace threefold::cuda::library {

std::vector<std::byte> toElement(std::span<const float> values, Element element) {
    return withElement(element, [&](auto value) {
        std::vector<std::byte> bytes(values.size() * sizeof value);
        for (std::size_t i = 0; i < values.size(); ++i) {
            value = fromFloat<decltype(value)>(values[i]);
            std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
        }
        return bytes;
    });
}

std::size_t Packer::add(std::span<const std::byte> bytes) {
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + aligned(bytes.size()));
    put(begin, bytes);
    return begin;
}

void Packer::put(std::size_t place, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(place));
}

void Packer::put(std::size_t place, std::span<const float> values, Element element) {
    put(place, toElement(values, element));
}

}  // namespace threefold::cuda::library
