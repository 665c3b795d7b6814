#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {

/// True where the bytes end as a LevelDB table does.
bool looksLikeSortedTable(std::span<const std::byte> bytes);

/// Receives one entry of a table. Both arguments are valid during the call only.
using TableEntryUse = std::function<void(std::string_view key, std::span<const std::byte> value)>;

/// Reads a table of sorted keys as LevelDB lays it out (its doc/table_format.md), and as
/// TensorFlow's checkpoints use it: blocks of entries whose keys share their beginnings, each plain
/// or packed with snappy and followed by its masked crc32c, an index of blocks, a footer.
/// `use` is called for every entry in order. Safe for untrusted bytes: blocks must not overlap,
/// keys must rise and have at most 4 kB, a block at most 16 MB. Throws NotThisFormat, FormatError,
/// and what `use` throws.
void readSortedTable(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                     const TableEntryUse& use);

/// CRC-32C (Castagnoli), as iSCSI and TensorFlow use it.
std::uint32_t crc32c(std::span<const std::byte> bytes);

/// How TensorFlow and LevelDB store a checksum beside the bytes that it covers: rotated and
/// shifted, so that checksums of bytes that hold checksums stay good.
constexpr std::uint32_t maskCrc32c(std::uint32_t checksum) {
    return ((checksum >> 15) | (checksum << 17)) + 0xa282ead8U;
}

/// Up to ten bytes of seven bits each, least significant first, as protobuf and LevelDB write
/// integers. Throws FormatError where it does not end, or has more than 64 bits.
std::uint64_t readVarint(ByteCursor& cursor);

/// One field of a protobuf message. Groups are not read: they were given up in 2008.
struct ProtobufField {
    std::uint32_t number = 0;
    enum class Kind { varint, fixed64, bytes, fixed32 } kind = Kind::varint;
    std::uint64_t value = 0;           ///< of varint, fixed64 and fixed32
    std::span<const std::byte> bytes;  ///< of bytes: text, bytes, or a message of its own
};

/// The next field of the message that the cursor reads; nothing at its end. Throws FormatError.
std::optional<ProtobufField> readProtobufField(ByteCursor& cursor);

}  // namespace threefold
