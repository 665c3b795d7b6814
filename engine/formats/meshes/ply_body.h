#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/ply_header.h"
#include "engine/formats/text/text_scanner.h"
#include "engine/utf8.h"

/// Body of a PLY file: its values, one by one, in either encoding.
namespace threefold::ply {

/// Values of a binary body, read in order. Every read throws FormatError, naming the byte, if the
/// file ends in the middle of a value.
class BinaryBody {
  public:
    BinaryBody(std::span<const std::byte> bytes, std::size_t offset, bool swapped,
               const std::filesystem::path& subject)
        : bytes_(bytes), offset_(offset), swapped_(swapped), subject_(subject) {}

    std::size_t offset() const { return offset_; }
    [[noreturn]] void fail(const std::string& problem) const {
        failAtByte(subject_, offset_, problem);
    }
    /// Minimum size of a value in bytes.
    static std::uint64_t minSize(ScalarType type) { return infoOf(type).size; }
    std::size_t remaining() const { return bytes_.size() - offset_; }
    void seek(std::size_t offset) { offset_ = offset; }

    double number(ScalarType type, std::string_view) {
        return infoOf(type).load(next(type), swapped_);
    }
    /// The next number; NaN if the value is not a number.
    double numberOrNan(ScalarType type) { return number(type, {}); }
    /// Float nearest to the number less `origin`; NaN if the number is NaN.
    float coordinate(ScalarType type, std::string_view expected, double origin) {
        return static_cast<float>(number(type, expected) - origin);
    }
    void skip(ScalarType type) { next(type); }
    /// Number of bytes after the last element; 0 if all of them are padding (zeros or blanks).
    std::size_t unreadBytes() {
        const auto rest = bytes_.subspan(offset_);
        const bool isPadding = std::ranges::all_of(rest, [](std::byte byte) {
            constexpr std::string_view kPadding("\0 \t\r\n", 5);
            return kPadding.find(static_cast<char>(byte)) != kPadding.npos;
        });
        return isPadding ? 0 : rest.size();
    }

  private:
    const std::byte* next(ScalarType type) {
        const std::size_t size = infoOf(type).size;
        if (size > remaining()) fail("the file ends in the middle of its data");
        const std::byte* value = bytes_.data() + offset_;
        offset_ += size;
        return value;
    }

    std::span<const std::byte> bytes_;
    std::size_t offset_;
    bool swapped_;
    const std::filesystem::path& subject_;
};

/// Values of a text body, read in order; same interface as BinaryBody. Line breaks count as blanks,
/// since some programs do not begin a line with each element. Every read throws FormatError, naming
/// the line, if the file ends early; number() and coordinate() also if a word is no number.
class TextBody {
  public:
    TextBody(std::string_view text, const Header& header, const std::filesystem::path& subject)
        : size_(text.size()),
          start_(header.size),
          scanner_(text.substr(header.size), subject, header.lineCount) {}

    std::size_t offset() const { return start_ + scanner_.offset(); }
    [[noreturn]] void fail(const std::string& problem) const { scanner_.fail(problem); }
    static std::uint64_t minSize(ScalarType) { return 2; }  // bytes: a digit and a blank
    std::size_t remaining() const { return size_ - offset(); }

    double number(ScalarType type, std::string_view expected) {
        const std::string_view word = next();
        // Some files write integer properties as "3.0". Such words are read as doubles, since
        // floats would round large numbers.
        return isInteger(type) && !isPlain(word) ? scanner_.toDouble(word, expected)
                                                 : toNumber(type, word, expected);
    }
    double numberOrNan(ScalarType type) {
        const std::string_view word = next();
        if (isNotFiniteWord(word)) return std::numeric_limits<double>::quiet_NaN();
        try {
            return toNumber(type, word, {});
        } catch (const FormatError&) {
            return std::numeric_limits<double>::quiet_NaN();
        }
    }
    float coordinate(ScalarType, std::string_view expected, double origin) {
        return coordinateOf(scanner_, next(), expected, origin);
    }
    void skip(ScalarType) { next(); }
    /// Always 0. Throws FormatError if a word follows the last element, because text has no padding
    /// but blanks.
    std::size_t unreadBytes() {
        const std::string_view word = scanner_.nextWordOfText();
        if (!word.empty())
            fail(fmt::format("'{}' follows the last element that the header declares",
                             textPrefix(word, 40)));
        return 0;
    }

  private:
    /// Whether a word is written as an integer: without a point, an exponent, or the n of nan and
    /// inf.
    static bool isPlain(std::string_view word) { return word.find_first_of(".eEn") == word.npos; }
    double toNumber(ScalarType type, std::string_view word, std::string_view expected) const {
        if (isInteger(type) && isPlain(word))
            return static_cast<double>(scanner_.toInteger(word, expected));
        return static_cast<double>(scanner_.toFloat(word, expected));
    }
    std::string_view next() {
        const std::string_view word = scanner_.nextWordOfText();
        if (word.empty()) fail("the file ends in the middle of its data");
        return word;
    }

    std::size_t size_;
    std::size_t start_;
    TextScanner scanner_;
};

}  // namespace threefold::ply
