#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/tensor_bundle.h"

namespace threefold::test {

inline ArrayMap readNpz(const std::filesystem::path& file) {
    return decodeNpz(MappedFile(file).bytes(), file);
}

/// Decodes all tensors of a PyTorch archive, storage by storage.
inline ArrayMap decodeTorchArchive(std::span<const std::byte> bytes,
                                   const std::filesystem::path& subject) {
    TorchArchive archive(bytes, subject);
    std::vector<std::pair<std::string, std::string>> order;
    for (const auto& [name, tensor] : archive.tensors())
        order.emplace_back(tensor.storageKey, name);
    std::sort(order.begin(), order.end());
    ArrayMap arrays;
    for (const auto& [storage, name] : order) arrays.emplace(name, archive.read(name));
    return arrays;
}

/// Decodes all numeric tensors of a TensorFlow checkpoint, except tensors stored in slices. Throws
/// FormatError also if the number of data files is wrong, or if tensors overlap and would need more
/// memory than the files have bytes.
inline ArrayMap decodeTensorBundle(std::span<const std::byte> index,
                                   std::span<const std::span<const std::byte>> shards,
                                   const std::filesystem::path& subject) {
    const TensorBundleIndex table = decodeTensorBundleIndex(index, subject);
    const auto fail = [&](const std::string& problem) {
        throw FormatError({subject.string(), "", problem, "Copy all files of the checkpoint."});
    };
    if (shards.size() != table.shardCount)
        fail("has " + std::to_string(table.shardCount) + " data files, " +
             std::to_string(shards.size()) + " are there");
    std::uint64_t available = 0, declared = 0;
    for (const auto& shard : shards) available += shard.size();
    ArrayMap arrays;
    for (const auto& [name, entry] : table.entries) {
        if (!entry.dtype || entry.slices > 0) continue;
        if (entry.size > available - declared)
            fail("tensors declare more bytes than the data files have");
        declared += entry.size;
        arrays.emplace(name, decodeTensorBundleEntry(table, name, shards[entry.shard], subject));
    }
    return arrays;
}

}  // namespace threefold::test
