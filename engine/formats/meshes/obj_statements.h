#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// Statement that tinyobjloader reads correctly without a change.
enum class ObjStatement {
    none,            ///< any other: must be checked
    blank,           ///< an empty line
    vertex,          ///< v of three to five numbers; those after the third are not used
    colouredVertex,  ///< v of six or seven numbers; tinyobjloader ignores the colour
    normal,          ///< vn of three numbers
    coordinate,      ///< vt of one to three numbers
    face,            ///< f of three or more corners, each without an empty part
};

/// Statement on one line, of plain numbers and blanks alone.
struct PlainStatement {
    ObjStatement kind = ObjStatement::none;
    const char* end = nullptr;  ///< beginning of the next line; null for `none`
    // Of a coloured vertex:
    const char* positionEnd = nullptr;  ///< end of its third number
    const char* colourBegin = nullptr;  ///< before its last three numbers and their blanks
};

/// Classifies the line that begins at `line`. The text must have a '\n' at the line's end or later.
PlainStatement plainStatement(const char* line);

/// Whether the text is a number smaller than 1e34 that tinyobjloader reads to within 2^10 units in
/// the last place of a double. Excludes numbers of more than 24 characters and those with large
/// exponents.
bool isPlainNumber(std::string_view text);

/// Replaces characters at which tinyobjloader would end the line: '\r' by a blank, a zero byte by
/// U+FFFD.
std::string asTinyobjloaderLine(std::string_view name);

/// Float nearest to a plain number that tinyobjloader reads as `read`. nullopt if `read` does not
/// determine it: near the middle between two floats, and below their normal range.
inline std::optional<float> nearestFloat(double read) {
    constexpr int kDropped =
        std::numeric_limits<double>::digits - std::numeric_limits<float>::digits;
    constexpr std::uint64_t kMiddle = std::uint64_t{1} << (kDropped - 1);
    constexpr std::uint64_t kMaxReadError = 1U << 10U;
    const std::uint64_t dropped = std::bit_cast<std::uint64_t>(read) & (2 * kMiddle - 1);
    if (dropped - (kMiddle - kMaxReadError) <= 2 * kMaxReadError) return std::nullopt;
    if (read != 0 && std::abs(read) < std::numeric_limits<float>::min()) return std::nullopt;
    return static_cast<float>(read);
}

}  // namespace threefold
