#pragma once

#include <filesystem>
#include <map>
#include <memory>
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
class WeightFile {
  public:
    WeightFile() = default;
    WeightFile(const WeightFile&) = delete;
    WeightFile& operator=(const WeightFile&) = delete;
    virtual ~WeightFile() = default;

    /// For people: "npz", "safetensors", "PyTorch archive", "TensorFlow checkpoint".
    virtual std::string format() const = 0;
    virtual const std::map<std::string, WeightEntry>& entries() const = 0;
    /// A tensor of entries() that has a dtype. Throws FormatError, IoError.
    virtual Array read(const std::string& name) = 0;
    /// Of a safetensors file; empty for all others.
    virtual Metadata metadata() const { return {}; }
    /// SHA-256 of the file. For a checkpoint: SHA-256 of the text "hash\nhash\n…", the SHA-256 of
    /// its index and of each data file in order.
    virtual std::string hash() const = 0;
};

/// Opens an npz, a safetensors file, a PyTorch archive, or a TensorFlow checkpoint by any of the
/// names that findTensorBundle takes. Throws IoError, NotThisFormat (none of these), FormatError,
/// InputError (a folder of several checkpoints).
std::unique_ptr<WeightFile> openWeights(const std::filesystem::path& path);

}  // namespace threefold
