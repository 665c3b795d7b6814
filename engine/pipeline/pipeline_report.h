#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/run_step.h"
#include "engine/pipeline/pipeline_step.h"
#include "engine/profile/span.h"

namespace threefold {

/// A step's time in milliseconds, summed over its threads.
struct PipelineStepTimes {
    std::size_t samples = 0;
    double busy = 0;  ///< time in the step, including waits for files or the device
    /// CPU time of the step's own thread, without its work on the process's thread pool or a
    /// device. During the rest of `busy` the thread waits: for a disk, a device, the pool or a free
    /// core.
    double cpuTime = 0;

    bool operator==(const PipelineStepTimes&) const = default;
};

/// A group's time in milliseconds, summed over its threads.
struct WorkerGroupTimes {
    std::size_t threads = 0;    ///< maximum number of active threads
    double available = 0;       ///< active threads × wall time
    double waitedForWork = 0;   ///< time while its queue was empty
    double waitedForSpace = 0;  ///< time while the next queue was full
};

/// Number of samples in each queue at one time.
struct QueueDepths {
    double measuredAt = 0;     ///< milliseconds since the run began
    std::size_t loaded = 0;    ///< waiting for the network
    std::size_t computed = 0;  ///< waiting for the finishers
};

/// One call of the network.
struct BatchTime {
    double endedAt = 0;  ///< milliseconds since the run began
    std::size_t size = 0;
    /// Time since the previous batch ended, or since this batch's submission if that was later.
    double milliseconds = 0;
};

/// Times of one run of the pipeline.
struct PipelineReport {
    double wallMilliseconds = 0;
    std::size_t samples = 0;
    std::size_t failed = 0;
    std::array<PipelineStepTimes, kPipelineSteps.size()> steps = {};
    std::array<WorkerGroupTimes, kWorkerGroups.size()> groups = {};
    /// Milliseconds of the network's steps, summed over the samples whose steps were timed.
    StepTimings networkSteps = {};
    std::size_t loadedCapacity = 0;        ///< final capacity of the network's queue, in samples
    std::vector<QueueDepths> depths = {};  ///< about evenly spaced, at most kMaxDepths
    std::vector<BatchTime> batches = {};   ///< the last kMaxBatchTimes
    /// Milliseconds from the start of loading to the end of storing, for the last kMaxLatencies
    /// samples in the order of storing.
    std::vector<double> latencies = {};
    /// Steps of each thread, if requested (PipelineOptions::spans), named by pipelineStepName();
    /// `number` is the sample's position in the run, from 1.
    Spans spans = {};

    static constexpr std::size_t kMaxDepths = 4096;
    static constexpr std::size_t kMaxBatchTimes = 65'536;
    static constexpr std::size_t kMaxLatencies = 65'536;

    PipelineStepTimes& of(PipelineStep step) { return steps.at(static_cast<std::size_t>(step)); }
    const PipelineStepTimes& of(PipelineStep step) const {
        return steps.at(static_cast<std::size_t>(step));
    }
    WorkerGroupTimes& of(WorkerGroup group) { return groups.at(static_cast<std::size_t>(group)); }
    const WorkerGroupTimes& of(WorkerGroup group) const {
        return groups.at(static_cast<std::size_t>(group));
    }

    /// Busy time of a group's threads, in milliseconds.
    double busy(WorkerGroup group) const;
    /// Fraction of a group's available time (WorkerGroupTimes::available) that was busy, 0…1.
    double occupancy(WorkerGroup group) const;
};

/// The slowest step of a run.
struct Bottleneck {
    WorkerGroup group = WorkerGroup::network;
    PipelineStep step = PipelineStep::network;  ///< step of the group with the longest busy time
    /// PipelineReport::occupancy() of the group, 0…1.
    double occupancy = 0;
    /// Whether the slowest step was on a core for less than half of its busy time, as when it waits
    /// for a disk. False for the network.
    bool isWaiting = false;
    /// The network's slowest step, if the network is the slowest group.
    std::optional<SlowestStep> networkStep = {};
};

/// The group with the highest occupancy().
Bottleneck bottleneckOf(const PipelineReport& report);

/// Describes a bottleneck: "load: 77 % of the wall time; waiting for files: a faster disk or a
/// local copy helps". For the network, the text also has the longest run step: "network: 95 % of
/// the wall time, longest the local graph convolutions …".
std::string bottleneckText(const Bottleneck& bottleneck);

}  // namespace threefold
