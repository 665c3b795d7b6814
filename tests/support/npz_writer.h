#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/array.h"
#include "tests/support/zip_writer.h"

namespace threefold::test {

/// A .npy file as numpy.save writes it: version 1, C order. `descr`: dtype as a Python literal,
/// such as "'<U5'".
inline std::string npy(std::string_view descr, const std::vector<std::size_t>& extents,
                       std::string_view data) {
    std::string shape;
    for (const std::size_t extent : extents) shape += fmt::format("{}, ", extent);
    std::string header =
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}), }}", descr, shape);
    constexpr std::size_t kBefore = 10;
    header.append(63 - (kBefore + header.size()) % 64, ' ');
    header += '\n';
    const auto size = static_cast<std::uint16_t>(header.size());
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(size & 0xffU);
    bytes += static_cast<char>(size >> 8U);
    return bytes + header + std::string(data);
}

inline std::string npy(const Array& array) {
    const auto* const names = std::ranges::find(kDTypes, array.dtype, &DTypeInfo::type);
    if (names->numpy.empty()) throw std::invalid_argument("numpy has no such type");
    return npy(fmt::format("'<{}'", names->numpy), array.shape, asText(array.data));
}

/// A .npz file as numpy.savez writes it, or numpy.savez_compressed if `deflated`.
inline std::string npz(const ArrayMap& arrays, bool deflated = false) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (const auto& [name, array] : arrays) entries.emplace_back(name + ".npy", npy(array));
    return zipped(entries, deflated);
}

}  // namespace threefold::test
