#include "engine/profile/span.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace threefold {
namespace {

constexpr double kRounding = 1e-6;  // milliseconds

/// In the order of LaneKind.
constexpr std::array<std::string_view, 8> kKindNames = {
    "CPU", "GPU stream", "window", "render", "loader", "network", "finisher", "store"};

}  // namespace

std::string laneName(Lane lane) {
    const bool numbered = lane.kind == LaneKind::gpu || lane.index > 0;
    const std::string_view kind = kKindNames.at(static_cast<std::size_t>(lane.kind));
    return numbered ? fmt::format("{} {}", kind, lane.index + 1) : std::string(kind);
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

}  // namespace threefold
