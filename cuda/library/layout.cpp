#include "cuda/library/layout.h"

#include <algorithm>
#include <cstring>

#include "cuda/portable/half.h"

namespace threefold::cuda::library {
namespace {

template <class T>
std::vector<std::byte> rounded(std::span<const float> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = fromFloat<T>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

}  // namespace

std::vector<std::byte> toElement(std::span<const float> values, Element element) {
    switch (element) {
        case Element::float16:
            return rounded<Half>(values);
        case Element::bfloat16:
            return rounded<Bfloat16>(values);
        case Element::float32:
            break;
    }
    return rounded<float>(values);
}

std::size_t Packer::add(std::span<const std::byte> bytes) {
    const std::size_t begin = bytes_.size();
    bytes_.resize(begin + aligned(bytes.size()));
    put(begin, bytes);
    return begin;
}

std::size_t Packer::add(std::span<const float> values, Element element) {
    return add(toElement(values, element));
}

void Packer::put(std::size_t place, std::span<const std::byte> bytes) {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(place));
}

void Packer::put(std::size_t place, std::span<const float> values, Element element) {
    put(place, toElement(values, element));
}

}  // namespace threefold::cuda::library
