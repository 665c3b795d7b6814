#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threefold {

enum class DType { f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean };

std::size_t dtypeSize(DType type);
std::string_view dtypeName(DType type);  ///< "f32", "i64", …

/// A dense array in C order with little-endian elements, whatever order the file had.
struct Array {
    DType dtype = DType::f32;
    std::vector<std::size_t> shape;  ///< empty: a scalar (one element)
    std::vector<std::byte> data;     ///< elementCount(*this) * dtypeSize(dtype) bytes

    /// Converts every element, whatever its type, to the nearest value of the new one. Throws
    /// InputError where none is near: a finite value beyond float's range; toInt64 of a fraction,
    /// of NaN, or beyond its range.
    std::vector<float> toFloat() const;
    std::vector<double> toDouble() const;
    std::vector<std::int64_t> toInt64() const;
};

std::size_t elementCount(const Array& array);
/// Bytes that an array of untrusted shape takes; nothing where that overflows.
std::optional<std::size_t> byteCount(DType type, const std::vector<std::size_t>& shape);
std::string shapeText(const std::vector<std::size_t>& shape);  ///< "[43, 192]"

/// Reverses the bytes of each element of `size` bytes.
void swapByteOrder(std::vector<std::byte>& data, std::size_t size);

/// Makes a C-order array from values. Throws InputError unless the shape holds that many.
Array makeArray(const std::vector<float>& values, std::vector<std::size_t> shape);
Array makeArray(const std::vector<std::int32_t>& values, std::vector<std::size_t> shape);

/// Named arrays, as an npz or a safetensors file holds them.
using ArrayMap = std::map<std::string, Array>;

}  // namespace threefold
