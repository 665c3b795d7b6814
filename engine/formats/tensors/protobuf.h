#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {

/// Up to ten bytes of seven bits each, least significant first, as protobuf and LevelDB write
/// integers. Throws FormatError where it does not end, or has more than 64 bits.
std::uint64_t takeVarint(ByteCursor& cursor);

/// One field of a protobuf message. Groups are not read: they were given up in 2008.
struct ProtobufField {
    std::uint32_t number = 0;
    enum class Kind { varint, fixed64, bytes, fixed32 } kind = Kind::varint;
    std::uint64_t value = 0;           ///< of varint, fixed64 and fixed32
    std::span<const std::byte> bytes;  ///< of bytes: text, bytes, or a message of its own
};

/// The next field of the message that the cursor reads; nothing at its end. Throws FormatError.
std::optional<ProtobufField> takeProtobufField(ByteCursor& cursor);

}  // namespace threefold
