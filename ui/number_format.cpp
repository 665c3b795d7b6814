#include "ui/number_format.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace threefold::ui {
namespace {

constexpr QChar kThousands(0x202F);
constexpr QChar kMinus(0x2212);

QString grouped(QString digits) {
    const qsizetype point = digits.indexOf('.');
    const qsizetype first = digits.startsWith('-') ? 1 : 0;
    for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > first; at -= 3) {
        digits.insert(at, kThousands);
    }
    if (first == 1) digits[0] = kMinus;
    return digits;
}

}  // namespace

QString groupedCount(std::int64_t count) {
    return grouped(QString::number(count));
}

QString fixed(double value, int decimals) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    QString text = QString::fromStdString(fmt::format("{:.{}f}", value, decimals));
    const bool zero = std::all_of(text.begin(), text.end(),
                                  [](QChar c) { return c == '0' || c == '.' || c == '-'; });
    if (zero && text.startsWith('-')) text.remove(0, 1);
    return grouped(text);
}

QString signedFixed(double value, int decimals) {
    const QString text = fixed(value, decimals);
    const bool zero =
        std::all_of(text.begin(), text.end(), [](QChar c) { return c == '0' || c == '.'; });
    return value > 0 && !zero && std::isfinite(value) ? '+' + text : text;
}

QString shortScientific(double value) {
    if (value == 0) return QStringLiteral("0");
    if (!std::isfinite(value)) return QStringLiteral("–");
    const std::string text = fmt::format("{:.2e}", value);  // "3.21e-04"
    const std::size_t exponent = text.find('e');
    return QString::fromStdString(
        fmt::format("{}e{}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1))));
}

QString milliseconds(double value) {
    const double size = std::abs(value);
    return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

Ticks niceTicks(double highest, int most) {
    Ticks ticks;
    if (!std::isfinite(highest) || highest <= 0 || most < 1) return ticks;
    const double raw = highest / most;
    int exponent = static_cast<int>(std::floor(std::log10(raw)));
    int factor = 1;
    // Rounding in the division must not turn the fitting step into the next one.
    const double slack = 1 + 1e-9;
    while (factor * std::pow(10.0, exponent) * slack < raw) {
        factor = factor == 1 ? 2 : factor == 2 ? 5 : 10;
        if (factor == 10) {
            factor = 1;
            ++exponent;
        }
    }
    const double step = factor * std::pow(10.0, exponent);
    ticks.decimals = std::max(0, -exponent);
    for (int i = 0; i * step <= highest * slack; ++i) ticks.values.push_back(i * step);
    return ticks;
}

}  // namespace threefold::ui
