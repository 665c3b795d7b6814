#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {

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

/// Reads the next field of a message; nullopt at its end. Throws FormatError.
std::optional<ProtobufField> readProtobufField(ByteCursor& cursor);

}  // namespace threefold
