#include "engine/formats/tensors/protobuf.h"

#include <fmt/format.h>

namespace threefold {

std::uint64_t readVarint(ByteCursor& cursor) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const std::uint64_t byte = cursor.readLittleEndian(1);
        const std::uint64_t bits = byte & 0x7fU;
        if (shift == 63 && bits > 1) break;
        value |= bits << shift;
        if (byte < 0x80U) return value;
    }
    cursor.fail("an integer of more than 64 bits");
}

std::optional<ProtobufField> readProtobufField(ByteCursor& cursor) {
    if (cursor.remaining() == 0) return std::nullopt;
    using Kind = ProtobufField::Kind;
    const std::uint64_t tag = readVarint(cursor);
    constexpr std::uint64_t kMaxNumber = (1U << 29) - 1;
    if (tag >> 3 == 0 || tag >> 3 > kMaxNumber)
        cursor.fail("a field number outside of 1 to 536870911");
    const auto number = static_cast<std::uint32_t>(tag >> 3);
    const std::uint64_t type = tag & 7U;
    if (type == 0) return ProtobufField{number, Kind::varint, readVarint(cursor), {}};
    if (type == 1) return ProtobufField{number, Kind::fixed64, cursor.readLittleEndian(8), {}};
    if (type == 2) return ProtobufField{number, Kind::bytes, 0, cursor.read(readVarint(cursor))};
    if (type == 5) return ProtobufField{number, Kind::fixed32, cursor.readLittleEndian(4), {}};
    cursor.fail(fmt::format("the wire type {}, which does not exist or is not supported", type));
}

}  // namespace threefold
