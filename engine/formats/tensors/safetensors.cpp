#include "engine/formats/tensors/safetensors.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/shallow_json.h"

namespace threefold {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthSize = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
/// Maximum nesting of the JSON: header, tensor, and the lists in it.
constexpr int kMaxDepth = 3;

class HeaderReader {
  public:
    HeaderReader(std::span<const std::byte> bytes, const std::filesystem::path& subject)
        : cursor_(bytes, subject) {}

    SafetensorsHeader read() {
        const std::uint64_t length = cursor_.readLittleEndian(kLengthSize);
        if (length > kMaxHeaderBytes)
            cursor_.failAt(0, fmt::format("a header of {} bytes, but at most {} are accepted",
                                          length, kMaxHeaderBytes));
        const Json json = parse(cursor_.readText(length));
        if (!json.is_object()) cursor_.failAt(kLengthSize, "the header is not a JSON object");
        header_.dataOffset = cursor_.offset();
        for (const auto& [name, value] : json.items()) {
            if (name == kMetadataKey)
                readMetadata(value);
            else
                header_.entries.emplace(name, entry(name, value));
        }
        checkCover();
        return std::move(header_);
    }

  private:
    Json parse(std::string_view text) const {
        try {
            return parseShallowJson<Json>(text, kMaxDepth, [&](const std::string& problem) {
                cursor_.failAt(kLengthSize, "the header " + problem);
            });
        } catch (const Json::parse_error& error) {
            cursor_.failAt(kLengthSize + error.byte, "the header is not JSON");
        } catch (const Json::exception& error) {
            cursor_.failAt(kLengthSize, fmt::format("the header is not JSON: {}", error.what()));
        }
    }

    [[noreturn]] void fail(const std::string& name, const std::string& problem,
                           std::string remedy = kDamagedRemedy) const {
        cursor_.failAt(kLengthSize, fmt::format("the tensor '{}' {}", name, problem),
                       std::move(remedy));
    }

    void readMetadata(const Json& value) {
        if (!value.is_object()) fail(std::string(kMetadataKey), "is not a JSON object");
        for (const auto& [key, text] : value.items()) {
            if (!text.is_string()) fail(std::string(kMetadataKey), "has values that are not text");
            header_.metadata.emplace(key, text.get<std::string>());
        }
    }

    std::vector<std::size_t> naturals(const std::string& name, const Json& owner,
                                      const char* key) const {
        const auto list = owner.find(key);
        if (list == owner.end() || !list->is_array())
            fail(name, fmt::format("has no list '{}'", key));
        std::vector<std::size_t> values;
        for (const Json& value : *list) {
            if (!value.is_number_unsigned())
                fail(name, fmt::format("has something else than natural numbers in '{}'", key));
            values.push_back(value.get<std::size_t>());
        }
        return values;
    }

    SafetensorsHeader::Entry entry(const std::string& name, const Json& value) const {
        if (!value.is_object()) fail(name, "is not described by a JSON object");
        const auto dtype = value.find("dtype");
        if (dtype == value.end() || !dtype->is_string()) fail(name, "has no dtype");
        const std::optional<DType> type =
            findDType(&DTypeInfo::safetensors, dtype->get<std::string>());
        if (!type)
            fail(name,
                 fmt::format("is of the type '{}', which is not supported",
                             dtype->get<std::string>()),
                 "Save it as F32: tensor.float().");
        std::vector<std::size_t> shape = naturals(name, value, "shape");
        const std::vector<std::size_t> offsets = naturals(name, value, "data_offsets");
        if (offsets.size() != 2 || offsets[0] > offsets[1])
            fail(name, "has data_offsets that are not a begin and an end");
        if (byteCount(*type, shape) != offsets[1] - offsets[0])
            fail(name, fmt::format("declares the shape {} of {} and {} bytes, which contradict "
                                   "each other",
                                   shapeText(shape), dtypeName(*type), offsets[1] - offsets[0]));
        return {*type, std::move(shape), offsets[0], offsets[1]};
    }

    /// Checks that every byte after the header belongs to exactly one tensor.
    void checkCover() const {
        std::vector<std::pair<std::size_t, std::size_t>> ranges;
        for (const auto& [name, entry] : header_.entries)
            ranges.emplace_back(entry.begin, entry.end);
        std::ranges::sort(ranges);
        std::size_t covered = 0;
        for (const auto& [begin, end] : ranges) {
            if (begin != covered)
                cursor_.failAt(header_.dataOffset + std::min(begin, covered),
                               begin < covered ? "tensors overlap" : "bytes belong to no tensor");
            covered = end;
        }
        const std::size_t dataSize = cursor_.remaining();
        if (covered != dataSize)
            cursor_.failAt(header_.dataOffset + std::min(covered, dataSize),
                           fmt::format("the header declares {} bytes of data, but the file has {}",
                                       covered, dataSize));
    }

    ByteCursor cursor_;
    SafetensorsHeader header_;
};

using Tensor = ArrayMap::value_type;

/// Tensors in the order of the file: wide elements first, so that each tensor begins at a multiple
/// of its element size.
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
    std::ranges::stable_sort(tensors, std::greater(),
                             [](const Tensor* tensor) { return dtypeSize(tensor->second.dtype); });
    return tensors;
}

std::string headerText(const std::vector<const Tensor*>& tensors, const Metadata& metadata) {
    Json header = Json::object();
    if (!metadata.empty()) header[std::string(kMetadataKey)] = metadata;
    std::size_t offset = 0;
    for (const Tensor* tensor : tensors) {
        const Array& array = tensor->second;
        const std::size_t end = offset + array.data.size();
        header[tensor->first] = {{"dtype", infoOf(array.dtype).safetensors},
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

SafetensorsHeader decodeSafetensorsHeader(std::span<const std::byte> bytes,
                                          const std::filesystem::path& subject) {
    if (bytes.size() <= kLengthSize || bytes[kLengthSize] != std::byte{'{'})
        throw NotThisFormat({subject.string(), fmt::format("byte {}", kLengthSize),
                             "is not a safetensors file: no JSON header begins here",
                             "Make one with `threefold convert`."});
    return HeaderReader(bytes, subject).read();
}

Safetensors decodeSafetensors(std::span<const std::byte> bytes,
                              const std::filesystem::path& subject) {
    SafetensorsHeader header = decodeSafetensorsHeader(bytes, subject);
    Safetensors content;
    content.metadata = std::move(header.metadata);
    for (auto& [name, entry] : header.entries) {
        const auto data = bytes.subspan(header.dataOffset + entry.begin, entry.end - entry.begin);
        content.arrays.emplace(
            name, Array{entry.dtype, std::move(entry.shape), {data.begin(), data.end()}});
    }
    return content;
}

Safetensors readSafetensors(const std::filesystem::path& file) {
    return MappedFile(file).decode([&](auto bytes) { return decodeSafetensors(bytes, file); });
}

SafetensorsHeader readSafetensorsHeader(const std::filesystem::path& file) {
    return MappedFile(file).decode(
        [&](auto bytes) { return decodeSafetensorsHeader(bytes, file); });
}

std::vector<std::byte> encodeSafetensors(const Safetensors& content) {
    const std::vector<const Tensor*> tensors = inOrder(content.arrays);
    const std::string header = headerText(tensors, content.metadata);
    std::vector<std::byte> bytes;
    for (int shift = 0; shift < 64; shift += 8)
        bytes.push_back(static_cast<std::byte>(std::uint64_t{header.size()} >> shift));
    const auto append = [&](std::span<const std::byte> chunk) {
        bytes.insert(bytes.end(), chunk.begin(), chunk.end());
    };
    append(asBytes(header));
    for (const Tensor* tensor : tensors) append(tensor->second.data);
    return bytes;
}

void writeSafetensors(const std::filesystem::path& file, const Safetensors& content) {
    writeFileAtomically(file, encodeSafetensors(content));
}

}  // namespace threefold
