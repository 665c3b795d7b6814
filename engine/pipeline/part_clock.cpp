#include "engine/pipeline/pipeline_report.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace threefold {
namespace {

template <class Value>
void keepLast(std::vector<Value>& values, std::size_t most) {
    if (values.size() > most)
        values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(most));
}

/// Now and then, so that adding stays cheap.
template <class Value>
void bound(std::vector<Value>& values, std::size_t most) {
    if (values.size() >= 2 * most) keepLast(values, most);
}

}  // namespace

void PipelineMeter::add(PipelinePart part, std::size_t items, double busy, double core,
                        Spans spans) {
    const std::scoped_lock lock(mutex_);
    PartUse& use = report_.of(part);
    use.items += items;
    use.busy += busy;
    use.onCore += core;
    std::ranges::move(spans, std::back_inserter(report_.spans));
}

void PipelineMeter::waitedForWork(PipelineCrew crew, double milliseconds) {
    const std::scoped_lock lock(mutex_);
    report_.of(crew).waitedForWork += milliseconds;
}

void PipelineMeter::waitedForRoom(PipelineCrew crew, double milliseconds) {
    const std::scoped_lock lock(mutex_);
    report_.of(crew).waitedForRoom += milliseconds;
}

void PipelineMeter::threads(PipelineCrew crew, std::size_t allowed) {
    const std::scoped_lock lock(mutex_);
    CrewUse& use = report_.of(crew);
    Allowed& before = allowed_.at(static_cast<std::size_t>(crew));
    const double at = now();
    use.had += static_cast<double>(before.threads) * (at - before.since);
    use.threads = std::max(use.threads, allowed);
    before = {allowed, at};
}

double PipelineMeter::batch(std::size_t size, double milliseconds, const QueueDepths& depths) {
    const std::scoped_lock lock(mutex_);
    const double took = std::min(milliseconds, depths.at - lastEnd_);
    report_.batches.push_back({depths.at, size, took});
    lastEnd_ = depths.at;
    bound(report_.batches, PipelineReport::kMostBatchTimes);
    if (batches_++ % everyNth_ != 0) return took;
    report_.depths.push_back(depths);
    if (report_.depths.size() <= PipelineReport::kMostDepths) return took;
    // Every second one goes, and of those to come every second one stays.
    everyNth_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < report_.depths.size(); i += 2)
        report_.depths[kept++] = report_.depths[i];
    report_.depths.resize(kept);
    return took;
}

void PipelineMeter::stored(double latency, bool failed) {
    const std::scoped_lock lock(mutex_);
    ++report_.samples;
    if (failed) ++report_.failed;
    report_.latencies.push_back(latency);
    bound(report_.latencies, PipelineReport::kMostLatencies);
}

std::array<PartUse, kPipelineParts.size()> PipelineMeter::parts() const {
    const std::scoped_lock lock(mutex_);
    return report_.parts;
}

PipelineReport PipelineMeter::finish() {
    for (const PipelineCrew crew : kPipelineCrews) threads(crew, 0);
    const std::scoped_lock lock(mutex_);
    report_.wall = now();
    keepLast(report_.batches, PipelineReport::kMostBatchTimes);
    keepLast(report_.latencies, PipelineReport::kMostLatencies);
    return std::move(report_);
}

PartClock::Step::Step(PartClock& clock, PipelinePart part, std::size_t items)
    : clock_(clock),
      part_(part),
      items_(items),
      begin_(clock.meter_.now()),
      coreBegin_(threadCoreMilliseconds()) {}

PartClock::Step::~Step() {
    const double busy = watch_.milliseconds();
    Spans spans;
    if (clock_.meter_.wantsSpans()) {
        spans.push_back({std::string(partName(part_)), clock_.lane_, begin_, busy,
                         static_cast<int>(clock_.place_) + 1});
    }
    clock_.meter_.add(part_, items_, busy, threadCoreMilliseconds() - coreBegin_, std::move(spans));
}

}  // namespace threefold
