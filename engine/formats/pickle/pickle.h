#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/formats/tensors/array.h"

namespace threefold {

struct PickleValue;
using PickleRef = std::shared_ptr<const PickleValue>;

/// Python's None.
struct PickleNone {};
/// bytes or bytearray.
struct PickleBytes {
    std::string bytes;
};
/// list, tuple or set: no reader needs the difference.
struct PickleSequence {
    std::vector<PickleRef> items;
};
/// dict, in the order of the pickle.
struct PickleDict {
    std::vector<std::pair<PickleRef, PickleRef>> items;

    /// Value of a text (or bytes) key, the last one if there are several; null if there is none.
    PickleRef find(std::string_view key) const;
};
/// scipy.sparse matrix or array (coo, csr, csc; SciPy's old and new way of storing them), as
/// coordinates in the file's order. All three lists have the same length, every index is within the
/// counts; entries with the same coordinates add up.
struct PickleSparse {
    std::vector<std::int64_t> rows, columns;
    std::vector<double> values;
    std::size_t rowCount = 0, columnCount = 0;
};

/// View of a storage: a tensor of a PyTorch archive. Numbers are not negative; nothing
/// else is checked. Only decodeTorchPickle() makes tensors.
struct PickleTensor {
    std::string storageKey;               ///< name of the storage's file in the archive
    std::string storageType;              ///< "torch.FloatStorage"
    std::optional<DType> dtype;           ///< empty: a type that `Array` lacks
    std::size_t storageElementCount = 0;  ///< elements of the storage
    std::size_t offset = 0;               ///< of the first element in the storage, in elements
    std::vector<std::size_t> shape;       ///< as many as strides
    std::vector<std::size_t> strides;     ///< in elements
};

/// Value of the pickle subset for data files: plain Python values, numpy arrays and scalars (an
/// Array without axes), scipy sparse matrices. Decoding never calls or imports anything. Python 2
/// strings are text if ASCII, else bytes. A Python type becomes its name.
struct PickleValue {
    std::variant<PickleNone, bool, std::int64_t, double, std::string, PickleBytes, PickleSequence,
                 PickleDict, Array, PickleSparse, PickleTensor>
        value;
};

/// Decodes protocols 0 to 5 and numpy arrays in C or Fortran order and either byte order (METHOD.md
/// §10 names the dialects). Safe for untrusted bytes: memory stays within 16 × the file's size + 64
/// MB, nesting within 256; values that contain themselves are refused. Ignores bytes after the
/// pickle's end. Throws NotThisFormat; FormatError at the damaged byte, or for a callable that is
/// not supported ("names the callable 'os.system'"; it is never run).
PickleRef decodePickle(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Decodes the pickle in a PyTorch archive (torch_archive.h), which names storages instead of
/// holding them. Only this function accepts `torch._utils._rebuild_tensor_v2` and related
/// functions. Throws FormatError.
PickleRef decodeTorchPickle(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Encodes a tuple of numpy arrays (one array: the array itself) as Python 3's `pickle.dump(…,
/// protocol=2)` does: an array's bytes become a text for `_codecs.encode`, which Python 2 and 3
/// load without a named encoding. Throws InputError for bfloat16, which numpy lacks, for a side
/// above 2³¹ − 1, or for an array whose text exceeds 4 GiB.
std::string formatPickle(std::span<const Array> arrays);

}  // namespace threefold
