#include "engine/profile/trace_format.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/json_text.h"
#include "engine/order_statistics.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kProcess = 1;
constexpr double kMicrosecondsPerMillisecond = 1000;
constexpr int kMaxLanesPerKind = 100'000;  // more than a machine has cores

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
              {"ts", span.begin * kMicrosecondsPerMillisecond},
              {"dur", span.duration * kMicrosecondsPerMillisecond},
              {"pid", kProcess},
              {"tid", threadOf(span.lane)}};
    if (span.number > 0) json["args"] = {{"run", span.number}};
    return json;
}

}  // namespace

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
                            {"run", span.number},
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
