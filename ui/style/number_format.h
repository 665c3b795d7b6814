#pragma once

#include <cstdint>
#include <vector>

#include <QString>

// Numbers as text, in one format for every locale: decimal point, narrow no-break space between
// thousands, a real minus sign.
namespace threefold::ui {

/// Makes fields and dialogs write numbers as the functions below do, with a point, whatever the
/// desktop's language. Call once, before the first widget is made.
void useOneNumberFormat();

QString groupedCount(std::int64_t count);        ///< "6 000"
QString fixedText(double value, int decimals);   ///< "1 812.50"; "–" unless finite
QString signedText(double value, int decimals);  ///< "+20.54", "−2.52", "0.00"
QString shortScientific(double value);           ///< "3.21e-4", "0"

QString numberList(const std::vector<int>& numbers);  ///< "0, 6, 7"

/// Milliseconds without the unit, with two decimals below 10, one below 100, and else none: "0.42",
/// "6.12", "61.2", "612", "1 812".
QString millisecondsText(double value);

/// A time of at least a second: "12 s", "3 min 5 s", "2 h 10 min".
QString durationText(double seconds);

/// A time with its unit: "612 ms", "3.4 s"; from 10 s on durationText().
QString timeText(double milliseconds);

/// Ticks of a linear scale: multiples of a step of 1, 2 or 5 times a power of ten between `min` and
/// `max`, with the smallest step that gives at most `maxIntervals` intervals. Empty unless `min`
/// and `max` are finite, max − min exceeds 1e-12 of the larger absolute value, and `maxIntervals`
/// is at least 1.
struct Ticks {
    std::vector<double> values;
    int decimals = 0;  ///< decimals needed to write the step
};
Ticks niceTicks(double min, double max, int maxIntervals);

/// Ticks of a logarithmic scale, at most `maxTicks`: 1, 2 and 5 times the powers of ten; if these
/// numbers are too many, 1 and 3 times the powers; or else only every n-th power. If the range
/// holds two numbers that are 1, 2 or 5 times a power, and `maxTicks` ≥ 3, there are at least two
/// ticks. Empty unless 0 < min < max < ∞ and `maxTicks` ≥ 1.
std::vector<double> logarithmicTicks(double min, double max, int maxTicks);

/// At most three significant digits, as short as possible: "0.02", "5e-5", "120".
QString shortNumber(double value);

}  // namespace threefold::ui
