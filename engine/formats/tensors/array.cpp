#include "engine/formats/tensors/array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/gtc/packing.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

struct Half {
    std::uint16_t bits;
    operator float() const { return halfToFloat(bits); }
};
struct BFloat16 {
    std::uint16_t bits;
    operator float() const { return bfloat16ToFloat(bits); }
};

/// The C++ types of elements, in the order of DType.
using Elements =
    std::tuple<Half, BFloat16, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t>;
static_assert(std::tuple_size_v<Elements> == std::size(kDTypes));

/// Calls `use` with a default value of the element type.
template <typename Use>
void withElementType(DType type, Use use) {
    std::size_t index = 0;
    const auto useType = [&](auto... elements) {
        ((index++ == static_cast<std::size_t>(type) ? use(elements) : void()), ...);
    };
    std::apply(useType, Elements{});
}

[[noreturn]] void failAtElement(std::size_t index, double value, std::string_view target) {
    throw InputError({"array", fmt::format("element {}", index),
                      fmt::format("{} cannot be held as {}", value, target),
                      "Check that the file holds what its name says."});
}

template <typename To, typename From>
To converted(From value, std::size_t index) {
    if constexpr (std::is_same_v<To, std::int64_t> && std::is_integral_v<From>) {
        if constexpr (std::is_same_v<From, std::uint64_t>)
            if (value > static_cast<From>(std::numeric_limits<std::int64_t>::max()))
                failAtElement(index, static_cast<double>(value), "i64");
        return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_same_v<To, std::int64_t>) {
        const double wide = static_cast<double>(value);
        // 2^63 itself is a double and the first that does not fit; NaN fails every comparison.
        if (!(wide >= -0x1p63 && wide < 0x1p63) || wide != std::trunc(wide))
            failAtElement(index, wide, "i64");
        return static_cast<std::int64_t>(wide);
    } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
        // Conversion of a double beyond float's range is undefined.
        if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max())
            failAtElement(index, value, "f32");
        return static_cast<float>(value);
    } else {
        return static_cast<To>(value);
    }
}

template <typename To>
std::vector<To> convertAll(const Array& array) {
    std::vector<To> values(elementCount(array));
    withElementType(array.dtype, [&](auto element) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::memcpy(&element, array.data.data() + i * sizeof(element), sizeof(element));
            values[i] = converted<To>(element, i);
        }
    });
    return values;
}

template <typename T>
Array fromValues(DType type, const std::vector<T>& values, std::vector<std::size_t> shape) {
    if (byteCount(type, shape) != values.size() * sizeof(T))
        throw InputError(
            {"array", "",
             fmt::format("{} values were given for the shape {}", values.size(), shapeText(shape)),
             "Give as many values as the shape holds."});
    const auto bytes = std::as_bytes(std::span(values));
    return {type, std::move(shape), {bytes.begin(), bytes.end()}};
}

}  // namespace

std::vector<float> Array::toFloat() const {
    return convertAll<float>(*this);
}
std::vector<double> Array::toDouble() const {
    return convertAll<double>(*this);
}
std::vector<std::int64_t> Array::toInt64() const {
    return convertAll<std::int64_t>(*this);
}

std::size_t elementCount(const Array& array) {
    std::size_t count = 1;
    for (const std::size_t extent : array.shape) count *= extent;
    return count;
}

std::optional<std::size_t> byteCount(DType type, const std::vector<std::size_t>& shape) {
    std::size_t count = dtypeSize(type);
    for (const std::size_t extent : shape)
        if (__builtin_mul_overflow(count, extent, &count)) return std::nullopt;
    return count;
}

void swapByteOrder(std::vector<std::byte>& data, std::size_t size) {
    if (size < 2) return;
    for (std::size_t i = 0; i + size <= data.size(); i += size) {
        const auto element = data.begin() + static_cast<std::ptrdiff_t>(i);
        std::reverse(element, element + static_cast<std::ptrdiff_t>(size));
    }
}

void gather(std::span<const std::byte> source, std::size_t elementOffset,
            std::span<const std::size_t> strides, Array& array) {
    const std::size_t size = dtypeSize(array.dtype);
    std::vector<std::size_t> index(array.shape.size());
    for (std::size_t out = 0; out < array.data.size(); out += size) {
        std::memcpy(array.data.data() + out, source.data() + elementOffset * size, size);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            elementOffset += strides[axis];
            if (++index[axis] < array.shape[axis]) break;
            elementOffset -= strides[axis] * array.shape[axis];
            index[axis] = 0;
        }
    }
}

std::string shapeText(const std::vector<std::size_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

Array makeArray(const std::vector<float>& values, std::vector<std::size_t> shape) {
    return fromValues(DType::f32, values, std::move(shape));
}

Array makeArray(const std::vector<std::int32_t>& values, std::vector<std::size_t> shape) {
    return fromValues(DType::i32, values, std::move(shape));
}

float halfToFloat(std::uint16_t bits) {
    return glm::unpackHalf1x16(bits);
}

std::uint16_t floatToHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    constexpr std::uint32_t kInfinity = 0x7f800000u;
    constexpr std::uint32_t kMinNormal = (127 - 14) << 23;
    if (magnitude > kInfinity) return sign | 0x7e00u;
    if (magnitude < kMinNormal) {
        // Subnormal: in units of 2^-24, rounded by the processor in its default mode.
        const float scaled = std::nearbyint(std::ldexp(std::bit_cast<float>(magnitude), 24));
        return sign | static_cast<std::uint16_t>(scaled);
    }
    // Rounds to nearest, ties to even: adds half a unit, less 1 where a tie must round down. The
    // carry reaches the exponent if needed.
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    const std::uint32_t half = (rounded - ((127 - 15) << 23)) >> 13;
    return sign | static_cast<std::uint16_t>(half < 0x7c00u ? half : 0x7c00u);
}

float bfloat16ToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace threefold
