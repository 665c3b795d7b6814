#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/safetensors.h"

namespace threefold {

/// Type and shape of one tensor in a weight file.
struct WeightEntry {
    std::string type;            ///< "f32"; the file's own type name where `dtype` is empty
    std::optional<DType> dtype;  ///< empty where `Array` does not support the type
    std::vector<std::size_t> shape;
};

/// An opened file of named tensors, whatever its format. Tensors are read on demand, so that
/// an optimiser's tensors in a checkpoint cost nothing.
struct WeightFile {
    std::string format;  ///< for display: "npz", "safetensors", "PyTorch archive", …
    std::map<std::string, WeightEntry> entries;
    /// A tensor of `entries` that has a dtype. Throws FormatError, IoError.
    std::function<Array(const std::string& name)> read;
    /// SHA-256 of the file. For a checkpoint: SHA-256 of the text "hash\nhash\n…", the SHA-256 of
    /// its index and of each data file in order.
    std::function<std::string()> hash;
    Metadata metadata = {};  ///< of a safetensors file; empty for all others
};

/// Opens an npz, a safetensors file, a PyTorch archive, or a TensorFlow checkpoint by any of the
/// names that findTensorBundle takes. Throws IoError, NotThisFormat (none of these), FormatError,
/// InputError (a folder of several checkpoints).
WeightFile openWeights(const std::filesystem::path& path);

}  // namespace threefold
