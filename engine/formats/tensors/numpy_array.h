#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/formats/tensors/array.h"

namespace threefold {

/// An element type as numpy spells it.
struct NumpyType {
    DType dtype = DType::i8;
    bool bigEndian = false;
};

/// Reads "<f4", "|b1", "i8", "=u2" …; nothing for types that `Array` does not know (text, objects,
/// records, complex numbers, dates).
std::optional<NumpyType> parseNumpyType(std::string_view text);

/// How the elements lie in a file's bytes.
struct NumpyLayout {
    NumpyType type;
    std::vector<std::size_t> shape;  ///< of the array as its user sees it
    /// The user's axes in the order from slowest to fastest in memory: 0, 1, … for C order,
    /// reversed for Fortran order. Must be a permutation of the shape's axes.
    std::vector<std::size_t> axes;

    static NumpyLayout cOrder(NumpyType type, std::vector<std::size_t> shape);
    static NumpyLayout fortranOrder(NumpyType type, std::vector<std::size_t> shape);
};

/// The array in C order, little-endian; nothing unless `bytes` holds exactly its elements.
std::optional<Array> arrayFromNumpy(const NumpyLayout& layout, std::span<const std::byte> bytes);

}  // namespace threefold
