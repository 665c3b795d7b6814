#include "engine/model/weight_file.h"

#include <memory>
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
WeightFile arrayWeights(std::string format, Safetensors content, std::string hash) {
    WeightFile file;
    file.format = std::move(format);
    file.metadata = std::move(content.metadata);
    for (const auto& [name, array] : content.arrays)
        file.entries.emplace(name, entryOf(array.dtype, array.shape));
    file.read = [arrays = std::move(content.arrays)](const std::string& name) {
        return arrays.at(name);
    };
    file.hash = [hash = std::move(hash)] { return hash; };
    return file;
}

WeightFile torchWeights(const std::filesystem::path& path) {
    const auto mapped = std::make_shared<const MappedFile>(path);
    const auto archive = std::make_shared<TorchArchive>(mapped->bytes(), path);
    WeightFile file;
    file.format = "PyTorch archive";
    for (const auto& [name, tensor] : archive->tensors()) {
        WeightEntry entry{tensor.storageType, tensor.dtype, tensor.shape};
        if (entry.dtype) entry.type = dtypeName(*entry.dtype);
        file.entries.emplace(name, std::move(entry));
    }
    file.read = [mapped, archive](const std::string& name) { return archive->read(name); };
    file.hash = [mapped] { return sha256(mapped->bytes()); };
    return file;
}

WeightFile tensorFlowWeights(TensorBundleFiles files) {
    const auto bundle = std::make_shared<TensorBundle>(std::move(files));
    WeightFile file;
    file.format = "TensorFlow checkpoint";
    for (const auto& [name, entry] : bundle->index().entries) {
        WeightEntry weight{entry.type, entry.dtype, entry.shape};
        if (entry.slices > 0) {
            weight.dtype.reset();
            weight.type = fmt::format("{} in {} slices", entry.type, entry.slices);
        } else if (entry.dtype) {
            weight.type = dtypeName(*entry.dtype);
        }
        file.entries.emplace(name, std::move(weight));
    }
    file.read = [bundle](const std::string& name) { return bundle->read(name); };
    file.hash = [bundle] {
        std::string hashes = sha256(MappedFile(bundle->files().index).bytes()) + "\n";
        for (const auto& shard : bundle->files().shards)
            hashes += sha256(MappedFile(shard).bytes()) + "\n";
        return sha256(asBytes(hashes));
    };
    return file;
}

}  // namespace

WeightFile openWeights(const std::filesystem::path& path) {
    if (auto files = findTensorBundle(path)) return tensorFlowWeights(std::move(*files));
    MappedFile file(path);
    const auto hash = [&] { return sha256(file.bytes()); };
    // A table that is not named .index is a checkpoint of TensorFlow's V1 format, or is misnamed.
    if (looksLikeSortedTable(file.bytes())) {
        decodeTensorBundleIndex(file.bytes(), path);
        throw NotThisFormat({path.string(), "", "is a checkpoint's index under another name",
                             "Rename it to end in '.index', beside its data files."});
    }
    try {
        return arrayWeights("npz", {decodeNpz(file.bytes(), path), {}}, hash());
    } catch (const NotThisFormat&) {
    }
    try {
        return arrayWeights("safetensors", decodeSafetensors(file.bytes(), path), hash());
    } catch (const NotThisFormat&) {
    }
    try {
        return torchWeights(path);
    } catch (const NotThisFormat&) {
        throw NotThisFormat({path.string(), "",
                             "is neither an npz, a safetensors file, a PyTorch archive nor a "
                             "TensorFlow checkpoint",
                             "Give the published weights in one of these formats."});
    }
}

}  // namespace threefold
