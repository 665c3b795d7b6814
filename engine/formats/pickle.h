#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

    /// The value under a text (or bytes) key, the last one if there are several, or null.
    PickleRef find(std::string_view key) const;
};
/// scipy.sparse matrix or array (coo, csr, csc; SciPy's old and new way of storing them), as
/// coordinates in the file's order. All three lists have the same length and every index is within
/// the counts; entries at the same place add up.
struct PickleSparse {
    std::vector<std::int64_t> rows, columns;
    std::vector<double> values;
    std::size_t rowCount = 0, columnCount = 0;
};

/// One value of the closed subset of pickle that data files of this field use: plain Python values,
/// numpy arrays and scalars (an Array without axes), scipy sparse matrices. Nothing is ever called
/// or imported. Python 2's strings are text where they are ASCII, else bytes. Types as values (a
/// numpy dtype, a class of the list) become their names.
struct PickleValue {
    std::variant<PickleNone, bool, std::int64_t, double, std::string, PickleBytes, PickleSequence,
                 PickleDict, Array, PickleSparse>
        value;
};

/// Reads protocols 0 to 5 (METHOD.md §10 names the dialects met). Numpy arrays through
/// `numpy.core.multiarray._reconstruct` or `numpy._core…`, C or Fortran order, either byte order.
/// Safe for untrusted bytes: memory stays within 16 × the file's size + 64 MB, nesting is at most
/// 256 deep, values that contain themselves are refused. Bytes after the pickle's end are ignored,
/// as Python does. Throws as below where any of this is broken.
/// Throws NotThisFormat, FormatError (damaged at byte n; or "names the callable 'os.system'", which
/// is refused by name and never run).
PickleRef decodePickle(std::span<const std::byte> bytes, const std::filesystem::path& subject);
PickleRef readPickle(const std::filesystem::path& file);  ///< Throws IoError as well.

}  // namespace threefold
