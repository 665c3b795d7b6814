#include "engine/evaluation/bottleneck.h"

#include <algorithm>

#include <fmt/format.h>

namespace threefold {
namespace {

/// Below, no part was busy enough to be what everything waited for.
constexpr double kBusy = 0.5;

std::string shareText(const PartShare& part) {
    return fmt::format("{} {:.0f} %", part.name, 100 * part.ofTheWall);
}

}  // namespace

Bottleneck bottleneckOf(const EvaluationRun& run) {
    Bottleneck result;
    std::vector<PartShare> parts = {{"network"}, {"load"}, {"metrics"}, {"write"}};
    for (const SampleRecord& record : run.records) {
        constexpr double kMillisecondsInSecond = 1000;
        const RecordTimes& times = record.times;
        parts[0].seconds += (times.network + times.preprocess) / kMillisecondsInSecond;
        parts[1].seconds += times.load / kMillisecondsInSecond;
        parts[2].seconds += times.metrics / kMillisecondsInSecond;
        parts[3].seconds += times.write / kMillisecondsInSecond;
    }
    const double wall = run.about.seconds;
    if (!(wall > 0) || !(parts[0].seconds > 0)) return result;
    for (PartShare& part : parts) part.ofTheWall = part.seconds / wall;
    const auto busiest = std::max_element(
        parts.begin(), parts.end(),
        [](const PartShare& a, const PartShare& b) { return a.seconds < b.seconds; });
    result.overhead = wall / parts[0].seconds - 1;
    result.verdict =
        busiest->ofTheWall >= kBusy
            ? fmt::format("The {} is the bottleneck: {:.0f} % of the wall.", busiest->name,
                          100 * busiest->ofTheWall)
            : "No part was busy for half of the wall: warming up or waiting took the rest.";
    std::string rest;
    for (const PartShare& part : parts) {
        if (&part != &*busiest) rest += (rest.empty() ? " " : ", ") + shareText(part);
    }
    result.verdict += rest + ".";
    result.parts = std::move(parts);
    return result;
}

}  // namespace threefold
