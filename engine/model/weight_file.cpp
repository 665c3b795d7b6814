#include "engine/model/weight_file.h"

#include <utility>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/sorted_table.h"
#include "engine/formats/tensors/tensor_bundle.h"

namespace threefold {
namespace {

WeightEntry entryOf(DType type, std::vector<std::size_t> shape) {
    return {std::string(dtypeName(type)), type, std::move(shape)};
}

/// npz and safetensors files hold only the weights, so they are read as a whole.
class ArrayWeights : public WeightFile {
  public:
    ArrayWeights(std::string format, Safetensors content, std::string hash)
        : format_(std::move(format)), content_(std::move(content)), hash_(std::move(hash)) {
        for (const auto& [name, array] : content_.arrays)
            entries_.emplace(name, entryOf(array.dtype, array.shape));
    }
    std::string format() const override { return format_; }
    const std::map<std::string, WeightEntry>& entries() const override { return entries_; }
    Array read(const std::string& name) override { return content_.arrays.at(name); }
    Metadata metadata() const override { return content_.metadata; }
    std::string hash() const override { return hash_; }

  private:
    std::string format_;
    Safetensors content_;
    std::string hash_;
    std::map<std::string, WeightEntry> entries_;
};

class TorchWeights : public WeightFile {
  public:
    TorchWeights(MappedFile file, const std::filesystem::path& path)
        : file_(std::move(file)), archive_(file_.bytes(), path) {
        for (const auto& [name, tensor] : archive_.tensors()) {
            WeightEntry entry{tensor.storageType, tensor.dtype, tensor.shape};
            if (entry.dtype) entry.type = dtypeName(*entry.dtype);
            entries_.emplace(name, std::move(entry));
        }
    }
    std::string format() const override { return "PyTorch archive"; }
    const std::map<std::string, WeightEntry>& entries() const override { return entries_; }
    Array read(const std::string& name) override { return archive_.read(name); }
    std::string hash() const override { return sha256(file_.bytes()); }

  private:
    MappedFile file_;
    TorchArchive archive_;
    std::map<std::string, WeightEntry> entries_;
};

class TensorFlowWeights : public WeightFile {
  public:
    explicit TensorFlowWeights(TensorBundleFiles files) : bundle_(std::move(files)) {
        for (const auto& [name, entry] : bundle_.index().entries) {
            WeightEntry weight{entry.type, entry.dtype, entry.shape};
            if (entry.slices > 0) {
                weight.dtype.reset();
                weight.type = fmt::format("{} in {} slices", entry.type, entry.slices);
            } else if (entry.dtype) {
                weight.type = dtypeName(*entry.dtype);
            }
            entries_.emplace(name, std::move(weight));
        }
    }
    std::string format() const override { return "TensorFlow checkpoint"; }
    const std::map<std::string, WeightEntry>& entries() const override { return entries_; }
    Array read(const std::string& name) override { return bundle_.read(name); }
    std::string hash() const override {
        std::string hashes = sha256(MappedFile(bundle_.files().index).bytes()) + "\n";
        for (const auto& shard : bundle_.files().shards)
            hashes += sha256(MappedFile(shard).bytes()) + "\n";
        return sha256(asBytes(hashes));
    }

  private:
    TensorBundle bundle_;
    std::map<std::string, WeightEntry> entries_;
};

}  // namespace

std::unique_ptr<WeightFile> openWeights(const std::filesystem::path& path) {
    if (auto files = findTensorBundle(path))
        return std::make_unique<TensorFlowWeights>(std::move(*files));
    MappedFile file(path);
    const auto hash = [&] { return sha256(file.bytes()); };
    // A table that is not named .index is a checkpoint of TensorFlow's V1 format, or is misnamed.
    if (looksLikeSortedTable(file.bytes())) {
        decodeTensorBundleIndex(file.bytes(), path);
        throw NotThisFormat({path.string(), "", "is a checkpoint's index under another name",
                             "Rename it to end in '.index', beside its data files."});
    }
    try {
        return std::make_unique<ArrayWeights>("npz", Safetensors{decodeNpz(file.bytes(), path), {}},
                                              hash());
    } catch (const NotThisFormat&) {
    }
    try {
        return std::make_unique<ArrayWeights>("safetensors", decodeSafetensors(file.bytes(), path),
                                              hash());
    } catch (const NotThisFormat&) {
    }
    try {
        return std::make_unique<TorchWeights>(MappedFile(path), path);
    } catch (const NotThisFormat&) {
        throw NotThisFormat({path.string(), "",
                             "is neither an npz, a safetensors file, a PyTorch archive nor a "
                             "TensorFlow checkpoint",
                             "Give the published weights in one of these formats."});
    }
}

}  // namespace threefold
