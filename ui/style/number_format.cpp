#include "ui/style/number_format.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include <QCoreApplication>

#include <QLocale>
#include <QStringList>

namespace threefold::ui {
namespace {

constexpr QChar kThousands(0x202F);
constexpr QChar kMinus(0x2212);

QString grouped(QString digits) {
    const qsizetype point = digits.indexOf('.');
    const qsizetype first = digits.startsWith('-') ? 1 : 0;
    for (qsizetype position = (point < 0 ? digits.size() : point) - 3; position > first;
         position -= 3)
        digits.insert(position, kThousands);
    if (first == 1) digits[0] = kMinus;
    return digits;
}

bool isZero(const QString& text) {
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c == '0' || c == '.' || c == '-'; });
}

}  // namespace

void useOneNumberFormat() {
    QLocale::setDefault(QLocale::c());
}

QString groupedCount(std::int64_t count) {
    return grouped(QString::number(count));
}

QString fixedText(double value, int decimals) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    QString text = QString::fromStdString(fmt::format("{:.{}f}", value, decimals));
    if (isZero(text) && text.startsWith('-')) text.remove(0, 1);
    return grouped(text);
}

QString signedText(double value, int decimals) {
    const QString text = fixedText(value, decimals);
    return value > 0 && !isZero(text) && std::isfinite(value) ? '+' + text : text;
}

QString numberList(const std::vector<int>& numbers) {
    QStringList texts;
    for (const int number : numbers) texts << QString::number(number);
    return texts.join(QStringLiteral(", "));
}

QString shortScientific(double value) {
    if (value == 0) return QStringLiteral("0");
    if (!std::isfinite(value)) return QStringLiteral("–");
    const std::string text = fmt::format("{:.2e}", value);  // "3.21e-04"
    const std::size_t exponent = text.find('e');
    return QString::fromStdString(
        fmt::format("{}e{}", text.substr(0, exponent), std::stoi(text.substr(exponent + 1))));
}

QString millisecondsText(double value) {
    const double magnitude = std::abs(value);
    return fixedText(value, magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
}

Ticks niceTicks(double min, double max, int maxIntervals) {
    Ticks ticks;
    const double range = max - min;
    // Below this range, steps vanish in rounding or are denormal.
    const double minRange = std::max(1e-12 * std::max(std::abs(min), std::abs(max)), 1e-300);
    if (!std::isfinite(range) || range <= minRange || maxIntervals < 1) return ticks;
    const double targetStep = range / maxIntervals;
    int exponent = static_cast<int>(std::floor(std::log10(targetStep)));
    int factor = 1;
    // Rounding must not skip a step that just fits.
    const double slack = 1 + 1e-9;
    while (factor * std::pow(10.0, exponent) * slack < targetStep) {
        factor = factor == 1 ? 2 : factor == 2 ? 5 : 10;
        if (factor == 10) {
            factor = 1;
            ++exponent;
        }
    }
    const double step = factor * std::pow(10.0, exponent);
    const double tolerance = 1e-9 * maxIntervals;  // in steps
    ticks.decimals = std::max(0, -exponent);
    const double first = std::ceil(min / step - tolerance);
    const auto count = static_cast<int>(std::floor(max / step + tolerance) - first) + 1;
    for (int i = 0; i < count; ++i) ticks.values.push_back((first + i) * step);
    return ticks;
}

std::vector<double> logarithmicTicks(double min, double max, int maxTicks) {
    if (!(min > 0) || !(max > min) || !std::isfinite(max) || maxTicks < 1) return {};
    const auto multiples = [&](std::initializer_list<double> factors, int every) {
        std::vector<double> values;
        const int first = static_cast<int>(std::floor(std::log10(min)));
        const int last = static_cast<int>(std::floor(std::log10(max)));
        for (int power = first; power <= last; ++power) {
            if (power % every != 0) continue;
            for (const double factor : factors) {
                const double value = factor * std::pow(10.0, power);
                if (value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9)) values.push_back(value);
            }
        }
        return values;
    };
    const auto limit = static_cast<std::size_t>(maxTicks);
    std::vector<double> values = multiples({1, 2, 5}, 1);
    if (values.size() > limit) values = multiples({1, 3}, 1);
    for (int every = 1; values.size() > limit && every < 64; ++every)
        values = multiples({1}, every);
    return values.size() > limit ? std::vector<double>{} : values;
}

QString durationText(double seconds) {
    const auto text = [](const char* pattern) {
        return QCoreApplication::translate("Duration", pattern);
    };
    const auto rounded = std::llround(seconds);
    constexpr qint64 kMinute = 60;
    constexpr qint64 kHour = 3600;
    if (rounded < kMinute) return text("%1 s").arg(rounded);
    if (rounded < kHour) return text("%1 min %2 s").arg(rounded / kMinute).arg(rounded % kMinute);
    return text("%1 h %2 min").arg(rounded / kHour).arg(rounded % kHour / kMinute);
}

QString timeText(double milliseconds) {
    const auto text = [](const char* pattern) {
        return QCoreApplication::translate("Duration", pattern);
    };
    constexpr double kSecond = 1000;
    if (!(milliseconds >= 999.5)) return text("%1 ms").arg(millisecondsText(milliseconds));
    if (milliseconds < 9.95 * kSecond)
        return text("%1 s").arg(fixedText(milliseconds / kSecond, 1));
    return durationText(milliseconds / kSecond);
}

QString shortNumber(double value) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    QString text = QString::fromStdString(fmt::format("{:.3g}", value));
    text.replace(QLatin1String("e-0"), QLatin1String("e-"));
    text.replace(QLatin1String("e+0"), QLatin1String("e"));
    text.replace(QLatin1String("e+"), QLatin1String("e"));
    if (text == QLatin1String("-0")) return QStringLiteral("0");
    if (text.startsWith('-')) text[0] = kMinus;
    return text;
}

}  // namespace threefold::ui
