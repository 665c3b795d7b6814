#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/files/mapped_file.h"
#include "engine/formats/tensors/array.h"

namespace threefold {

/// The `.index` file of a TensorFlow V2 checkpoint (METHOD.md §10).
struct TensorBundleIndex {
    /// Declaration of one tensor.
    struct Entry {
        std::string type;            ///< TensorFlow's name: "float", "string"
        std::optional<DType> dtype;  ///< empty: a type that `Array` lacks
        std::vector<std::size_t> shape;
        std::uint32_t shard = 0;
        std::uint64_t offset = 0;    ///< within the shard
        std::uint64_t size = 0;      ///< in bytes
        std::uint32_t checksum = 0;  ///< masked crc32c of the tensor's bytes
        std::size_t slices = 0;      ///< of a partitioned variable, which is not supported; else 0
    };
    std::map<std::string, Entry> entries;
    std::uint32_t shardCount = 0;
    bool isBigEndian = false;
};

/// Decodes a `.index` file: a table of blocks, plain or snappy, each with its checksum. Safe for
/// untrusted bytes: sizes are checked before memory is taken, and memory stays within 16 × the
/// file's size + 64 MB. Throws NotThisFormat; FormatError if the file is damaged, or for
/// TensorFlow's V1 format, with the remedy.
TensorBundleIndex decodeTensorBundleIndex(std::span<const std::byte> bytes,
                                          const std::filesystem::path& subject);

/// Reads a `.index` file. Throws IoError, and as decodeTensorBundleIndex().
TensorBundleIndex readTensorBundleIndex(const std::filesystem::path& file);

/// Decodes one tensor from its shard's bytes and verifies its checksum. Throws FormatError if the
/// shard is too short or damaged, or if the tensor is sliced or of an unsupported type.
Array decodeTensorBundleEntry(const TensorBundleIndex& index, const std::string& name,
                              std::span<const std::byte> shard,
                              const std::filesystem::path& shardSubject);

/// The files of one checkpoint.
struct TensorBundleFiles {
    std::filesystem::path index;
    std::vector<std::filesystem::path> shards;  ///< in order; they need not exist
};

/// Finds a checkpoint by any of its names: its `.index`, one of its `.data-NNNNN-of-NNNNN`, the
/// name without these endings, or a folder (the newest checkpoint that its file `checkpoint` names,
/// or its only one). nullopt for other paths. Throws InputError if a folder holds several
/// checkpoints and names none; else as readTensorBundleIndex().
std::optional<TensorBundleFiles> findTensorBundle(const std::filesystem::path& path);

/// Opened checkpoint: the index is read, the shards are mapped, tensors are read on request.
class TensorBundle {
  public:
    /// Throws IoError (a shard is missing), NotThisFormat, FormatError.
    explicit TensorBundle(TensorBundleFiles files);

    const TensorBundleIndex& index() const { return index_; }
    const TensorBundleFiles& files() const { return files_; }
    Array read(
        const std::string& name) const;  ///< Throws IoError, and as decodeTensorBundleEntry().

  private:
    TensorBundleFiles files_;
    TensorBundleIndex index_;
    std::vector<MappedFile> shards_;
};

}  // namespace threefold
