#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stage.h"

namespace threefold {

/// What a span ran on.
enum class LaneKind {
    processor,  ///< a thread of the processor that does the work
    gpu,        ///< a stream of the GPU
    window,     ///< the thread of the event loop
    render,     ///< the thread that draws
    loader,     ///< a thread of a pipeline's group, here and below
    network,
    finisher,
    store,
};

/// One line of a timeline: spans of one lane follow each other or contain each other.
struct Lane {
    LaneKind kind = LaneKind::processor;
    int index = 0;  ///< of several of one kind, from 0

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes the zero it compares with for a pointer
    auto operator<=>(const Lane&) const = default;
};

/// "CPU", "CPU 2", "GPU stream 1", "window", "render", "loader", "finisher 2".
std::string laneName(Lane lane);

/// Something that took time. Milliseconds; `begin` counts from where the profile begins.
struct Span {
    std::string name;
    Lane lane;
    double begin = 0;
    double duration = 0;
    int run = 0;  ///< which reconstruction or frame it belongs to, from 1; 0: none

    double end() const { return begin + duration; }
    bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

/// What a backend that describes itself so computes on: "GPU · …", or a processor.
LaneKind laneOfBackend(std::string_view description);

/// The stages of one reconstruction as spans from `begin` on. Timings are durations only, so stages
/// follow each other: `load` on the processor, the rest on `device`. Where a GPU's stages add up to
/// more than `wallMilliseconds` (0: unknown), `cnn2` is put on a second stream beside stage 1.
Spans stageSpans(const StageTimings& timings, double wallMilliseconds, LaneKind device,
                 double begin, int run);

/// What every formatChromeTrace() begins with.
inline constexpr std::string_view kChromeTraceStart = R"({"displayTimeUnit":"ms","traceEvents":[)";

/// The spans in Chrome's trace format (a JSON object with "traceEvents"), which chrome://tracing
/// and Perfetto open: one complete event a span in microseconds, one named thread a lane.
std::string formatChromeTrace(const Spans& spans);

/// A plain report as JSON: for each name of a span its number, last, median, p95 and sum in
/// milliseconds (nearest rank, over all spans given), then every span.
std::string formatProfileJson(const Spans& spans);

}  // namespace threefold
