#include "engine/formats/tensors/tensor_bundle.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/tensors/crc32c.h"
#include "engine/formats/tensors/protobuf.h"
#include "engine/formats/tensors/sorted_table.h"

namespace threefold {
namespace {

using Kind = ProtobufField::Kind;
using Entry = TensorBundleIndex::Entry;

constexpr std::size_t kMaxBundleAxes = 64;
/// Maximum number of data files: TensorFlow numbers them with five digits.
constexpr std::uint64_t kMaxShards = 99'999;

struct NamedType {
    std::uint64_t number;
    std::string_view name;
    std::optional<DType> dtype;
};

/// TensorFlow's DataType. Types without a dtype are named, so that they can be listed.
constexpr std::array<NamedType, 22> kTypes = {{
    {1, "float", DType::f32},      {2, "double", DType::f64},      {3, "int32", DType::i32},
    {4, "uint8", DType::u8},       {5, "int16", DType::i16},       {6, "int8", DType::i8},
    {7, "string", std::nullopt},   {8, "complex64", std::nullopt}, {9, "int64", DType::i64},
    {10, "bool", DType::boolean},  {11, "qint8", std::nullopt},    {12, "quint8", std::nullopt},
    {13, "qint32", std::nullopt},  {14, "bfloat16", DType::bf16},  {15, "qint16", std::nullopt},
    {16, "quint16", std::nullopt}, {17, "uint16", DType::u16},     {18, "complex128", std::nullopt},
    {19, "half", DType::f16},      {21, "variant", std::nullopt},  {22, "uint32", DType::u32},
    {23, "uint64", DType::u64},
}};

void expectKind(const ByteCursor& cursor, const ProtobufField& field, Kind kind) {
    if (field.kind != kind)
        cursor.fail(fmt::format("the field {} has the wrong type", field.number));
}

void readHeader(ByteCursor& cursor, TensorBundleIndex& index) {
    while (const auto field = readProtobufField(cursor)) {
        if (field->number == 1) {
            expectKind(cursor, *field, Kind::varint);
            if (field->value > kMaxShards)
                cursor.fail(fmt::format("{} data files are declared", field->value));
            index.shardCount = static_cast<std::uint32_t>(field->value);
        } else if (field->number == 2) {
            expectKind(cursor, *field, Kind::varint);
            if (field->value > 1)
                cursor.fail(
                    fmt::format("the byte order {}, but only 0 and 1 are known", field->value));
            index.isBigEndian = field->value == 1;
        }
    }
}

std::size_t readExtent(ByteCursor cursor) {
    std::uint64_t extent = 0;
    while (const auto field = readProtobufField(cursor)) {
        if (field->number != 1) continue;
        expectKind(cursor, *field, Kind::varint);
        extent = field->value;
    }
    if (extent > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        cursor.fail("a negative extent");
    return extent;
}

std::vector<std::size_t> readShape(ByteCursor cursor) {
    std::vector<std::size_t> shape;
    while (const auto field = readProtobufField(cursor)) {
        if (field->number != 2) continue;
        expectKind(cursor, *field, Kind::bytes);
        if (shape.size() == kMaxBundleAxes) cursor.fail("more than 64 axes");
        shape.push_back(readExtent(ByteCursor(field->bytes, cursor.subject())));
    }
    return shape;
}

void setType(Entry& entry, std::uint64_t number) {
    const auto* type = std::ranges::find(kTypes, number, &NamedType::number);
    entry.type = type == kTypes.end() ? fmt::format("type {}", number) : std::string(type->name);
    entry.dtype = type == kTypes.end() ? std::nullopt : type->dtype;
}

Entry readEntry(ByteCursor& cursor) {
    Entry entry;
    setType(entry, 0);
    constexpr std::array<Kind, 7> kKinds = {Kind::varint, Kind::bytes,   Kind::varint, Kind::varint,
                                            Kind::varint, Kind::fixed32, Kind::bytes};
    while (const auto field = readProtobufField(cursor)) {
        if (field->number > kKinds.size()) continue;
        expectKind(cursor, *field, kKinds[field->number - 1]);
        switch (field->number) {
            case 1:
                setType(entry, field->value);
                break;
            case 2:
                entry.shape = readShape(ByteCursor(field->bytes, cursor.subject()));
                break;
            case 3:
                if (field->value > kMaxShards)
                    cursor.fail(fmt::format("the data file {}", field->value));
                entry.shard = static_cast<std::uint32_t>(field->value);
                break;
            case 4:
                entry.offset = field->value;
                break;
            case 5:
                entry.size = field->value;
                break;
            case 6:
                entry.checksum = static_cast<std::uint32_t>(field->value);
                break;
            default:
                ++entry.slices;
        }
    }
    return entry;
}

[[noreturn]] void failAt(const std::filesystem::path& subject, std::string_view name,
                         std::string problem, std::string remedy = kDamagedRemedy) {
    throw FormatError({subject.string(), fmt::format("tensor '{}'", name), std::move(problem),
                       std::move(remedy)});
}

void checkEntry(const TensorBundleIndex& index, std::string_view name, const Entry& entry,
                const std::filesystem::path& subject) {
    if (entry.shard >= index.shardCount)
        failAt(subject, name,
               fmt::format("lies in data file {} of {}", entry.shard, index.shardCount));
    if (entry.slices > 0 || !entry.dtype) return;
    if (byteCount(*entry.dtype, entry.shape) != entry.size)
        failAt(subject, name,
               fmt::format("declares the shape {} of {} and {} bytes, which "
                           "contradict each other",
                           shapeText(entry.shape), entry.type, entry.size));
}

namespace fs = std::filesystem;

constexpr std::string_view kIndexEnding = ".index";
constexpr std::uintmax_t kMaxStateFileBytes = std::uintmax_t{1} << 20;

fs::path withEnding(const fs::path& prefix, std::string_view ending) {
    return fs::path(prefix).concat(ending);
}

/// Name before ".data-NNNNN-of-NNNNN"; nullopt if the name has no such ending.
std::optional<fs::path> prefixOfShard(const fs::path& path) {
    constexpr std::string_view kForm = ".data-NNNNN-of-NNNNN";
    const std::string name = path.filename().string();
    if (name.size() <= kForm.size()) return std::nullopt;
    const std::string_view ending = std::string_view(name).substr(name.size() - kForm.size());
    const auto fits = [](char form, char c) {
        return form == 'N' ? c >= '0' && c <= '9' : form == c;
    };
    if (!std::ranges::equal(kForm, ending, fits)) return std::nullopt;
    return path.parent_path() / name.substr(0, name.size() - kForm.size());
}

/// Newest checkpoint that the folder's state file `checkpoint` names, in a line such as
/// `model_checkpoint_path: "model.ckpt-10"`; nullopt if it names none.
std::optional<fs::path> newestOf(const fs::path& folder) {
    const fs::path stateFile = folder / "checkpoint";
    if (!isFile(stateFile)) return std::nullopt;
    const std::vector<std::byte> bytes = readFile(stateFile, kMaxStateFileBytes);
    std::string_view text = asText(bytes);
    constexpr std::string_view kKey = "model_checkpoint_path:";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(kKey)) continue;
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind('"');
        if (open == std::string_view::npos || close <= open + 1) return std::nullopt;
        const fs::path named(line.substr(open + 1, close - open - 1));
        // An absolute path is of the machine that trained the model; the folder may have moved
        // since.
        if (isFile(withEnding(folder / named, kIndexEnding))) return folder / named;
        return folder / named.filename();
    }
    return std::nullopt;
}

/// The only checkpoint of a folder; nullopt if there is none. Throws InputError for several.
std::optional<fs::path> onlyOneOf(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::path& entry : tryListFolder(folder)) {
        std::string name = entry.filename().string();
        if (name.ends_with(kIndexEnding)) names.push_back(std::move(name));
    }
    if (names.empty()) return std::nullopt;
    std::ranges::sort(names);
    if (names.size() > 1)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} checkpoints and no file 'checkpoint' that says "
                                      "which is meant: {}, {}…",
                                      names.size(), names[0], names[1]),
                          "Give the '.index' file of the one you want."});
    return folder / names[0].substr(0, names[0].size() - kIndexEnding.size());
}

std::optional<fs::path> prefixOf(const fs::path& path) {
    if (isFolder(path)) {
        if (auto newest = newestOf(path)) return newest;
        return onlyOneOf(path);
    }
    const std::string name = path.filename().string();
    if (name.ends_with(kIndexEnding))
        return path.parent_path() / name.substr(0, name.size() - kIndexEnding.size());
    if (auto prefix = prefixOfShard(path)) return prefix;
    if (!isFile(path) && isFile(withEnding(path, kIndexEnding))) return path;
    return std::nullopt;
}

}  // namespace

TensorBundleIndex decodeTensorBundleIndex(std::span<const std::byte> bytes,
                                          const std::filesystem::path& subject) {
    TensorBundleIndex index;
    bool hasHeader = false;
    readSortedTable(bytes, subject, [&](std::string_view key, std::span<const std::byte> value) {
        ByteCursor cursor(value, subject);
        try {
            if (key.empty()) {
                hasHeader = true;
                readHeader(cursor, index);
                return;
            }
            // Slices of a partitioned variable have keys that begin with a zero byte; the
            // variable's own entry lists the slices.
            if (key.front() == '\0') return;
            index.entries.emplace_hint(index.entries.end(), key, readEntry(cursor));
        } catch (const FormatError& error) {
            // Byte positions within an entry do not help the user.
            failAt(subject, key, "its entry cannot be read: " + error.report().problem);
        }
    });
    if (!hasHeader || index.shardCount == 0)
        throw FormatError(
            {subject.string(), "", "is a table, but not the index of a V2 checkpoint",
             "Checkpoints of TensorFlow's V1 format are not read: restore it and save it with "
             "tf.compat.v1.train.Saver(write_version=V2)."});
    for (const auto& [name, entry] : index.entries) checkEntry(index, name, entry, subject);
    return index;
}

Array decodeTensorBundleEntry(const TensorBundleIndex& index, const std::string& name,
                              std::span<const std::byte> shard,
                              const std::filesystem::path& shardSubject) {
    const Entry& entry = index.entries.at(name);
    if (entry.slices > 0)
        failAt(shardSubject, name,
               fmt::format("is stored in {} slices, as a partitioned variable is; these are not "
                           "read",
                           entry.slices),
               "Save the checkpoint without a partitioner.");
    if (!entry.dtype)
        failAt(
            shardSubject, name,
            fmt::format("is of the type {}, which is not supported: only numbers are", entry.type),
            "Leave it out.");
    if (entry.offset > shard.size() || entry.size > shard.size() - entry.offset)
        failAt(shardSubject, name,
               fmt::format("lies at bytes {} to {}, but the file has {} bytes", entry.offset,
                           entry.offset + entry.size, shard.size()));
    const auto bytes = shard.subspan(entry.offset, entry.size);
    if (maskCrc32c(crc32c(bytes)) != entry.checksum)
        failAt(shardSubject, name,
               fmt::format("the checksum of its bytes {} to {} is wrong", entry.offset,
                           entry.offset + entry.size));
    Array array{*entry.dtype, entry.shape, {bytes.begin(), bytes.end()}};
    if (index.isBigEndian) swapByteOrder(array.data, dtypeSize(array.dtype));
    return array;
}

TensorBundleIndex readTensorBundleIndex(const std::filesystem::path& file) {
    return MappedFile(file).decode(
        [&](auto bytes) { return decodeTensorBundleIndex(bytes, file); });
}

std::optional<TensorBundleFiles> findTensorBundle(const std::filesystem::path& path) {
    const std::optional<fs::path> prefix = prefixOf(path);
    if (!prefix) return std::nullopt;
    TensorBundleFiles files{withEnding(*prefix, kIndexEnding), {}};
    const TensorBundleIndex index = readTensorBundleIndex(files.index);
    for (std::uint32_t shard = 0; shard < index.shardCount; ++shard)
        files.shards.push_back(
            withEnding(*prefix, fmt::format(".data-{:05}-of-{:05}", shard, index.shardCount)));
    return files;
}

TensorBundle::TensorBundle(TensorBundleFiles files) : files_(std::move(files)) {
    index_ = readTensorBundleIndex(files_.index);
    for (const fs::path& shard : files_.shards) {
        if (!isFile(shard))
            throw IoError({shard.string(), "",
                           fmt::format("is missing: the checkpoint consists of '{}' and {} data "
                                       "file{}",
                                       files_.index.filename().string(), files_.shards.size(),
                                       files_.shards.size() == 1 ? "" : "s"),
                           "Copy all files of the checkpoint into one folder."});
        shards_.emplace_back(shard);
    }
    if (shards_.size() != index_.shardCount)
        throw FormatError({files_.index.string(), "", "changed while it was read", "Try again."});
}

Array TensorBundle::read(const std::string& name) const {
    const std::uint32_t shard = index_.entries.at(name).shard;
    return shards_[shard].decode([&](auto bytes) {
        return decodeTensorBundleEntry(index_, name, bytes, files_.shards[shard]);
    });
}

}  // namespace threefold
