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

/// What a scale is marked with: multiples of 1, 2 or 5 times a power of ten from 0 up to
/// `highest`, the smallest step that gives at most `most` marks besides 0. Empty unless `highest`
/// is finite and > 0.
struct Ticks {
    std::vector<double> values;
    int decimals = 0;  ///< that the step needs
};
Ticks niceTicks(double highest, int most);

}  // namespace threefold::ui
