#include "engine/formats/meshes/obj_statements.h"

#include <array>
#include <cstddef>

#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

const char* pastDigits(const char* at) {
    while (isDigit(*at)) ++at;
    return at;
}

const char* pastBlanks(const char* at) {
    while (*at == ' ' || *at == '\t') ++at;
    return at;
}

/// Position after the line end at `at`; null if there is none. A lone '\r' does not count, although
/// tinyobjloader ends a line there.
const char* pastLineEnd(const char* at) {
    if (*at == '\r') ++at;
    return *at == '\n' ? at + 1 : nullptr;
}

/// Position after the plain number at `at`; null if there is none. Refuses more than 24 characters:
/// tinyobjloader adds digit by digit, with up to two roundings a character, and the sum of these
/// errors has to stay below a float's rounding error.
const char* pastNumber(const char* at) {
    constexpr std::ptrdiff_t kMaxLength = 24;
    const char* const first = at;
    if (*at == '-' || *at == '+') ++at;
    const char* end = pastDigits(at);
    std::ptrdiff_t digits = end - at;
    at = end;
    if (*at == '.') {
        end = pastDigits(at + 1);
        digits += end - (at + 1);
        at = end;
    }
    if (digits == 0) return nullptr;
    if (*at == 'e' || *at == 'E') {
        ++at;
        const std::ptrdiff_t maxDigits = *at == '-' ? 2 : 1;
        if (*at == '-' || *at == '+') ++at;
        const char* const exponent = at;
        while (*at == '0') ++at;
        end = pastDigits(at);
        if (end == exponent || end - at > maxDigits) return nullptr;
        at = end;
    }
    return at - first <= kMaxLength ? at : nullptr;
}

/// Position after an index of at most nine digits; null if there is none.
const char* pastIndex(const char* at) {
    if (*at == '-') ++at;
    const char* const end = pastDigits(at);
    return end != at && end - at <= 9 ? end : nullptr;
}

/// Position after a corner: "1", "1/2", "1//3" or "1/2/3"; null if there is none. Refuses a corner
/// that ends in '/': tinyobjloader would take the next corner's number for the empty part.
const char* pastCorner(const char* at) {
    at = pastIndex(at);
    if (at == nullptr || *at != '/') return at;
    ++at;
    if (*at != '/') {
        at = pastIndex(at);
        if (at == nullptr || *at != '/') return at;
    }
    return pastIndex(at + 1);
}

/// Parses the words of a line with `past` (pastNumber() or pastCorner()), beginning at the blank at
/// `at`. Returns the start of the next line; null if a word is not accepted. `acceptWord` is called
/// with the position after each word, and refuses the word by returning false.
template <class Past, class AcceptWord>
const char* pastWords(const char* at, Past past, AcceptWord acceptWord) {
    while (true) {
        const char* const word = pastBlanks(at);
        if (const char* const next = pastLineEnd(word)) return next;
        if (word == at) return nullptr;
        at = past(word);
        if (at == nullptr || !acceptWord(at)) return nullptr;
    }
}

struct Numbers {
    const char* end = nullptr;  ///< beginning of the next line; null if the line has other words
    std::size_t count = 0;
    std::array<const char*, 7> ends{};
};

Numbers numbersFrom(const char* at) {
    Numbers numbers;
    numbers.end = pastWords(at, pastNumber, [&](const char* end) {
        if (numbers.count == numbers.ends.size()) return false;
        numbers.ends[numbers.count++] = end;
        return true;
    });
    return numbers;
}

PlainStatement vertexFrom(const char* at) {
    const Numbers numbers = numbersFrom(at);
    if (numbers.end == nullptr || numbers.count < 3) return {};
    if (numbers.count < 6) return {ObjStatement::vertex, numbers.end};
    return {ObjStatement::colouredVertex, numbers.end, numbers.ends[2],
            numbers.ends[numbers.count - 4]};
}

PlainStatement normalFrom(const char* at) {
    const Numbers numbers = numbersFrom(at);
    if (numbers.end == nullptr || numbers.count != 3) return {};
    return {ObjStatement::normal, numbers.end};
}

PlainStatement coordinateFrom(const char* at) {
    const Numbers numbers = numbersFrom(at);
    if (numbers.end == nullptr || numbers.count < 1 || numbers.count > 3) return {};
    return {ObjStatement::coordinate, numbers.end};
}

PlainStatement faceFrom(const char* at) {
    std::size_t corners = 0;
    const char* const end =
        pastWords(at, pastCorner, [&](const char*) { return ++corners <= kMaxCorners; });
    if (end == nullptr || corners < 3) return {};
    return {ObjStatement::face, end};
}

}  // namespace

PlainStatement plainStatement(const char* line) {
    const char* const at = pastBlanks(line);
    if (const char* const end = pastLineEnd(at)) return {ObjStatement::blank, end};
    if (*at == 'f') return faceFrom(at + 1);
    if (*at != 'v') return {};
    if (at[1] == 'n') return normalFrom(at + 2);
    if (at[1] == 't') return coordinateFrom(at + 2);
    return vertexFrom(at + 1);
}

bool isPlainNumber(std::string_view text) {
    const std::string copy(text);  // null-terminated
    return pastNumber(copy.c_str()) == copy.c_str() + copy.size();
}

std::string asTinyobjloaderLine(std::string_view name) {
    std::string line;
    for (const char c : name)
        if (c == '\0')
            line += "\xef\xbf\xbd";
        else
            line += c == '\r' ? ' ' : c;
    return line;
}

}  // namespace threefold
