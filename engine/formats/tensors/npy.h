#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"

/// Arrays of numpy: their types, layouts, and `.npy` files.
namespace threefold {

/// Element type with numpy's byte order.
struct NumpyType {
    DType dtype = DType::i8;
    bool isBigEndian = false;
};

/// Parses "<f4", "|b1", "i8", "=u2" …; nullopt for types that `Array` lacks (text, objects,
/// records, complex numbers, dates).
std::optional<NumpyType> parseNumpyType(std::string_view text);

/// Layout of the elements in a file's bytes.
struct NumpyLayout {
    NumpyType type;
    std::vector<std::size_t> shape;  ///< of the array in numpy
    /// Axes of `shape` in the order from slowest to fastest in memory: 0, 1, … for C order,
    /// reversed for Fortran order. Must be a permutation.
    std::vector<std::size_t> axisOrder;

    static NumpyLayout of(NumpyType type, std::vector<std::size_t> shape, bool fortran = false);
};

/// Converts to C order, little-endian; nullopt unless `bytes` holds exactly the elements.
std::optional<Array> arrayFromNumpy(const NumpyLayout& layout, std::span<const std::byte> bytes);

/// Decodes a `.npy` file (versions 1 to 3; f2 f4 f8, signed and unsigned integers, bool; both byte
/// orders; C or Fortran order). Safe for untrusted bytes. Throws NotThisFormat, FormatError.
Array decodeNpy(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// The header of a `.npy` file.
struct NpyHeader {
    std::string descr;              ///< the type as numpy spells it: "<f4", "<U5", "[('a', '<f4')]"
    std::optional<NumpyType> type;  ///< nullopt: text, objects, records …, which Array cannot hold
    bool isFortranOrder = false;
    std::vector<std::size_t> shape;
    std::size_t dataOffset = 0;  ///< of the first element, in bytes
};

/// Decodes the header alone; `bytes` may end anywhere after it. Throws as decodeNpy().
NpyHeader decodeNpyHeader(std::span<const std::byte> bytes, const std::filesystem::path& subject);

}  // namespace threefold
