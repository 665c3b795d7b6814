#include "engine/formats/text/text_scanner.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

constexpr std::size_t kShownLength = 40;

std::string quoted(std::string_view word) {
    return fmt::format("'{}'", textPrefix(word, kShownLength));
}

std::string_view withoutPlus(std::string_view word) {
    return word.starts_with('+') && !word.starts_with("+-") ? word.substr(1) : word;
}

/// Whether a number that is out of the range of its type is too small, not too large.
bool isTiny(std::string_view digits) {
    const char* const last = digits.data() + digits.size();
    double wide = 0;
    if (std::from_chars(digits.data(), last, wide).ec == std::errc{}) return std::abs(wide) < 1;
    return digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
}

}  // namespace

void TextScanner::failAt(std::size_t line, const std::string& problem) const {
    throw FormatError({subject_.string(), fmt::format("line {}", line), problem,
                       "Correct this line, or write the file again."});
}

const char* TextScanner::afterContinuation() const {
    if (!joinsLines_ || *position_ != '\\') return nullptr;
    const char* next = position_ + 1;
    if (next != end_ && *next == '\r') ++next;
    return next != end_ && *next == '\n' ? next + 1 : nullptr;
}

bool TextScanner::skipContinuation() {
    const char* const after = afterContinuation();
    if (after == nullptr) return false;
    position_ = after;
    ++line_;
    return true;
}

bool TextScanner::hasWord() {
    while (position_ != end_) {
        if (isBlank(*position_)) {
            ++position_;
        } else if (!skipContinuation()) {
            return *position_ != '\n' && *position_ != comment_;
        }
    }
    return false;
}

void TextScanner::nextLine() {
    for (bool joined = true; joined;) {
        const std::string_view line = toLineEnd();
        const std::size_t end = line.size() - (line.ends_with('\r') ? 1 : 0);
        joined = joinsLines_ && position_ != end_ && line.substr(0, end).ends_with('\\') &&
                 line.find(comment_) == line.npos;
        if (position_ != end_) ++position_;
        ++line_;
    }
}

std::string_view TextScanner::toLineEnd() {
    const std::string_view rest(position_, static_cast<std::size_t>(end_ - position_));
    const std::string_view line = rest.substr(0, rest.find('\n'));
    position_ += line.size();
    return line;
}

std::string_view TextScanner::restOfLine() {
    return trimmed(toLineEnd(), " \t\r");
}

std::string_view TextScanner::word() {
    if (!hasWord()) return {};
    const char* first = position_;
    while (position_ != end_ && *position_ != '\n' && *position_ != comment_ &&
           !isBlank(*position_) && afterContinuation() == nullptr)
        ++position_;
    return {first, static_cast<std::size_t>(position_ - first)};
}

std::string_view TextScanner::nextWordOfText() {
    while (!hasWord()) {
        if (atEnd()) return {};
        nextLine();
    }
    return word();
}

std::string_view TextScanner::requireWord(std::string_view expected) {
    const std::string_view next = word();
    if (next.empty()) fail(fmt::format("ends here; expected {}", expected));
    return next;
}

template <class Number>
Number TextScanner::toFinite(std::string_view word, std::string_view expected) const {
    const std::string_view digits = withoutPlus(word);
    const char* const last = digits.data() + digits.size();
    Number value = 0;
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error == std::errc::result_out_of_range) {
        // A number too small for its type is zero; one too large is refused.
        if (isTiny(digits) && end == last) return 0;
        fail(fmt::format("{} is beyond the range of numbers; expected {}", quoted(word), expected));
    }
    if (error != std::errc{} || end != last) {
        const bool comma = end != last && *end == ',';
        fail(fmt::format("{} is not a number{}; expected {}", quoted(word),
                         comma ? " (decimals stand behind a point, not a comma)" : "", expected));
    }
    if (!std::isfinite(value))
        fail(fmt::format("{} is not a finite number; expected {}", quoted(word), expected));
    return value;
}

double TextScanner::toDouble(std::string_view word, std::string_view expected) const {
    return toFinite<double>(word, expected);
}

float TextScanner::toFloat(std::string_view word, std::string_view expected) const {
    return toFinite<float>(word, expected);
}

std::int64_t TextScanner::toInteger(std::string_view word, std::string_view expected) const {
    const auto value = parseNumber<std::int64_t>(withoutPlus(word));
    if (!value) fail(fmt::format("{} is not a whole number; expected {}", quoted(word), expected));
    return *value;
}

bool isNotFiniteWord(std::string_view word) {
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    const std::string lower = lowered(word);
    return lower == "nan" || lower.starts_with("nan(") || lower == "inf" || lower == "infinity" ||
           lower.starts_with("1.#");
}

}  // namespace threefold
