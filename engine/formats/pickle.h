#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/formats/array.h"

namespace threefold {

struct PickleValue;
using PickleRef = std::shared_ptr<const PickleValue>;

struct PickleNone {};
struct PickleBytes {
    std::string bytes;
};
/// list, tuple or set: the difference does not matter to any reader here.
struct PickleSequence {
    std::vector<PickleRef> items;
};
struct PickleDict {
    std::vector<std::pair<PickleRef, PickleRef>> items;

    /// The value under a text (or bytes) key, or null.
    PickleRef find(std::string_view key) const;
};
/// scipy.sparse matrix in any of its formats, as coordinates.
struct PickleSparse {
    std::vector<std::int64_t> rows, columns;
    std::vector<double> values;
    std::size_t rowCount = 0, columnCount = 0;
};

/// One value of the closed subset of pickle that data files of this field use: plain Python values,
/// numpy arrays and scalars, scipy sparse matrices. Nothing is ever called or imported.
struct PickleValue {
    std::variant<PickleNone, bool, std::int64_t, double, std::string, PickleBytes, PickleSequence,
                 PickleDict, Array, PickleSparse>
        value;
};

/// Reads protocols 0 to 5 (METHOD.md §10 names the dialects met). Numpy arrays through
/// `numpy.core.multiarray._reconstruct` or `numpy._core…`, C or Fortran order, either byte order.
/// Safe for untrusted bytes: memory stays within 16 × the file's size + 64 MB, nesting is bounded.
/// Throws NotThisFormat, FormatError (damaged at byte n; or "names the callable 'os.system'", which
/// is refused by name and never run).
PickleRef decodePickle(std::span<const std::byte> bytes, const std::filesystem::path& subject);
PickleRef readPickle(const std::filesystem::path& file);  ///< Throws IoError as well.

}  // namespace threefold
