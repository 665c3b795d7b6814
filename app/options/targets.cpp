#include "app/options/targets.h"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/configuration/bind_settings.h"
#include "app/configuration/setting.h"

namespace threefold {
namespace {

struct Compared {
    const char* key;   ///< of the entry in targetsJson()
    const char* unit;  ///< in targetsText()
    double target;
    double reached;
    bool met;
};

/// Targets that the options set.
std::vector<Compared> compared(const Targets& targets, double milliseconds,
                               double samplesPerSecond) {
    std::vector<Compared> all;
    if (targets.milliseconds > 0)
        all.push_back({"milliseconds", "ms a sample", targets.milliseconds, milliseconds,
                       milliseconds <= targets.milliseconds});
    if (targets.samplesPerSecond > 0)
        all.push_back({"samplesPerSecond", "samples/s", targets.samplesPerSecond, samplesPerSecond,
                       samplesPerSecond >= targets.samplesPerSecond});
    return all;
}

/// Number rounded to four significant digits, or to an integer from 1000 on.
std::string numberText(double value) {
    constexpr double kWhole = 1000;
    return value < kWhole ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

}  // namespace

void addTargets(CLI::App& command, Targets& targets) {
    addSetting(command, setting::targetMilliseconds, targets.milliseconds);
    addSetting(command, setting::targetRate, targets.samplesPerSecond);
}

std::string targetsText(const Targets& targets, double milliseconds, double samplesPerSecond) {
    std::string text;
    for (const Compared& each : compared(targets, milliseconds, samplesPerSecond))
        text += fmt::format("target {} {}: {} with {}\n", numberText(each.target), each.unit,
                            each.met ? "met" : "missed", numberText(each.reached));
    return text;
}

nlohmann::ordered_json targetsJson(const Targets& targets, double milliseconds,
                                   double samplesPerSecond) {
    nlohmann::ordered_json json;
    for (const Compared& each : compared(targets, milliseconds, samplesPerSecond))
        json[each.key] = {{"target", each.target}, {"reached", each.reached}, {"met", each.met}};
    return json;
}

}  // namespace threefold
