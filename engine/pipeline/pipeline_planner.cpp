#include "engine/pipeline/pipeline_planner.h"

#include <algorithm>
#include <thread>

#include "engine/compute/parallel.h"

namespace threefold {
namespace {

/// Minimum wait in milliseconds, unless PipelineOptions::maxWaitMilliseconds is shorter.
constexpr double kMinWait = 1;

std::size_t coreCountOf(const PipelineOptions& options) {
    const int count = options.coreCount > 0
                          ? resolveThreadCount(static_cast<int>(options.coreCount))
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return static_cast<std::size_t>(count);
}

}  // namespace

PipelinePlanner::PipelinePlanner(const PipelineOptions& options, std::size_t count,
                                 std::size_t maxBatchSize)
    : options_(options),
      sampleCount_(std::max<std::size_t>(count, 1)),
      coreCount_(coreCountOf(options)),
      adaptsBatch_(options.batch == 0 && maxBatchSize > 1),
      sizer_(kMaxUsefulBatchSize),
      batch_(adaptsBatch_ ? sizer_.nextSize(std::max<std::size_t>(count, 1))
                          : std::max<std::size_t>(options.batch, 1)),
      queueCapacity_(2 * batch_),
      workerPlanner_(coreCount_, options.usesGpu) {}

WorkerCounts PipelinePlanner::workers() const {
    WorkerCounts counts = workerPlanner_.counts();
    if (options_.loaders > 0) counts.loaders = options_.loaders;
    if (options_.finishers > 0) counts.finishers = options_.finishers;
    // More threads than samples have no work.
    return {std::min(counts.loaders, sampleCount_), std::min(counts.finishers, sampleCount_)};
}

double PipelinePlanner::maxWait() const {
    if (!adaptsBatch_) return options_.maxWaitMilliseconds;
    return std::min(std::max(lastBatchMilliseconds_, kMinWait), options_.maxWaitMilliseconds);
}

void PipelinePlanner::addLoaded(std::size_t bytes) {
    std::size_t before = maxSampleBytes_.load();
    while (before < bytes && !maxSampleBytes_.compare_exchange_weak(before, bytes)) {
    }
}

void PipelinePlanner::addBatch(std::size_t size, double milliseconds, double elapsed,
                               bool succeeded) {
    lastBatchMilliseconds_ = milliseconds;
    if (adaptsBatch_ && succeeded) sizer_.record(size, elapsed);
}

void PipelinePlanner::planBatch(std::size_t remaining, std::size_t maxBatchSize) {
    if (!adaptsBatch_) return;
    batch_ =
        sizer_.nextSize(std::max<std::size_t>(remaining, 1), std::min(maxBatchSize, maxQueued()));
    if (queueCapacity_ < 2 * batch_) queueCapacity_ = std::min(2 * batch_, maxQueued());
}

bool PipelinePlanner::planWorkers(const std::array<PipelineStepTimes, kPipelineSteps.size()>& steps,
                                  double now) {
    const auto samplesOf = [&](PipelineStep step) {
        const auto i = static_cast<std::size_t>(step);
        return steps[i].samples - totalsAtLastPlan_[i].samples;
    };
    const auto perSample = [&](PipelineStep step, double PipelineStepTimes::*time) {
        const auto i = static_cast<std::size_t>(step);
        const double elapsed = steps[i].*time - totalsAtLastPlan_[i].*time;
        return samplesOf(step) > 0 ? elapsed / static_cast<double>(samplesOf(step)) : 0.0;
    };
    const std::size_t samples = samplesOf(PipelineStep::network);
    const double milliseconds = now - lastPlanAt_;
    if (samples < kSamplesBetweenPlans || milliseconds < kMillisecondsBetweenPlans) return false;
    SampleCosts costs;
    costs.load = perSample(PipelineStep::load, &PipelineStepTimes::busy);
    costs.loadCpuTime = perSample(PipelineStep::load, &PipelineStepTimes::cpuTime);
    costs.network = perSample(PipelineStep::network, &PipelineStepTimes::busy);
    for (const PipelineStep step :
         {PipelineStep::fit, PipelineStep::measure, PipelineStep::write}) {
        costs.finish += perSample(step, &PipelineStepTimes::busy);
        costs.finishCpuTime += perSample(step, &PipelineStepTimes::cpuTime);
    }
    totalsAtLastPlan_ = steps;
    lastPlanAt_ = now;
    workerPlanner_.replan(costs, static_cast<double>(samples) / milliseconds);
    queueCapacity_ = queueCapacityFor(costs);
    return true;
}

std::size_t PipelinePlanner::queueCapacityFor(const SampleCosts& costs) const {
    const double ahead = costs.network > 0 ? costs.load / costs.network : 0.0;
    const std::size_t samples =
        2 * batch_ + static_cast<std::size_t>(std::min(ahead, 4.0 * static_cast<double>(batch_)));
    return std::min(maxQueued(), samples);
}

std::size_t PipelinePlanner::maxQueued() const {
    return std::max<std::size_t>(1,
                                 options_.memoryBytes / std::max<std::size_t>(maxSampleBytes_, 1));
}

}  // namespace threefold
