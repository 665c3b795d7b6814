#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/formats/tensors/safetensors_types.h"

namespace threefold {
namespace {

using Json = nlohmann::json;
using Tensor = ArrayMap::value_type;

/// Wide elements first, so that each tensor begins at a multiple of its element's size.
std::vector<const Tensor*> inOrder(const ArrayMap& arrays) {
    std::vector<const Tensor*> tensors;
    for (const Tensor& tensor : arrays) {
        const Array& array = tensor.second;
        if (byteCount(array.dtype, array.shape) != array.data.size() ||
            tensor.first == kMetadataKey)
            throw InputError(
                {"tensor '" + tensor.first + "'", "",
                 fmt::format("the shape {} of {} and {} bytes cannot be stored",
                             shapeText(array.shape), dtypeName(array.dtype), array.data.size()),
                 "Give it as many bytes as its shape holds, and a name of its own."});
        tensors.push_back(&tensor);
    }
    std::stable_sort(tensors.begin(), tensors.end(), [](const Tensor* a, const Tensor* b) {
        return dtypeSize(a->second.dtype) > dtypeSize(b->second.dtype);
    });
    return tensors;
}

std::string headerText(const std::vector<const Tensor*>& tensors, const Metadata& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) header[std::string(kMetadataKey)] = metadata;
    std::size_t offset = 0;
    for (const Tensor* tensor : tensors) {
        const Array& array = tensor->second;
        const std::size_t end = offset + array.data.size();
        header[tensor->first] = {{"dtype", safetensorsTypeName(array.dtype)},
                                 {"shape", array.shape},
                                 {"data_offsets", {offset, end}}};
        offset = end;
    }
    try {
        std::string text = header.dump();
        constexpr std::size_t kAlignment = 8;
        text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
        return text;
    } catch (const Json::exception& error) {
        throw InputError({"safetensors header", "", error.what(), "Use UTF-8 for all texts."});
    }
}

}  // namespace

std::vector<std::byte> encodeSafetensors(const Safetensors& content) {
    const std::vector<const Tensor*> tensors = inOrder(content.arrays);
    const std::string header = headerText(tensors, content.metadata);
    std::vector<std::byte> bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::byte>(std::uint64_t{header.size()} >> shift));
    const auto append = [&](std::span<const std::byte> part) {
        bytes.insert(bytes.end(), part.begin(), part.end());
    };
    append(asBytes(header));
    for (const Tensor* tensor : tensors) append(tensor->second.data);
    return bytes;
}

void writeSafetensors(const std::filesystem::path& file, const Safetensors& content) {
    writeFileWhole(file, encodeSafetensors(content));
}

}  // namespace threefold
