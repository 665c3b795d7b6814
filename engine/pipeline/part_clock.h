#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "engine/pipeline/pipeline_report.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// Collects what a run's threads report. Thread-safe.
class PipelineMeter {
  public:
    /// `spans`: keep PipelineReport::spans.
    explicit PipelineMeter(bool spans) : spans_(spans) {}

    double now() const { return watch_.milliseconds(); }  ///< since the run began
    bool wantsSpans() const { return spans_; }

    void add(PipelinePart part, std::size_t items, double busy, double onCore, Spans spans);
    void waitedForWork(PipelineCrew crew, double milliseconds);
    void waitedForRoom(PipelineCrew crew, double milliseconds);
    /// Sets how many threads of the crew may work from now on.
    void threads(PipelineCrew crew, std::size_t allowed);
    /// `milliseconds` since the batch was submitted. Returns BatchTime::milliseconds.
    double batch(std::size_t size, double milliseconds, const QueueDepths& depths);
    void stored(double latency, bool failed);
    void room(std::size_t loaded) { report_.loadedRoom = loaded; }  ///< once all threads have ended
    void found(const RunSizes& sizes) { report_.found = sizes; }    ///< likewise

    /// So far.
    std::array<PartUse, kPipelineParts.size()> parts() const;
    /// Ends the collection and moves the report out.
    PipelineReport finish();

  private:
    const Stopwatch watch_;
    const bool spans_;
    mutable std::mutex mutex_;
    PipelineReport report_;
    std::size_t everyNth_ = 1;  ///< of the batches gives its depths
    std::size_t batches_ = 0;
    double lastEnd_ = 0;
    struct Allowed {
        std::size_t threads = 0;
        double since = 0;
    };
    std::array<Allowed, kPipelineCrews.size()> allowed_ = {};
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
