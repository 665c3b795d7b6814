#include <map>

#include <fmt/format.h>

#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/tensor_bundle.h"
#include "engine/model/weights.h"

namespace threefold {
namespace {

std::string sizeText(std::uintmax_t bytes) {
    constexpr double kMegabyte = 1e6;
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

/// One line for each of the method's stages whose published names are there.
void addPublished(const TensorBundleIndex& index, Description& description) {
    std::map<ModelStage, std::size_t> published;
    for (const auto& [name, entry] : index.entries)
        if (const auto found = parsePublishedName(name)) ++published[found->stage];
    for (const auto& [stage, count] : published)
        description.facts.emplace_back("published", fmt::format("{} weights of stage {}", count,
                                                                stage == ModelStage::one ? 1 : 2));
}

}  // namespace

Description describeTensorBundle(const std::filesystem::path& file, const InspectOptions& options) {
    const auto files = findTensorBundle(file);
    if (!files) throw NotThisFormat({file.string(), "", "is no TensorFlow checkpoint", ""});
    const MappedFile mapped(files->index);
    const TensorBundleIndex index = decodeTensorBundleIndex(mapped.bytes(), files->index);
    Description description{"TensorFlow checkpoint", {}, {}};
    auto& facts = description.facts;
    facts.emplace_back("index", files->index.string());
    facts.emplace_back("tensors", std::to_string(index.entries.size()));
    if (index.bigEndian) facts.emplace_back("byte order", "big-endian");
    addPublished(index, description);
    bool whole = true;
    for (const auto& shard : files->shards) {
        std::error_code failure;
        const std::uintmax_t size = std::filesystem::file_size(shard, failure);
        whole = whole && !failure;
        facts.emplace_back("data file", fmt::format("{}, {}", shard.filename().string(),
                                                    failure ? "missing" : sizeText(size)));
    }
    std::size_t bytes = 0;
    for (const auto& [name, entry] : index.entries) bytes += entry.size;
    const bool ranges = whole && wantsRanges(options, bytes, description);
    std::optional<TensorBundle> bundle;
    if (ranges) bundle.emplace(*files);
    for (const auto& [name, entry] : index.entries) {
        const bool readable = entry.dtype && entry.slices == 0;
        ArrayDescription array{
            name, entry.dtype ? std::string(dtypeName(*entry.dtype)) : entry.type, entry.shape, {}};
        if (entry.slices > 0) array.dtype += fmt::format(" in {} slices", entry.slices);
        if (ranges && readable) array = describeArray(name, bundle->read(name), true);
        description.arrays.push_back(std::move(array));
    }
    return description;
}

Description describeTorch(const std::filesystem::path& file, const InspectOptions& options) {
    const MappedFile mapped(file);
    TorchArchive archive(mapped.bytes(), file);
    Description description{"PyTorch archive", {}, {}};
    description.facts.emplace_back("tensors", std::to_string(archive.tensors().size()));
    std::size_t bytes = 0;
    for (const auto& [name, tensor] : archive.tensors())
        if (tensor.dtype) bytes += byteCount(*tensor.dtype, tensor.shape).value_or(0);
    const bool ranges = wantsRanges(options, bytes, description);
    for (const auto& [name, tensor] : archive.tensors()) {
        ArrayDescription array{
            name,
            tensor.dtype ? std::string(dtypeName(*tensor.dtype)) : tensor.storageType,
            tensor.shape,
            {}};
        if (ranges && tensor.dtype) array = describeArray(name, archive.read(name), true);
        description.arrays.push_back(std::move(array));
    }
    return description;
}

}  // namespace threefold
