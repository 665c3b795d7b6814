#include <map>

#include <fmt/format.h>

#include "app/convert/self_test.h"
#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/tensors/tensor_bundle.h"
#include "engine/model/model.h"
#include "engine/model/published_names.h"

namespace threefold {
namespace {

/// Copies one tensor out of the mapped file. Only the tensor's pages are read from the disk.
Array tensorOf(const MappedFile& file, std::size_t dataOffset,
               const SafetensorsHeader::Entry& entry) {
    return file.decode([&](auto all) {
        const auto bytes = all.subspan(dataOffset + entry.begin, entry.end - entry.begin);
        return Array{entry.dtype, entry.shape, {bytes.begin(), bytes.end()}};
    });
}

/// Names the contents of a numpy type that Array does not support.
std::string unsupportedTypeText(const std::string& descr) {
    if (descr.starts_with('[')) return "records";
    if (descr.find_first_of("USa") != descr.npos) return "text " + descr;
    return descr.find('O') != descr.npos ? "objects" : descr;
}

ArrayDescription describeHeader(std::string name, const NpyHeader& header) {
    return {std::move(name),
            header.type ? std::string(dtypeName(header.type->dtype))
                        : unsupportedTypeText(header.descr),
            header.shape};
}

std::size_t arrayBytes(const NpyHeader& header) {
    return header.type ? byteCount(header.type->dtype, header.shape).value_or(0) : 0;
}

/// Adds an array; computes its range from `read` if requested.
void addArray(Description& description, ArrayDescription array, bool withRange, const auto& read) {
    if (withRange) array = describeArray(array.name, read(), true);
    description.arrays.push_back(std::move(array));
}

/// If the file is a model, adds how far each hypothesis block moves the vertices of the first
/// bundled sample.
void addBlockMovements(const std::filesystem::path& file, const SafetensorsHeader& header,
                       Description& description) {
    const auto format = header.metadata.find("format");
    if (format == header.metadata.end() || format->second != kModelFormat) return;
    try {
        for (const std::string& line : movementText(blockMovements(loadModel(file))))
            description.addFact("blocks", "{}", line);
    } catch (const Error& error) {
        description.addFact("not usable", "{}", error.what());
    }
}

/// Adds a line for each stage that has tensors with published names.
void addPublished(const TensorBundleIndex& index, Description& description) {
    std::map<NetworkStage, std::size_t> published;
    for (const auto& [name, entry] : index.entries)
        if (const auto tensorName = parsePublishedName(name)) ++published[tensorName->stage];
    for (const auto& [stage, count] : published)
        description.addFact("published names", "{} weights of stage {}", count,
                            stage == NetworkStage::stage1 ? 1 : 2);
}

}  // namespace

Description describeSafetensors(const std::filesystem::path& file, RangeSelection requested) {
    const SafetensorsHeader header = readSafetensorsHeader(file);
    Description description{"safetensors", {}, {}};
    description.addFact("tensors", "{}", header.entries.size());
    description.entries.assign(header.metadata.begin(), header.metadata.end());
    const MappedFile mapped(file);
    description.addFact("SHA-256", "{}", mapped.decode(sha256));
    addBlockMovements(file, header, description);
    const bool ranges =
        shouldComputeRanges(requested, mapped.bytes().size() - header.dataOffset, description);
    for (const auto& [name, entry] : header.entries)
        addArray(description, {name, std::string(dtypeName(entry.dtype)), entry.shape}, ranges,
                 [&, &entry = entry] { return tensorOf(mapped, header.dataOffset, entry); });
    return description;
}

Description describeNpz(const std::filesystem::path& file, RangeSelection requested) {
    const MappedFile mapped(file);
    const auto headers = mapped.decode([&](auto all) { return decodeNpzHeaders(all, file); });
    Description description{"npz", {}, {}};
    description.addFact("arrays", "{}", headers.size());
    std::size_t bytes = 0;
    for (const auto& [name, header] : headers) bytes += arrayBytes(header);
    ArrayMap arrays;
    if (shouldComputeRanges(requested, bytes, description))
        arrays = mapped.decode([&](auto all) { return decodeNpz(all, file); });
    for (const auto& [name, header] : headers) {
        const auto array = arrays.find(name);
        description.arrays.push_back(array == arrays.end()
                                         ? describeHeader(name, header)
                                         : describeArray(name, array->second, true));
    }
    return description;
}

Description describeNpy(const std::filesystem::path& file, RangeSelection requested) {
    const MappedFile mapped(file);
    const NpyHeader header = mapped.decode([&](auto all) { return decodeNpyHeader(all, file); });
    Description description{"npy", {}, {}};
    const bool ranges = shouldComputeRanges(requested, arrayBytes(header), description);
    const std::size_t available = mapped.bytes().size() - header.dataOffset;
    if (header.type && (ranges || arrayBytes(header) != available))
        description.arrays.push_back(describeArray(
            "array", mapped.decode([&](auto all) { return decodeNpy(all, file); }), ranges));
    else
        description.arrays.push_back(describeHeader("array", header));
    return description;
}

Description describeTensorBundle(const std::filesystem::path& file, RangeSelection requested) {
    const auto files = findTensorBundle(file);
    if (!files) throw NotThisFormat({file.string(), "", "is no TensorFlow checkpoint", ""});
    const TensorBundleIndex index = readTensorBundleIndex(files->index);
    Description description{"TensorFlow checkpoint", {}, {}};
    description.addFact("index", "{}", files->index.string());
    description.addFact("tensors", "{}", index.entries.size());
    if (index.isBigEndian) description.addFact("byte order", "big-endian");
    addPublished(index, description);
    bool complete = true;
    for (const auto& shard : files->shards) {
        std::error_code failure;
        const std::uintmax_t size = std::filesystem::file_size(shard, failure);
        complete = complete && !failure;
        description.addFact(
            "data file", "{}, {}", shard.filename().string(),
            failure ? "missing" : fmt::format("{:.1f} MB", static_cast<double>(size) / 1e6));
    }
    std::size_t bytes = 0;
    for (const auto& [name, entry] : index.entries) bytes += entry.size;
    const bool ranges = complete && shouldComputeRanges(requested, bytes, description);
    std::optional<TensorBundle> bundle;
    if (ranges) bundle.emplace(*files);
    for (const auto& [name, entry] : index.entries) {
        const bool readable = entry.dtype && entry.slices == 0;
        ArrayDescription array{
            name, entry.dtype ? std::string(dtypeName(*entry.dtype)) : entry.type, entry.shape};
        if (entry.slices > 0) array.dtype += fmt::format(" in {} slices", entry.slices);
        addArray(description, std::move(array), ranges && readable,
                 [&, &name = name] { return bundle->read(name); });
    }
    return description;
}

Description describeTorch(const std::filesystem::path& file, RangeSelection requested) {
    const MappedFile mapped(file);
    TorchArchive archive = mapped.decode([&](auto all) { return TorchArchive(all, file); });
    Description description{"PyTorch archive", {}, {}};
    description.addFact("tensors", "{}", archive.tensors().size());
    std::size_t bytes = 0;
    for (const auto& [name, tensor] : archive.tensors())
        if (tensor.dtype) bytes += byteCount(*tensor.dtype, tensor.shape).value_or(0);
    const bool ranges = shouldComputeRanges(requested, bytes, description);
    for (const auto& [name, tensor] : archive.tensors())
        addArray(description,
                 {name, tensor.dtype ? std::string(dtypeName(*tensor.dtype)) : tensor.storageType,
                  tensor.shape},
                 ranges && tensor.dtype, [&, &name = name] {
                     return mapped.decode([&](auto) { return archive.read(name); });
                 });
    return description;
}

}  // namespace threefold
