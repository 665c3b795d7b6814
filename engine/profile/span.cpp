#include "engine/profile/span.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/json_text.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kRounding = 1e-6;  // milliseconds

/// In the order of LaneKind.
constexpr std::array<std::string_view, 8> kKindNames = {
    "CPU", "GPU stream", "window", "render", "loader", "network", "finisher", "store"};

constexpr int kProcess = 1;
constexpr double kMicroseconds = 1000;
constexpr int kMaxLanesPerKind = 100;

int threadOf(Lane lane) {
    return static_cast<int>(lane.kind) * kMaxLanesPerKind + lane.index + 1;
}

Json metadata(const char* name, int thread, const char* key, const Json& value) {
    return {
        {"ph", "M"}, {"name", name}, {"pid", kProcess}, {"tid", thread}, {"args", {{key, value}}}};
}

Json event(const Span& span) {
    Json json{{"ph", "X"},
              {"name", span.name},
              {"cat", laneName(span.lane)},
              {"ts", span.begin * kMicroseconds},
              {"dur", span.duration * kMicroseconds},
              {"pid", kProcess},
              {"tid", threadOf(span.lane)}};
    if (span.run > 0) json["args"] = {{"run", span.run}};
    return json;
}

}  // namespace

std::string laneName(Lane lane) {
    const bool numbered = lane.kind == LaneKind::gpu || lane.index > 0;
    const std::string_view kind = kKindNames.at(static_cast<std::size_t>(lane.kind));
    return numbered ? fmt::format("{} {}", kind, lane.index + 1) : std::string(kind);
}

Spans runStepSpans(const StepTimings& timings, double wallMilliseconds, LaneKind device,
                   double begin, int run) {
    const bool overlapped = device == LaneKind::gpu && wallMilliseconds > 0 &&
                            summedBackendMilliseconds(timings) > wallMilliseconds + kRounding;
    Spans spans;
    double now = begin;
    double firstConvolution = begin;
    double secondStreamEnd = begin;
    for (const StepTiming& timing : timings) {
        Span span{
            std::string(runStepName(timing.step)), {device, 0}, now, timing.milliseconds, run};
        if (timing.step == RunStep::load) span.lane.kind = LaneKind::processor;
        if (timing.step == RunStep::cnn1) firstConvolution = now;
        if (timing.step == RunStep::cnn2 && overlapped) {
            span.lane.index = 1;
            span.begin = firstConvolution;
            secondStreamEnd = span.end();
        } else {
            // The hypothesis blocks read the results of both stages.
            if (timing.step == RunStep::project2 || timing.step == RunStep::block1)
                span.begin = std::max(now, secondStreamEnd);
            now = span.end();
        }
        spans.push_back(std::move(span));
    }
    return spans;
}

std::string formatChromeTrace(const Spans& spans) {
    Json events = Json::array();
    events.push_back(metadata("process_name", 0, "name", "Threefold"));
    std::set<Lane> lanes;
    for (const Span& span : spans) lanes.insert(span.lane);
    for (const Lane lane : lanes) {
        events.push_back(metadata("thread_name", threadOf(lane), "name", laneName(lane)));
        events.push_back(
            metadata("thread_sort_index", threadOf(lane), "sort_index", threadOf(lane)));
    }
    for (const Span& span : spans) events.push_back(event(span));
    return dumpJson(Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}) + '\n';
}

std::string formatProfileJson(const Spans& spans) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> times;
    Json spanList = Json::array();
    for (const Span& span : spans) {
        std::vector<double>& durations = times[span.name];
        if (durations.empty()) order.push_back(span.name);
        durations.push_back(span.duration);
        spanList.push_back({{"name", span.name},
                            {"lane", laneName(span.lane)},
                            {"run", span.run},
                            {"beginMs", span.begin},
                            {"durationMs", span.duration}});
    }
    Json names = Json::array();
    for (const std::string& name : order) {
        const std::vector<double>& values = times[name];
        double sum = 0;
        for (const double value : values) sum += value;
        names.push_back({{"name", name},
                         {"count", values.size()},
                         {"lastMs", values.back()},
                         {"medianMs", *medianOf(values)},
                         {"p95Ms", *quantile(values, 0.95)},
                         {"sumMs", sum}});
    }
    return dumpJson(Json{{"names", std::move(names)}, {"spans", std::move(spanList)}}, 2) + '\n';
}

}  // namespace threefold
