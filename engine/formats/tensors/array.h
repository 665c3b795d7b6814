#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

/// Converts IEEE 754 binary16 bits to float: exact, subnormals and NaN included.
float halfToFloat(std::uint16_t bits);

/// Converts to the nearest binary16, ties to even; infinite beyond its range (65504), NaN for NaN.
std::uint16_t floatToHalf(float value);

/// Converts bfloat16 bits to float: exact.
float bfloat16ToFloat(std::uint16_t bits);

/// Type of an array's elements.
enum class DType { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

/// Names and size of an element type.
struct DTypeInfo {
    DType type;
    std::size_t size;  ///< bytes
    std::string_view name;
    std::string_view numpy;  ///< without the byte order; empty: numpy has no such type
    std::string_view safetensors;
};

inline constexpr DTypeInfo kDTypes[] = {
    {DType::f16, 2, "f16", "f2", "F16"},       {DType::bf16, 2, "bf16", "", "BF16"},
    {DType::f32, 4, "f32", "f4", "F32"},       {DType::f64, 8, "f64", "f8", "F64"},
    {DType::i8, 1, "i8", "i1", "I8"},          {DType::i16, 2, "i16", "i2", "I16"},
    {DType::i32, 4, "i32", "i4", "I32"},       {DType::i64, 8, "i64", "i8", "I64"},
    {DType::u8, 1, "u8", "u1", "U8"},          {DType::u16, 2, "u16", "u2", "U16"},
    {DType::u32, 4, "u32", "u4", "U32"},       {DType::u64, 8, "u64", "u8", "U64"},
    {DType::boolean, 1, "bool", "b1", "BOOL"},
};

/// Names and size of a type.
constexpr const DTypeInfo& infoOf(DType type) {
    return kDTypes[static_cast<std::size_t>(type)];
}
static_assert(
    [] {
        for (const DTypeInfo& info : kDTypes)
            if (&infoOf(info.type) != &info) return false;
        return true;
    }(),
    "kDTypes is in the order of DType");

/// Type whose `name` (&DTypeInfo::numpy …) is `text`; nullopt if there is no such type.
constexpr std::optional<DType> findDType(std::string_view DTypeInfo::*name, std::string_view text) {
    for (const DTypeInfo& names : kDTypes)
        if (!text.empty() && names.*name == text) return names.type;
    return std::nullopt;
}

/// Size of an element, bytes.
constexpr std::size_t dtypeSize(DType type) {
    return infoOf(type).size;
}
/// Name of a type in messages and tables: "f32".
constexpr std::string_view dtypeName(DType type) {
    return infoOf(type).name;
}

/// Dense array in C order with little-endian elements, whatever the order in the file.
struct Array {
    DType dtype = DType::f32;
    std::vector<std::size_t> shape;  ///< empty: a scalar (one element)
    std::vector<std::byte> data;     ///< elementCount(*this) * dtypeSize(dtype) bytes

    /// Convert every element of any type to the nearest value of the new type. Throw InputError if
    /// there is none: toFloat() for a finite value beyond float's range; toInt64() for a fraction,
    /// NaN, or a value beyond the range of 64-bit integers.
    std::vector<float> toFloat() const;
    std::vector<double> toDouble() const;
    std::vector<std::int64_t> toInt64() const;
};

/// Product of the shape: 1 for a scalar.
std::size_t elementCount(const Array& array);
/// Size in bytes of an array of untrusted shape; nullopt if the size overflows.
std::optional<std::size_t> byteCount(DType type, const std::vector<std::size_t>& shape);
std::string shapeText(const std::vector<std::size_t>& shape);  ///< "[43, 192]"

/// Reverses the bytes of each element of `size` bytes.
void swapByteOrder(std::vector<std::byte>& data, std::size_t size);

/// Fills `array`, whose shape and size of data are set, with elements of `source`: the first at
/// element `elementOffset`, `strides` elements between neighbours on each axis. All must lie within
/// `source`.
void gather(std::span<const std::byte> source, std::size_t elementOffset,
            std::span<const std::size_t> strides, Array& array);

/// Makes a C-order array. Throws InputError unless the shape holds as many values.
Array makeArray(const std::vector<float>& values, std::vector<std::size_t> shape);
Array makeArray(const std::vector<std::int32_t>& values, std::vector<std::size_t> shape);

/// Named arrays, as an npz or a safetensors file holds them.
using ArrayMap = std::map<std::string, Array>;

}  // namespace threefold
