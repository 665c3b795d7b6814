#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace threefold {

/// The bytes as characters.
inline std::string_view asText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The characters as bytes.
inline std::span<const std::byte> asBytes(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// Remedy for damaged files, which hold bytes that no program writes.
inline constexpr const char* kDamagedRemedy =
    "The file is damaged or incomplete: copy or download it again.";

/// Throws FormatError: "subject: byte 128: problem. Remedy.". Pass another remedy for valid but
/// unsupported content.
[[noreturn]] void failAtByte(const std::filesystem::path& subject, std::size_t offset,
                             std::string problem, std::string remedy = kDamagedRemedy);

/// Reads forward through untrusted bytes. Every function throws FormatError with the byte offset if
/// too few bytes are left. The bytes must outlive the cursor.
class ByteCursor {
  public:
    ByteCursor(std::span<const std::byte> bytes, std::filesystem::path subject);

    std::size_t offset() const { return offset_; }
    std::size_t remaining() const { return bytes_.size() - offset_; }
    const std::filesystem::path& subject() const { return subject_; }

    std::span<const std::byte> read(std::uint64_t count);
    std::string_view readText(std::uint64_t count) { return asText(read(count)); }
    /// Reads up to the next '\n'; returns the line without '\n'.
    std::string_view readLine();
    /// Unsigned little-endian integer of `width` bytes, 1 to 8.
    std::uint64_t readLittleEndian(int width);
    /// Little-endian float64.
    double readLittleEndianDouble() { return std::bit_cast<double>(readLittleEndian(8)); }
    /// Unsigned big-endian integer of `width` bytes, 1 to 8.
    std::uint64_t readBigEndian(int width);

    /// Throws FormatError at the current offset, or at `offset`.
    [[noreturn]] void fail(std::string problem) const { failAt(offset_, std::move(problem)); }
    [[noreturn]] void failAt(std::size_t offset, std::string problem,
                             std::string remedy = kDamagedRemedy) const;

  private:
    std::span<const std::byte> bytes_;
    std::filesystem::path subject_;
    std::size_t offset_ = 0;
};

/// Reads unsigned integers of one byte order at any offset of a block. An integer that reaches
/// beyond the end reads as 0. The bytes must outlive the reader.
class EndianReader {
  public:
    EndianReader(std::span<const std::byte> bytes, std::endian order)
        : bytes_(bytes), order_(order) {}
    /// Reads an integer of `width` bytes, 1 to 4, at `offset`.
    std::uint32_t read(std::uint64_t offset, unsigned width) const;

  private:
    std::span<const std::byte> bytes_;
    std::endian order_;
};

}  // namespace threefold
