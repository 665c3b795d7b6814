#include "ui/profile/profile_history.h"

#include <algorithm>
#include <utility>

#include "engine/model/run_step_spans.h"

namespace threefold::ui {
namespace {

double millisecondsBetween(ProfileHistory::Clock::time_point from,
                           ProfileHistory::Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

void ProfileHistory::addRun(const Reconstruction& run, Clock::time_point startedAt,
                            LaneKind device) {
    if (runs_.size() == kMaxRuns) runs_.pop_front();
    Run added;
    added.number = ++lastNumber_;
    added.steps = runStepSpans(run.timings, run.wallMilliseconds, device, 0, added.number);
    added.start = startedAt;
    if (added.start == Clock::time_point{}) {
        double end = 0;
        for (const Span& span : added.steps) end = std::max(end, span.end());
        added.start = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double, std::milli>(end));
    }
    added.backendMilliseconds = run.milliseconds();
    network_.add(added.backendMilliseconds);
    runs_.push_back(std::move(added));
}

void ProfileHistory::addFit(double milliseconds) {
    if (runs_.empty()) return;
    Run& run = runs_.back();
    const double end = millisecondsBetween(run.start, Clock::now());
    const double begin = std::max(0.0, end - milliseconds);
    run.fit = Span{"fit", {LaneKind::processor, 0}, begin, milliseconds, run.number};
}

void ProfileHistory::addFrame(const render::FrameStatistics& frame, double panelViewMilliseconds) {
    if (frames_.size() == kMaxFrames) frames_.pop_front();
    frames_.push_back(frame);
    frame_.add(frame.milliseconds);
    if (frame.profileMilliseconds > 0)
        panel_.add(frame.profileMilliseconds + panelViewMilliseconds);
}

Spans ProfileHistory::spans() const {
    Clock::time_point zero = Clock::time_point::max();
    for (const Run& run : runs_) zero = std::min(zero, run.start);
    for (const render::FrameStatistics& frame : frames_) zero = std::min(zero, frame.start);
    Spans spans;
    for (const Run& run : runs_) {
        const double begin = millisecondsBetween(zero, run.start);
        const auto add = [&](Span span) {
            span.begin += begin;
            spans.push_back(std::move(span));
        };
        for (const Span& span : run.steps) add(span);
        if (run.fit) add(*run.fit);
    }
    int number = 0;
    for (const render::FrameStatistics& frame : frames_) {
        spans.push_back({"frame",
                         {LaneKind::render, 0},
                         millisecondsBetween(zero, frame.start),
                         frame.milliseconds,
                         ++number});
    }
    return spans;
}

}  // namespace threefold::ui
