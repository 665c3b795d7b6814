#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/files/write_file.h"
#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/crc32c.h"
#include "tests/support/sorted_table_writer.h"

/// Functions that write TensorFlow's V2 checkpoints, as the published protobuf messages describe
/// them. Tests damage these checkpoints.
namespace threefold::test {

/// Entry of the index for one tensor (BundleEntryProto).
struct BundleEntry {
    std::uint64_t type = 1;
    std::vector<std::size_t> shape;
    std::uint64_t shard = 0, offset = 0, size = 0;
    std::uint32_t checksum = 0;  ///< masked CRC-32C
    int slices = 0;
};

inline std::string protobufInteger(int number, std::uint64_t value) {
    return value == 0 ? "" : varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}
inline std::string protobufBytes(int number, const std::string& bytes) {
    return varint(static_cast<std::uint64_t>(number) << 3 | 2U) + varint(bytes.size()) + bytes;
}

inline std::string encoded(const BundleEntry& entry) {
    std::string shape;
    for (const std::size_t extent : entry.shape)
        shape += protobufBytes(2, protobufInteger(1, extent));
    std::string bytes = protobufInteger(1, entry.type) + protobufBytes(2, shape) +
                        protobufInteger(3, entry.shard) + protobufInteger(4, entry.offset) +
                        protobufInteger(5, entry.size) + varint(6U << 3 | 5U) +
                        fixed(entry.checksum, 4);
    for (int i = 0; i < entry.slices; ++i) bytes += protobufBytes(7, "");
    return bytes;
}

inline std::string bundleHeader(std::uint64_t shards, bool bigEndian = false) {
    return protobufInteger(1, shards) + protobufInteger(2, bigEndian ? 1 : 0) +
           protobufBytes(3, protobufInteger(1, 1));
}

inline std::uint64_t bundleType(DType type) {
    switch (type) {
        case DType::f16:
            return 19;
        case DType::bf16:
            return 14;
        case DType::f64:
            return 2;
        case DType::i32:
            return 3;
        case DType::i64:
            return 9;
        default:
            return 1;
    }
}

struct BundleOptions {
    std::size_t shards = 2;
    bool bigEndian = false;
    TableOptions table;
};

/// A checkpoint in memory.
struct Bundle {
    std::map<std::string, BundleEntry> entries;
    std::vector<std::string> shards;
    BundleOptions options;

    std::string index() const {
        TableEntries table = {{"", bundleHeader(shards.size(), options.bigEndian)}};
        for (const auto& [name, entry] : entries) table.emplace_back(name, encoded(entry));
        return sortedTable(table, options.table);
    }
};

/// Makes a checkpoint whose tensors are distributed over the shards in turn.
inline Bundle makeBundle(const ArrayMap& arrays, const BundleOptions& options = {}) {
    Bundle bundle{{}, std::vector<std::string>(options.shards), options};
    std::size_t next = 0;
    for (const auto& [name, array] : arrays) {
        std::vector<std::byte> data = array.data;
        if (options.bigEndian) swapByteOrder(data, dtypeSize(array.dtype));
        const std::size_t shard = next++ % options.shards;
        std::string& bytes = bundle.shards[shard];
        bundle.entries[name] = {bundleType(array.dtype),
                                array.shape,
                                shard,
                                bytes.size(),
                                data.size(),
                                maskCrc32c(crc32c(data)),
                                0};
        bytes += asText(data);
    }
    return bundle;
}

/// Writes the checkpoint's index, `prefix`.index, and its data files.
inline void saveBundle(const std::filesystem::path& prefix, const Bundle& bundle) {
    const auto file = [&](const std::string& ending) {
        return std::filesystem::path(prefix).concat(ending);
    };
    writeFileAtomically(file(".index"), std::string_view(bundle.index()));
    for (std::size_t i = 0; i < bundle.shards.size(); ++i)
        writeFileAtomically(file(fmt::format(".data-{:05}-of-{:05}", i, bundle.shards.size())),
                            std::string_view(bundle.shards[i]));
}

}  // namespace threefold::test
