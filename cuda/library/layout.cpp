#include "cuda/library/layout.h"

#include <cstdint>

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
    std::memcpy(bytes_.data() + begin, bytes.data(), bytes.size());
    return begin;
}

std::size_t Packer::add(std::span<const float> values, Element element) {
    return add(toElement(values, element));
}

std::vector<std::byte> Packer::take() {
    return std::move(bytes_);
}

}  // namespace threefold::cuda::library
