#include "engine/sample_rendering/view_plan.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/random_numbers.h"
#include "engine/text.h"
#include "engine/utf8.h"

namespace threefold {
namespace {

constexpr std::size_t kDefaultViews = 24;

[[noreturn]] void refuse(std::string_view option, const std::string& problem) {
    throw UsageError({std::string(option), "", problem,
                      "Write a number, a list (0,90,180), first:last:step (0:345:15) or a range "
                      "of random values (25..30)."});
}

double toNumber(std::string_view word, std::string_view option) {
    const std::optional<double> value = parseNumber<double>(word);
    if (!value || !std::isfinite(*value))
        refuse(option, fmt::format("'{}' is not a number", textPrefix(word, 40)));
    return *value;
}

std::vector<double> numbersBetween(std::string_view text, char separator, std::string_view option) {
    std::vector<double> numbers;
    for (const std::string& word : split(text, separator))
        numbers.push_back(toNumber(word, option));
    return numbers;
}

std::vector<double> steps(std::string_view text, std::string_view option) {
    const std::vector<double> parts = numbersBetween(text, ':', option);
    if (parts.size() != 3) refuse(option, "expected three numbers, first:last:step");
    const double count = (parts[1] - parts[0]) / parts[2];
    if (!(count >= 0) || count >= kMaxPlannedViews)
        refuse(option, fmt::format("'{}' makes no list of 1 to {} values", text, kMaxPlannedViews));
    std::vector<double> values;
    constexpr double kRounding = 1e-9;
    for (int i = 0; i <= static_cast<int>(count + kRounding); ++i)
        values.push_back(parts[0] + i * parts[2]);
    return values;
}

/// Throws UsageError if a value is outside min…max.
void check(const CameraParameter& parameter, std::string_view option, double min, double max) {
    const auto checkValue = [&](double value) {
        if (!(value >= min && value <= max))
            throw UsageError({std::string(option), "",
                              fmt::format("{} is not within {} to {}", value, min, max),
                              "Choose a value in this range."});
    };
    for (const double value : parameter.values) checkValue(value);
    if (!parameter.values.empty()) return;
    checkValue(parameter.min);
    checkValue(parameter.max);
    if (parameter.max < parameter.min)
        throw UsageError(
            {std::string(option), "",
             fmt::format("the range {}..{} ends before it begins", parameter.min, parameter.max),
             "Write the lower number first."});
}

double valueOf(const CameraParameter& parameter, std::size_t view, RandomGenerator& random) {
    // Draws a random number for a list too, so that fixing one parameter does not change the
    // others.
    const double drawn = random.uniform(parameter.min, parameter.max);
    if (!parameter.values.empty()) return parameter.values[view % parameter.values.size()];
    constexpr double kDecimals = 1e9;
    return std::round(drawn * kDecimals) / kDecimals;
}

}  // namespace

CameraParameter parseCameraParameter(std::string_view text, std::string_view option) {
    if (const std::size_t dots = text.find(".."); dots != text.npos)
        return {
            {}, toNumber(text.substr(0, dots), option), toNumber(text.substr(dots + 2), option)};
    if (text.find(':') != text.npos) return {steps(text, option), 0, 0};
    return {numbersBetween(text, ',', option), 0, 0};
}

std::vector<CameraRow> planViews(const ViewPlan& plan, std::string_view id) {
    check(plan.azimuth, "`azimuth`", -kMaxRowDegrees, kMaxRowDegrees);
    check(plan.elevation, "`elevation`", -90, 90);
    check(plan.distance, "`distance`", kMinPlannedDistance, kMaxRowDistance);
    const std::size_t longest = std::max(
        {plan.azimuth.values.size(), plan.elevation.values.size(), plan.distance.values.size()});
    const std::size_t count = plan.count > 0 ? static_cast<std::size_t>(plan.count)
                              : longest > 1  ? longest
                                             : kDefaultViews;
    if (plan.count < 0 || count < kMinPlannedViews || count > kMaxPlannedViews)
        throw UsageError({"`views`", "",
                          fmt::format("{} views, {} to {} can be made",
                                      plan.count != 0 ? plan.count : static_cast<int>(count),
                                      kMinPlannedViews, kMaxPlannedViews),
                          "Choose another number of views."});
    RandomGenerator random(plan.seed, id);
    std::vector<CameraRow> rows;
    for (std::size_t view = 0; view < count; ++view) {
        CameraRow row;
        row.azimuth = valueOf(plan.azimuth, view, random);
        row.elevation = valueOf(plan.elevation, view, random);
        row.distance = valueOf(plan.distance, view, random);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace threefold
