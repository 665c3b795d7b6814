#include "engine/formats/bytes/byte_cursor.h"

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {

void failAtByte(const std::filesystem::path& subject, std::size_t offset, std::string problem,
                std::string remedy) {
    throw FormatError(
        {subject.string(), fmt::format("byte {}", offset), std::move(problem), std::move(remedy)});
}

ByteCursor::ByteCursor(std::span<const std::byte> bytes, std::filesystem::path subject)
    : bytes_(bytes), subject_(std::move(subject)) {}

std::span<const std::byte> ByteCursor::read(std::uint64_t count) {
    if (count > remaining())
        fail(fmt::format("{} bytes are needed here, but {} are left", count, remaining()));
    const auto result = bytes_.subspan(offset_, count);
    offset_ += count;
    return result;
}

std::string_view ByteCursor::readLine() {
    const std::string_view rest = asText(bytes_.subspan(offset_));
    const std::size_t length = rest.find('\n');
    if (length == std::string_view::npos) fail("a line begins here that has no end");
    offset_ += length + 1;
    return rest.substr(0, length);
}

std::uint64_t ByteCursor::readLittleEndian(int width) {
    const auto bytes = read(static_cast<std::uint64_t>(width));
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    return value;
}

std::uint64_t ByteCursor::readBigEndian(int width) {
    std::uint64_t value = 0;
    for (const std::byte byte : read(static_cast<std::uint64_t>(width)))
        value = value << 8 | std::to_integer<std::uint64_t>(byte);
    return value;
}

void ByteCursor::failAt(std::size_t offset, std::string problem, std::string remedy) const {
    failAtByte(subject_, offset, std::move(problem), std::move(remedy));
}

std::uint32_t EndianReader::read(std::uint64_t offset, unsigned width) const {
    if (offset > bytes_.size() || width > bytes_.size() - offset) return 0;
    const bool isLittle = order_ == std::endian::little;
    std::uint32_t value = 0;
    for (unsigned i = 0; i < width; ++i)
        value = value << 8U |
                std::to_integer<std::uint32_t>(bytes_[offset + (isLittle ? width - 1 - i : i)]);
    return value;
}

}  // namespace threefold
