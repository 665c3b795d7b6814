#include <map>

#include <fmt/format.h>

#include "app/convert/self_test.h"
#include "app/describe/describers.h"
#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/pickle/torch_archive.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/tensors/tensor_bundle.h"
#include "engine/model/model.h"
#include "engine/model/weights.h"

namespace threefold {
namespace {

/// One tensor out of the mapped file: only what is looked at is read.
Array tensorOf(const MappedFile& file, std::size_t dataOffset,
               const SafetensorsHeader::Entry& entry) {
    const auto bytes = file.bytes().subspan(dataOffset + entry.begin, entry.end - entry.begin);
    return {entry.dtype, entry.shape, {bytes.begin(), bytes.end()}};
}

/// What numpy's type holds that no Array can.
std::string kindOf(const std::string& descr) {
    if (descr.starts_with('[')) return "records";
    if (descr.find_first_of("USa") != descr.npos) return "text " + descr;
    return descr.find('O') != descr.npos ? "objects" : descr;
}

ArrayDescription describeHeader(std::string name, const NpyHeader& header) {
    return {std::move(name),
            header.type ? std::string(dtypeName(header.type->dtype)) : kindOf(header.descr),
            header.shape};
}

std::size_t bytesOf(const NpyHeader& header) {
    return header.type ? byteCount(header.type->dtype, header.shape).value_or(0) : 0;
}

/// Adds an array, with the range of what `read` gives where that is wanted.
void addArray(Description& description, ArrayDescription array, bool withRange, const auto& read) {
    if (withRange) array = describeArray(array.name, read(), true);
    description.arrays.push_back(std::move(array));
}

/// Of a model: whether each of its blocks is worth its time.
void addBlockMoves(const std::filesystem::path& file, const SafetensorsHeader& header,
                   Description& description) {
    const auto format = header.metadata.find("format");
    if (format == header.metadata.end() || format->second != kModelFormat) return;
    try {
        for (const std::string& line : movesText(blockMoves(loadModel(file))))
            description.fact("first sample", "{}", line);
    } catch (const Error& error) {
        description.fact("not usable", "{}", error.what());
    }
}

/// One line for each of the method's stages whose published names are there.
void addPublished(const TensorBundleIndex& index, Description& description) {
    std::map<ModelStage, std::size_t> published;
    for (const auto& [name, entry] : index.entries)
        if (const auto found = parsePublishedName(name)) ++published[found->stage];
    for (const auto& [stage, count] : published)
        description.fact("published", "{} weights of stage {}", count,
                         stage == ModelStage::one ? 1 : 2);
}

}  // namespace

Description describeSafetensors(const std::filesystem::path& file, Ranges wanted) {
    const SafetensorsHeader header = readSafetensorsHeader(file);
    Description description{"safetensors", {}, {}};
    description.fact("tensors", "{}", header.entries.size());
    for (const auto& [key, value] : header.metadata) description.fact(key, "{}", value);
    const MappedFile mapped(file);
    description.fact("SHA-256", "{}", sha256(mapped.bytes()));
    addBlockMoves(file, header, description);
    const bool ranges = wantsRanges(wanted, mapped.bytes().size() - header.dataOffset, description);
    for (const auto& [name, entry] : header.entries)
        addArray(description, {name, std::string(dtypeName(entry.dtype)), entry.shape}, ranges,
                 [&, &entry = entry] { return tensorOf(mapped, header.dataOffset, entry); });
    return description;
}

Description describeNpz(const std::filesystem::path& file, Ranges wanted) {
    const MappedFile mapped(file);
    const auto headers = decodeNpzHeaders(mapped.bytes(), file);
    Description description{"npz", {}, {}};
    description.fact("arrays", "{}", headers.size());
    std::size_t bytes = 0;
    for (const auto& [name, header] : headers) bytes += bytesOf(header);
    ArrayMap arrays;
    if (wantsRanges(wanted, bytes, description)) arrays = decodeNpz(mapped.bytes(), file);
    for (const auto& [name, header] : headers) {
        const auto array = arrays.find(name);
        description.arrays.push_back(array == arrays.end()
                                         ? describeHeader(name, header)
                                         : describeArray(name, array->second, true));
    }
    return description;
}

Description describeNpy(const std::filesystem::path& file, Ranges wanted) {
    const MappedFile mapped(file);
    const NpyHeader header = decodeNpyHeader(mapped.bytes(), file);
    Description description{"npy", {}, {}};
    const bool ranges = wantsRanges(wanted, bytesOf(header), description);
    const std::size_t there = mapped.bytes().size() - header.dataOffset;
    if (header.type && (ranges || bytesOf(header) != there))
        description.arrays.push_back(
            describeArray("array", decodeNpy(mapped.bytes(), file), ranges));
    else
        description.arrays.push_back(describeHeader("array", header));
    return description;
}

Description describeTensorBundle(const std::filesystem::path& file, Ranges wanted) {
    const auto files = findTensorBundle(file);
    if (!files) throw NotThisFormat({file.string(), "", "is no TensorFlow checkpoint", ""});
    const MappedFile mapped(files->index);
    const TensorBundleIndex index = decodeTensorBundleIndex(mapped.bytes(), files->index);
    Description description{"TensorFlow checkpoint", {}, {}};
    description.fact("index", "{}", files->index.string());
    description.fact("tensors", "{}", index.entries.size());
    if (index.bigEndian) description.fact("byte order", "big-endian");
    addPublished(index, description);
    bool whole = true;
    for (const auto& shard : files->shards) {
        std::error_code failure;
        const std::uintmax_t size = std::filesystem::file_size(shard, failure);
        whole = whole && !failure;
        description.fact(
            "data file", "{}, {}", shard.filename().string(),
            failure ? "missing" : fmt::format("{:.1f} MB", static_cast<double>(size) / 1e6));
    }
    std::size_t bytes = 0;
    for (const auto& [name, entry] : index.entries) bytes += entry.size;
    const bool ranges = whole && wantsRanges(wanted, bytes, description);
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

Description describeTorch(const std::filesystem::path& file, Ranges wanted) {
    const MappedFile mapped(file);
    TorchArchive archive(mapped.bytes(), file);
    Description description{"PyTorch archive", {}, {}};
    description.fact("tensors", "{}", archive.tensors().size());
    std::size_t bytes = 0;
    for (const auto& [name, tensor] : archive.tensors())
        if (tensor.dtype) bytes += byteCount(*tensor.dtype, tensor.shape).value_or(0);
    const bool ranges = wantsRanges(wanted, bytes, description);
    for (const auto& [name, tensor] : archive.tensors())
        addArray(description,
                 {name, tensor.dtype ? std::string(dtypeName(*tensor.dtype)) : tensor.storageType,
                  tensor.shape},
                 ranges && tensor.dtype, [&, &name = name] { return archive.read(name); });
    return description;
}

}  // namespace threefold
