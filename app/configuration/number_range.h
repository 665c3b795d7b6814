#pragma once

#include <cfloat>
#include <limits>
#include <string>

#include <CLI/CLI.hpp>

namespace threefold {

/// Range of a number on the command line or in threefold.toml. The number is decimal and finite.
struct NumberRange {
    double min = 0;  ///< included, unless exclusiveMin
    double max = DBL_MAX;
    bool exclusiveMin = false;  ///< `min` is excluded
    bool integer = false;       ///< without a fraction
    const char* unit = "";      ///< "mm", for messages

    /// A whole number: a count, an index or pixels.
    static constexpr NumberRange wholeNumber(double min, double max) {
        return {.min = min, .max = max, .integer = true};
    }
    static constexpr NumberRange millimetres(double min, double max) {
        return {.min = min, .max = max, .unit = "mm"};
    }
    static constexpr NumberRange degrees(double min, double max) {
        return {.min = min, .max = max, .unit = "degrees"};
    }
    /// A position or length in a picture, with fractions of a pixel.
    static constexpr NumberRange picturePosition(double max) {
        return {.max = max, .unit = "pixels"};
    }
    static constexpr NumberRange milliseconds(double max) { return {.max = max, .unit = "ms"}; }
    static constexpr NumberRange seconds(double max) { return {.max = max, .unit = "s"}; }
    static constexpr NumberRange fraction() { return {.max = 1}; }
    /// A number above zero, in any unit, whose square is finite.
    static constexpr NumberRange positive() {
        return {.max = coordinate().max, .exclusiveMin = true};
    }
    /// A coordinate, in any unit.
    static constexpr NumberRange coordinate() {
        constexpr double kLimit = 1e30;  // so that squares are finite
        return {.min = -kLimit, .max = kLimit};
    }
};

/// Text of a range for messages: "0 to 1024", "above 0", "10 to 1000 mm".
std::string rangeText(const NumberRange& range);

/// Problem of a number: "97,5: expected 10 to 1000 mm"; empty if valid. Refuses an empty text, nan,
/// inf, values beyond a double, fractions if `integer` is set, and a minus sign where nothing below
/// zero is accepted.
std::string problemOf(const NumberRange& range, const std::string& text);

/// Validator of an option, named kNumberCheck.
CLI::Validator numberValidator(const NumberRange& range);
inline constexpr const char* kNumberCheck = "number";

}  // namespace threefold
