#include "ui/profile/profile_history.h"

#include <algorithm>
#include <utility>

namespace threefold::ui {
namespace {

double millisecondsBetween(ProfileHistory::Clock::time_point from,
                           ProfileHistory::Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace

void ProfileHistory::addRun(const Reconstruction& run, LaneKind device) {
    if (runs_.size() == Rolling::kUsual) runs_.pop_front();
    Run added;
    added.number = ++lastNumber_;
    added.stages = stageSpans(run.timings, run.wallMilliseconds, device, 0, added.number);
    added.begun = run.begun;
    if (added.begun == Clock::time_point{}) {
        double end = 0;
        for (const Span& span : added.stages) end = std::max(end, span.end());
        added.begun = Clock::now() - std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double, std::milli>(end));
    }
    added.milliseconds = run.milliseconds();
    network_.add(added.milliseconds);
    runs_.push_back(std::move(added));
}

void ProfileHistory::addFit(double milliseconds) {
    if (runs_.empty()) return;
    Run& run = runs_.back();
    const double end = millisecondsBetween(run.begun, Clock::now());
    const double begin = std::max(0.0, end - milliseconds);
    run.fit = Span{"fit", {LaneKind::processor, 0}, begin, milliseconds, run.number};
}

void ProfileHistory::addFrame(const render::FrameCost& cost, double viewMilliseconds) {
    if (frames_.size() == kFrames) frames_.pop_front();
    frames_.push_back(cost);
    frame_.add(cost.milliseconds);
    if (cost.overlayMilliseconds > 0) overlay_.add(cost.overlayMilliseconds + viewMilliseconds);
}

Spans ProfileHistory::spans() const {
    Clock::time_point zero = Clock::time_point::max();
    for (const Run& run : runs_) zero = std::min(zero, run.begun);
    for (const render::FrameCost& frame : frames_) zero = std::min(zero, frame.begun);
    Spans spans;
    for (const Run& run : runs_) {
        const double begin = millisecondsBetween(zero, run.begun);
        const auto add = [&](Span span) {
            span.begin += begin;
            spans.push_back(std::move(span));
        };
        for (const Span& span : run.stages) add(span);
        if (run.fit) add(*run.fit);
    }
    int number = 0;
    for (const render::FrameCost& frame : frames_) {
        spans.push_back({"frame",
                         {LaneKind::render, 0},
                         millisecondsBetween(zero, frame.begun),
                         frame.milliseconds,
                         ++number});
    }
    return spans;
}

}  // namespace threefold::ui
