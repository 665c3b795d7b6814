#include "engine/model/run_step_spans.h"

#include <algorithm>
#include <string>
#include <utility>

namespace threefold {

Spans runStepSpans(const StepTimings& timings, double wallMilliseconds, LaneKind device,
                   double begin, int spanNumber) {
    constexpr double kRounding = 1e-6;  // milliseconds
    const bool overlapped = device == LaneKind::gpu && wallMilliseconds > 0 &&
                            summedBackendMilliseconds(timings) > wallMilliseconds + kRounding;
    Spans spans;
    double now = begin;
    double firstConvolution = begin;
    double secondStreamEnd = begin;
    for (const StepTiming& timing : timings) {
        Span span{std::string(runStepName(timing.step)),
                  {device, 0},
                  now,
                  timing.milliseconds,
                  spanNumber};
        if (timing.step == RunStep::load) span.lane.kind = LaneKind::processor;
        if (timing.step == RunStep::cnn1) firstConvolution = now;
        if (timing.step == RunStep::cnn2 && overlapped) {
            span.lane.index = 1;
            span.begin = firstConvolution;
            secondStreamEnd = span.end();
        } else {
            // The hypothesis blocks read the results of stage 1 and of stage 2's convolutions.
            if (timing.step == RunStep::project2 || timing.step == RunStep::block1)
                span.begin = std::max(now, secondStreamEnd);
            now = span.end();
        }
        spans.push_back(std::move(span));
    }
    return spans;
}

}  // namespace threefold
