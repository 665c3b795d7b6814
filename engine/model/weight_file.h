#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/safetensors.h"

namespace threefold {

/// Type and shape of a tensor in a weight file.
struct WeightEntry {
    std::string type;            ///< "f32"; if `dtype` is empty, the file's own type name
    std::optional<DType> dtype;  ///< empty for unsupported types and for tensors in slices
    std::vector<std::size_t> shape;
};

/// An opened file of named tensors, in any supported format. Tensors of a PyTorch archive or a
/// TensorFlow checkpoint are read on demand, so an optimiser's tensors cost nothing; other files
/// are read completely.
class WeightFile {
  public:
    WeightFile() = default;
    WeightFile(const WeightFile&) = delete;
    WeightFile& operator=(const WeightFile&) = delete;
    virtual ~WeightFile() = default;

    /// Reads a tensor of `entries` that has a dtype. Throws FormatError, IoError.
    virtual Array read(const std::string& name) const = 0;
    /// SHA-256 of the file. For a checkpoint: SHA-256 of the text "hash\nhash\n…" with the SHA-256
    /// of the index and of each data file in order.
    virtual std::string hash() const = 0;

    std::string format;  ///< for display: "npz", "safetensors", "PyTorch archive", …
    std::map<std::string, WeightEntry> entries;
    Metadata metadata;  ///< from a safetensors file; empty for others
};

/// Opens an npz, a safetensors file, a PyTorch archive, or a TensorFlow checkpoint by any name that
/// findTensorBundle accepts. Throws IoError, NotThisFormat (another format), FormatError,
/// InputError (a folder with several checkpoints).
std::unique_ptr<const WeightFile> openWeights(const std::filesystem::path& path);

}  // namespace threefold
