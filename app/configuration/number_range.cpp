#include "app/configuration/number_range.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/text.h"

namespace threefold {
namespace {

constexpr double kTwoTo64 = 18446744073709551616.0;

std::string numberText(const NumberRange& range, double value) {
    if (!range.integer) return fmt::format("{:g}", value);
    // UINT64_MAX as a double is 2^64, one more than the integer.
    return value >= kTwoTo64 ? fmt::format("{}", UINT64_MAX) : fmt::format("{:.0f}", value);
}

std::optional<double> parseNumberFor(const NumberRange& range, std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != text.npos) return {};
    if (text.starts_with('-') && range.min >= 0) return {};
    if (range.integer && text.find_first_of(".eE", 1) != text.npos) return {};
    // Above 2^53, the conversion to a double may have rounded the number into the range.
    constexpr double kExact = 9007199254740992.0;
    const std::optional<double> value = parseNumber<double>(text);
    if (range.integer && value > kExact && !parseNumber<std::uint64_t>(text)) return {};
    return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace

std::string rangeText(const NumberRange& range) {
    const std::string unit = *range.unit == '\0' ? "" : fmt::format(" {}", range.unit);
    const std::string min = numberText(range, range.min);
    if (range.max == DBL_MAX)
        return fmt::format("{} {}{}", range.exclusiveMin ? "above" : "at least", min, unit);
    return fmt::format("{}{} to {}{}", range.exclusiveMin ? "above " : "", min,
                       numberText(range, range.max), unit);
}

std::string problemOf(const NumberRange& range, const std::string& text) {
    const std::optional<double> value = parseNumberFor(range, text);
    if (value && *value <= range.max &&
        (range.exclusiveMin ? *value > range.min : *value >= range.min))
        return {};
    NumberRange fractions = range;
    fractions.integer = false;
    const bool isFraction = range.integer && !value && text.find_first_of(".eE") != text.npos &&
                            parseNumberFor(fractions, text);
    return fmt::format("{}: expected {}{}", text.empty() ? "is empty" : text,
                       isFraction ? "a whole number, " : "", rangeText(range));
}

CLI::Validator numberValidator(const NumberRange& range) {
    return CLI::Validator(
        [range](std::string& text) {
            std::string problem = problemOf(range, text);
            // CLI11 would read a leading zero as octal, and refuses a plus sign.
            if (problem.empty()) {
                if (text.starts_with('+')) text.erase(0, 1);
                const bool negative = text.starts_with('-');
                const std::size_t digits = text.find_first_not_of('0', negative ? 1 : 0);
                if (range.integer)
                    text =
                        (negative ? "-" : "") + (digits == text.npos ? "0" : text.substr(digits));
            }
            return problem;
        },
        "", kNumberCheck);
}

}  // namespace threefold
