#pragma once

#include <cstdint>
#include <vector>

#include <QString>

namespace threefold::ui {

/// Numbers as people read them, the same in every locale: decimal point, a narrow no-break space
/// between thousands, a real minus sign.

QString groupedCount(std::int64_t count);  ///< "6 000"
QString fixed(double value, int decimals);
QString signedFixed(double value, int decimals);  ///< "+20.54", "−2.52", "0.00"
QString shortScientific(double value);            ///< "3.21e-4", "0"

/// Three significant digits without the unit: "0.42", "6.12", "61.2", "612", "1 812".
QString milliseconds(double value);

/// What a scale is marked with: the multiples of 1, 2 or 5 times a power of ten between `lowest`
/// and `highest`, with the smallest step that does not give more than `most` intervals. Empty
/// unless both are finite and lowest < highest.
struct Ticks {
    std::vector<double> values;
    int decimals = 0;  ///< that the step needs
};
Ticks niceTicks(double lowest, double highest, int most);

/// For a logarithmic scale: powers of ten, with 2 and 5 between them or only every n-th of them, so
/// that there are at most `most`, and two wherever the range holds two such numbers. Empty unless
/// 0 < lowest < highest.
std::vector<double> logarithmicTicks(double lowest, double highest, int most);

/// As short as it is exact to three digits: "0.02", "5e-5", "120".
QString shortNumber(double value);

}  // namespace threefold::ui
