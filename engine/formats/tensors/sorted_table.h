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

/// Whether the bytes end as a LevelDB table does.
bool looksLikeSortedTable(std::span<const std::byte> bytes);

/// Receives one entry of a table. Both arguments are valid only during the call.
using TableEntryCallback =
    std::function<void(std::string_view key, std::span<const std::byte> value)>;

/// Reads a table of sorted keys in LevelDB's format (its doc/table_format.md), as in TensorFlow's
/// checkpoints: blocks of entries whose keys share prefixes, each plain or packed with snappy and
/// followed by its masked crc32c, an index of blocks, a footer. Calls `use` for every entry in
/// order. Safe for untrusted bytes: blocks must not overlap, keys must rise and have at most 4 kB,
/// a block unpacks to at most 16 MB. Throws NotThisFormat, FormatError, and whatever `use` throws.
void readSortedTable(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                     const TableEntryCallback& use);

/// CRC-32C (Castagnoli), as iSCSI and TensorFlow use it.
std::uint32_t crc32c(std::span<const std::byte> bytes);

/// Masks a checksum as TensorFlow and LevelDB store it beside its bytes: rotated and shifted, so
/// that checksums of bytes that hold checksums stay good.
constexpr std::uint32_t maskCrc32c(std::uint32_t checksum) {
    return ((checksum >> 15) | (checksum << 17)) + 0xa282ead8U;
}

/// Reads an integer in the varint coding of protobuf and LevelDB: up to ten bytes of seven bits
/// each, least significant first. Throws FormatError if it does not end, or has more than 64 bits.
std::uint64_t readVarint(ByteCursor& cursor);

/// Field of a protobuf message. Groups are not read: they were deprecated in 2008.
struct ProtobufField {
    std::uint32_t number = 0;
    enum class Kind { varint, fixed64, bytes, fixed32 } kind = Kind::varint;
    std::uint64_t value = 0;           ///< of varint, fixed64 and fixed32
    std::span<const std::byte> bytes;  ///< of bytes: text, bytes, or an embedded message
};

/// Reads the next field of a message; none at its end. Throws FormatError.
std::optional<ProtobufField> readProtobufField(ByteCursor& cursor);

}  // namespace threefold
