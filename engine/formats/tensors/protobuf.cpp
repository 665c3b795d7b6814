#include "engine/formats/tensors/protobuf.h"

#include <fmt/format.h>

namespace threefold {

std::uint64_t takeVarint(ByteCursor& cursor) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint64_t byte = cursor.little(1);
        const std::uint64_t bits = byte & 0x7fU;
        if (shift == 63 && bits > 1) break;
        value |= bits << shift;
        if (byte < 0x80U) return value;
    }
    cursor.fail("an integer of more than 64 bits");
}

std::optional<ProtobufField> takeProtobufField(ByteCursor& cursor) {
    if (cursor.remaining() == 0) return std::nullopt;
    using Kind = ProtobufField::Kind;
    const std::uint64_t tag = takeVarint(cursor);
    constexpr std::uint64_t kHighestNumber = (1U << 29) - 1;
    if (tag >> 3 == 0 || tag >> 3 > kHighestNumber) cursor.fail("a field with an unsound number");
    ProtobufField field;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    switch (tag & 7U) {
        case 0:
            field.kind = Kind::varint;
            field.value = takeVarint(cursor);
            return field;
        case 1:
            field.kind = Kind::fixed64;
            field.value = cursor.little(8);
            return field;
        case 2:
            field.kind = Kind::bytes;
            field.bytes = cursor.take(takeVarint(cursor));
            return field;
        case 5:
            field.kind = Kind::fixed32;
            field.value = cursor.little(4);
            return field;
        default:
            cursor.fail(fmt::format("a field of the wire type {}", tag & 7U));
    }
}

}  // namespace threefold
