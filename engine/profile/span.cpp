#include "engine/profile/span.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace threefold {
namespace {

constexpr double kRounding = 1e-6;  // milliseconds

std::string_view kindName(LaneKind kind) {
    switch (kind) {
        case LaneKind::processor:
            return "CPU";
        case LaneKind::gpu:
            return "GPU stream";
        case LaneKind::window:
            return "window";
        case LaneKind::render:
            return "render";
    }
    return "unknown";
}

}  // namespace

std::string laneName(Lane lane) {
    const bool numbered = lane.kind == LaneKind::gpu || lane.index > 0;
    return numbered ? fmt::format("{} {}", kindName(lane.kind), lane.index + 1)
                    : std::string(kindName(lane.kind));
}

LaneKind laneOfBackend(std::string_view description) {
    return description.starts_with("GPU") ? LaneKind::gpu : LaneKind::processor;
}

Spans stageSpans(const StageTimings& timings, double wallMilliseconds, LaneKind device,
                 double begin, int run) {
    const bool overlapped = device == LaneKind::gpu && wallMilliseconds > 0 &&
                            networkMilliseconds(timings) > wallMilliseconds + kRounding;
    Spans spans;
    double now = begin;
    double firstConvolution = begin;
    double besideEnd = begin;
    for (const StageTiming& timing : timings) {
        Span span{std::string(stageName(timing.stage)), {device, 0}, now, timing.milliseconds, run};
        if (timing.stage == Stage::load) span.lane.kind = LaneKind::processor;
        if (timing.stage == Stage::cnn1) firstConvolution = now;
        if (timing.stage == Stage::cnn2 && overlapped) {
            span.lane.index = 1;
            span.begin = firstConvolution;
            besideEnd = span.end();
        } else {
            // The hypothesis blocks read what both stages made.
            if (timing.stage == Stage::block1) span.begin = std::max(now, besideEnd);
            now = span.end();
        }
        spans.push_back(std::move(span));
    }
    return spans;
}

bool nestProperly(const Spans& spans) {
    Spans sorted = spans;
    std::sort(sorted.begin(), sorted.end(), [](const Span& a, const Span& b) {
        return std::tuple(a.lane, a.begin, -a.duration) < std::tuple(b.lane, b.begin, -b.duration);
    });
    std::vector<double> ends;  // of the spans that are open
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const Span& span = sorted[i];
        if (span.duration < 0) return false;
        if (i > 0 && sorted[i - 1].lane != span.lane) ends.clear();
        while (!ends.empty() && ends.back() <= span.begin + kRounding) ends.pop_back();
        if (!ends.empty() && span.end() > ends.back() + kRounding) return false;
        ends.push_back(span.end());
    }
    return true;
}

}  // namespace threefold
