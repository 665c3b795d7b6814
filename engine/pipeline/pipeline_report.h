#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/profile/span.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// The parts of the pipeline, in the order of the data. Threads of one part do only that part, but
/// for fit, measure and write, which the same threads do one after another for each sample.
enum class PipelinePart { load, network, fit, measure, write, store };

inline constexpr std::array kPipelineParts = {PipelinePart::load,  PipelinePart::network,
                                              PipelinePart::fit,   PipelinePart::measure,
                                              PipelinePart::write, PipelinePart::store};

std::string_view partName(PipelinePart part);  ///< "load", "network", …

/// Threads that do the same parts.
enum class WorkerGroup { loaders, network, finishers, store };

inline constexpr std::array kWorkerGroups = {WorkerGroup::loaders, WorkerGroup::network,
                                             WorkerGroup::finishers, WorkerGroup::store};

std::string_view workerGroupName(WorkerGroup group);  ///< "loaders", "network", …
WorkerGroup workerGroupOf(PipelinePart part);

/// A part's time in milliseconds, summed over the threads that did it.
struct PartUse {
    std::size_t items = 0;
    double busy = 0;  ///< in the part's work, waiting for files or the device included
    /// Of that, on a core of the processor, by the thread that did the part: work that it gave to
    /// the process's thread pool or to a device is not in it. What is missing to `busy` was waited
    /// for: a disk, a device, or a free core.
    double onCore = 0;

    bool operator==(const PartUse&) const = default;
};

/// Milliseconds, summed over a group's threads.
struct WorkerGroupUse {
    std::size_t threads = 0;   ///< most that were allowed to work at once
    double had = 0;            ///< time that the allowed threads had
    double waitedForWork = 0;  ///< nothing to take
    double waitedForRoom = 0;  ///< the next queue was full
};

/// How many samples waited in each queue at one instant.
struct QueueDepths {
    double at = 0;             ///< milliseconds since the run began
    std::size_t loaded = 0;    ///< for the network
    std::size_t computed = 0;  ///< for the finishers
};

/// One call of the network.
struct BatchTime {
    double end = 0;  ///< milliseconds since the run began
    std::size_t size = 0;
    double milliseconds = 0;  ///< since the batch before it ended, or since it began
};

/// Where the time of one run of the pipeline went. Times over several runs do not mix.
struct PipelineReport {
    double wall = 0;  ///< milliseconds
    std::size_t samples = 0;
    std::size_t failed = 0;
    std::array<PartUse, kPipelineParts.size()> parts = {};
    std::array<WorkerGroupUse, kWorkerGroups.size()> groups = {};
    /// Milliseconds of the network's stages, summed over the samples whose stages were timed.
    StageTimings stages = {};
    std::size_t loadedRoom = 0;            ///< final room of the network's queue, in samples
    std::vector<QueueDepths> depths = {};  ///< about evenly spread, at most kMostDepths
    std::vector<BatchTime> batches = {};   ///< the last kMostBatchTimes
    /// Milliseconds from the beginning of a sample's load until it is stored, of the last
    /// kMostLatencies samples, in the order of storing.
    std::vector<double> latencies = {};
    /// Each thread's steps, if requested (PipelineOptions::spans): names are those of the parts,
    /// `run` is the sample's place from 1.
    Spans spans = {};

    static constexpr std::size_t kMostDepths = 4096;
    static constexpr std::size_t kMostBatchTimes = 65'536;
    static constexpr std::size_t kMostLatencies = 65'536;

    PartUse& of(PipelinePart part) { return parts.at(static_cast<std::size_t>(part)); }
    const PartUse& of(PipelinePart part) const { return parts.at(static_cast<std::size_t>(part)); }
    WorkerGroupUse& of(WorkerGroup group) { return groups.at(static_cast<std::size_t>(group)); }
    const WorkerGroupUse& of(WorkerGroup group) const {
        return groups.at(static_cast<std::size_t>(group));
    }

    /// Milliseconds that a group's threads were at work.
    double busy(WorkerGroup group) const;
    /// busy() as a share of the time that its threads had (WorkerGroupUse::had), 0…1.
    double occupancy(WorkerGroup group) const;
};

/// The slowest part of a run.
struct Bottleneck {
    WorkerGroup group = WorkerGroup::network;
    PipelinePart part = PipelinePart::network;  ///< of the group's parts the one that took longest
    /// PipelineReport::occupancy() of the group, 0…1.
    double share = 0;
    /// Whether the slowest part spent less than half of its busy time on a core: it mostly waited
    /// for a disk. False for the network.
    bool waits = false;
    std::optional<LongestStage> stage = {};  ///< of the network, where that is the slowest part
};

/// The group with the highest occupancy().
Bottleneck bottleneckOf(const PipelineReport& report);

/// "load: 77 % of the wall time; waiting for files: a faster disk or a local copy helps". Of the
/// network also the stage: "network: 95 % of the wall time, longest the local graph convolutions
/// …".
std::string bottleneckText(const Bottleneck& bottleneck);

/// Collects what a run's threads report. Thread-safe.
class PipelineMeter {
  public:
    /// `spans`: keep PipelineReport::spans. `clock`: see PipelineOptions::clock.
    explicit PipelineMeter(bool spans, std::function<double()> clock = {})
        : clock_(std::move(clock)), spans_(spans) {}

    /// Milliseconds since the run began, by the clock.
    double now() const { return clock_ ? clock_() : watch_.milliseconds(); }
    bool wantsSpans() const { return spans_; }

    void add(PipelinePart part, std::size_t items, double busy, double onCore, Spans spans);
    /// `of`: &WorkerGroupUse::waitedForWork or &WorkerGroupUse::waitedForRoom.
    void addWait(WorkerGroup group, double WorkerGroupUse::*of, double milliseconds);
    /// Sets how many threads of the group may work from now on.
    void setThreads(WorkerGroup group, std::size_t allowed);
    /// `milliseconds` since the batch was submitted. Returns BatchTime::milliseconds.
    double addBatch(std::size_t size, double milliseconds, const QueueDepths& depths);
    void addStored(double latency, bool failed);
    void addStageTimings(const StageTimings& timings);  ///< of one sample
    void setLoadedRoom(std::size_t loaded) {
        report_.loadedRoom = loaded;
    }  ///< once all threads have ended

    /// So far.
    std::array<PartUse, kPipelineParts.size()> parts() const;
    /// Ends the collection and moves the report out.
    PipelineReport finish();

  private:
    const Stopwatch watch_;
    const std::function<double()> clock_;
    const bool spans_;
    mutable std::mutex mutex_;
    PipelineReport report_;
    std::size_t everyNth_ = 1;  ///< queue depths are kept of every n-th batch
    std::size_t batches_ = 0;
    double lastEnd_ = 0;
    struct Allowed {
        std::size_t threads = 0;
        double since = 0;
    };
    std::array<Allowed, kWorkerGroups.size()> allowed_ = {};
};

/// Reports one thread's steps to the meter. For that thread.
class PartClock {
  public:
    /// `thread`: of several that share the lane's kind, from 0.
    PartClock(PipelineMeter& meter, LaneKind lane, std::size_t thread = 0)
        : meter_(meter), lane_{lane, static_cast<int>(thread)} {}

    /// The sample that the next steps are for, from 0.
    void at(std::size_t place) { place_ = place; }

    /// A step's time runs until the destructor, also after an exception.
    class Step {
      public:
        Step(PartClock& clock, PipelinePart part, std::size_t items);
        ~Step();
        Step(const Step&) = delete;

        double milliseconds() const { return watch_.milliseconds(); }

      private:
        PartClock& clock_;
        PipelinePart part_;
        std::size_t items_;
        double begin_;
        double coreBegin_;
        Stopwatch watch_;
    };
    Step step(PipelinePart part, std::size_t items = 1) { return {*this, part, items}; }

  private:
    PipelineMeter& meter_;
    Lane lane_;
    std::size_t place_ = 0;
};

}  // namespace threefold
