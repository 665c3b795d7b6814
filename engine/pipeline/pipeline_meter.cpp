#include "engine/pipeline/pipeline_meter.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace threefold {
namespace {

template <class Value>
void keepLast(std::vector<Value>& values, std::size_t count) {
    if (values.size() > count)
        values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(count));
}

/// Keeps the last `count` values or up to twice as many: erasing at each addition would be slow.
template <class Value>
void trim(std::vector<Value>& values, std::size_t count) {
    if (values.size() >= 2 * count) keepLast(values, count);
}

}  // namespace

void PipelineMeter::add(PipelineStep step, std::size_t samples, double busy, double cpuTime,
                        Spans spans) {
    const std::scoped_lock lock(mutex_);
    PipelineStepTimes& times = report_.of(step);
    times.samples += samples;
    times.busy += busy;
    times.cpuTime += cpuTime;
    std::ranges::move(spans, std::back_inserter(report_.spans));
}

void PipelineMeter::addWaitForWork(WorkerGroup group, double milliseconds) {
    const std::scoped_lock lock(mutex_);
    report_.of(group).waitedForWork += milliseconds;
}

void PipelineMeter::addWaitForSpace(WorkerGroup group, double milliseconds) {
    const std::scoped_lock lock(mutex_);
    report_.of(group).waitedForSpace += milliseconds;
}

void PipelineMeter::setThreads(WorkerGroup group, std::size_t active) {
    const std::scoped_lock lock(mutex_);
    WorkerGroupTimes& times = report_.of(group);
    ActiveThreads& previous = active_.at(static_cast<std::size_t>(group));
    const double time = now();
    times.available += static_cast<double>(previous.threads) * (time - previous.since);
    times.threads = std::max(times.threads, active);
    previous = {active, time};
}

double PipelineMeter::addBatch(std::size_t size, double milliseconds, const QueueDepths& depths) {
    const std::scoped_lock lock(mutex_);
    const double elapsed = std::min(milliseconds, depths.measuredAt - lastBatchEndedAt_);
    report_.batches.push_back({depths.measuredAt, size, elapsed});
    lastBatchEndedAt_ = depths.measuredAt;
    trim(report_.batches, PipelineReport::kMaxBatchTimes);
    if (batches_++ % depthInterval_ != 0) return elapsed;
    report_.depths.push_back(depths);
    if (report_.depths.size() <= PipelineReport::kMaxDepths) return elapsed;
    // Drops every second entry, and halves the rate of further ones.
    depthInterval_ *= 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < report_.depths.size(); i += 2)
        report_.depths[kept++] = report_.depths[i];
    report_.depths.resize(kept);
    return elapsed;
}

void PipelineMeter::addStored(double latency, bool failed) {
    const std::scoped_lock lock(mutex_);
    ++report_.samples;
    if (failed) ++report_.failed;
    report_.latencies.push_back(latency);
    trim(report_.latencies, PipelineReport::kMaxLatencies);
}

void PipelineMeter::addStepTimings(const StepTimings& timings) {
    const std::scoped_lock lock(mutex_);
    for (const StepTiming& timing : timings) {
        const auto known = std::ranges::find(report_.networkSteps, timing.step, &StepTiming::step);
        if (known == report_.networkSteps.end())
            report_.networkSteps.push_back(timing);
        else
            known->milliseconds += timing.milliseconds;
    }
}

std::array<PipelineStepTimes, kPipelineSteps.size()> PipelineMeter::steps() const {
    const std::scoped_lock lock(mutex_);
    return report_.steps;
}

PipelineReport PipelineMeter::takeReport() {
    for (const WorkerGroup group : kWorkerGroups) setThreads(group, 0);
    const std::scoped_lock lock(mutex_);
    report_.wallMilliseconds = now();
    keepLast(report_.batches, PipelineReport::kMaxBatchTimes);
    keepLast(report_.latencies, PipelineReport::kMaxLatencies);
    return std::move(report_);
}

PipelineStepTimer::Step::Step(PipelineStepTimer& timer, PipelineStep step, std::size_t samples)
    : timer_(timer),
      step_(step),
      samples_(samples),
      begin_(timer.meter_.now()),
      cpuBegin_(threadCpuMilliseconds()) {}

PipelineStepTimer::Step::~Step() {
    const double busy = watch_.milliseconds();
    Spans spans;
    if (timer_.meter_.wantsSpans())
        spans.push_back({std::string(pipelineStepName(step_)), timer_.lane_, begin_, busy,
                         static_cast<int>(timer_.position_) + 1});
    timer_.meter_.add(step_, samples_, busy, threadCpuMilliseconds() - cpuBegin_, std::move(spans));
}

}  // namespace threefold
