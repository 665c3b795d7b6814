#include "engine/model/weight_file.h"

#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/sorted_table.h"
#include "engine/formats/tensors/tensor_bundle.h"

namespace threefold {
namespace {

WeightEntry entryOf(DType type, std::vector<std::size_t> shape) {
    return {std::string(dtypeName(type)), type, std::move(shape)};
}

/// An npz or safetensors file, read completely because it has only weights.
class ArrayWeights final : public WeightFile {
  public:
    ArrayWeights(std::string fileFormat, Safetensors content, std::string fileHash)
        : arrays_(std::move(content.arrays)), hash_(std::move(fileHash)) {
        format = std::move(fileFormat);
        metadata = std::move(content.metadata);
        for (const auto& [name, array] : arrays_)
            entries.emplace(name, entryOf(array.dtype, array.shape));
    }
    Array read(const std::string& name) const override { return arrays_.at(name); }
    std::string hash() const override { return hash_; }

  private:
    ArrayMap arrays_;
    std::string hash_;
};

class TorchWeights final : public WeightFile {
  public:
    explicit TorchWeights(const std::filesystem::path& path)
        : file_(path), archive_(file_.decode([&](auto bytes) {
              return std::make_unique<TorchArchive>(bytes, path);
          })) {
        format = "PyTorch archive";
        for (const auto& [name, tensor] : archive_->tensors()) {
            WeightEntry entry{tensor.storageType, tensor.dtype, tensor.shape};
            if (entry.dtype) entry.type = dtypeName(*entry.dtype);
            entries.emplace(name, std::move(entry));
        }
    }
    Array read(const std::string& name) const override {
        return file_.decode([&](auto) { return archive_->read(name); });
    }
    std::string hash() const override { return file_.decode(sha256); }

  private:
    MappedFile file_;
    std::unique_ptr<TorchArchive> archive_;
};

class TensorFlowWeights final : public WeightFile {
  public:
    explicit TensorFlowWeights(TensorBundleFiles files)
        : bundle_(std::make_unique<TensorBundle>(std::move(files))) {
        format = "TensorFlow checkpoint";
        for (const auto& [name, entry] : bundle_->index().entries) {
            WeightEntry weight{entry.type, entry.dtype, entry.shape};
            if (entry.slices > 0) {
                weight.dtype.reset();
                weight.type = fmt::format("{} in {} slices", entry.type, entry.slices);
            } else if (entry.dtype) {
                weight.type = dtypeName(*entry.dtype);
            }
            entries.emplace(name, std::move(weight));
        }
    }
    Array read(const std::string& name) const override { return bundle_->read(name); }
    std::string hash() const override {
        std::string hashes = MappedFile(bundle_->files().index).decode(sha256) + "\n";
        for (const auto& shard : bundle_->files().shards)
            hashes += MappedFile(shard).decode(sha256) + "\n";
        return sha256(asBytes(hashes));
    }

  private:
    std::unique_ptr<TensorBundle> bundle_;
};

}  // namespace

std::unique_ptr<const WeightFile> openWeights(const std::filesystem::path& path) {
    if (auto files = findTensorBundle(path))
        return std::make_unique<TensorFlowWeights>(std::move(*files));
    MappedFile file(path);
    const auto hash = [&] { return file.decode(sha256); };
    // A table whose name does not end in .index is a checkpoint of TensorFlow's V1 format, or an
    // index under a wrong name.
    if (looksLikeSortedTable(file.bytes())) {
        file.decode([&](auto bytes) { return decodeTensorBundleIndex(bytes, path); });
        throw NotThisFormat({path.string(), "", "is a checkpoint's index under another name",
                             "Rename it to end in '.index', beside its data files."});
    }
    try {
        // The file is decoded before the hash is computed, as it may be no npz.
        ArrayMap arrays = file.decode([&](auto bytes) { return decodeNpz(bytes, path); });
        return std::make_unique<ArrayWeights>("npz", Safetensors{std::move(arrays), {}}, hash());
    } catch (const NotThisFormat&) {
    }
    try {
        auto tensors = file.decode([&](auto bytes) { return decodeSafetensors(bytes, path); });
        return std::make_unique<ArrayWeights>("safetensors", std::move(tensors), hash());
    } catch (const NotThisFormat&) {
    }
    try {
        return std::make_unique<TorchWeights>(path);
    } catch (const NotThisFormat&) {
        throw NotThisFormat({path.string(), "",
                             "is neither an npz, a safetensors file, a PyTorch archive nor a "
                             "TensorFlow checkpoint",
                             "Give the published weights in one of these formats."});
    }
}

}  // namespace threefold
