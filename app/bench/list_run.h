#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/evaluation/list/evaluation_list.h"
#include "engine/evaluation/list/load_entry.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/pipeline/finish_sample.h"
#include "engine/pipeline/pipeline.h"

namespace threefold {

/// Clock of a ReadLimit; tests replace it.
struct ReadClock {
    using Time = std::chrono::steady_clock::time_point;
    std::function<Time()> now = std::chrono::steady_clock::now;
    std::function<void(Time)> sleepUntil = [](Time time) { std::this_thread::sleep_until(time); };
};

/// Simulated disk of limited bandwidth. The disk serves all reading threads, one after another.
/// Unused bandwidth is not saved up. Thread-safe.
class ReadLimit {
  public:
    /// `bytesPerSecond` > 0; else waitFor() returns at once.
    explicit ReadLimit(double bytesPerSecond, ReadClock clock = {});

    /// Blocks until the disk would have delivered `bytes`.
    void waitFor(std::size_t bytes);

  private:
    const double bytesPerSecond_;
    const ReadClock clock_;
    std::mutex mutex_;
    ReadClock::Time free_{};  ///< time at which the disk has delivered all requested bytes
};

/// The samples of a run, and the work on each.
struct ListWork {
    std::vector<ListEntry> entries;  ///< used in turn, repeated for long runs
    EntryReadOptions sources;        ///< BenchedList replaces LoadOptions::readView
    FinishOptions finish = {};
    bool meshes = true;  ///< write OBJ and XYZ of the result, as `eval` does
    std::filesystem::path output;
    double bytesPerSecond = 0;  ///< ReadLimit of images and truths; 0: none
};

/// Steps of the pipeline that a run executes. Without `load`, the run copies samples that were
/// loaded before; without `finish`, no mesh is measured or written.
enum class TimedSteps { all, load, network, finish };

/// Pipeline callbacks that do the work of `eval` on the samples of a list. Index i of a run takes
/// entry i modulo the list's length; file names carry the index, so that an entry may occur several
/// times. Each finished sample is a flushed line of a journal file.
class BenchedList {
  public:
    /// Writes into `work.output`, which must exist. Throws IoError.
    explicit BenchedList(ListWork work);

    /// Callbacks for one run, valid as long as this object.
    PipelineCallbacks callbacks(TimedSteps steps = TimedSteps::all);

    /// Loads one sample without a read limit and returns its views. Keeps the first loaded samples
    /// for runs that copy samples. Throws as loadEntry() does.
    NetworkInput loadInput(std::size_t index);

    /// Asks the system to cache the files of a sample, or to drop them from its cache.
    void setCached(std::size_t index, bool cached) const;

    /// Processor time of all threads since the last callbacks(), in milliseconds.
    double processorMilliseconds() const;

    /// Number of samples after which memory counts as settled.
    static constexpr std::size_t kSettlingSamples = 20;
    /// Largest memory of the process, in MB, at the end of one of the first kSettlingSamples
    /// samples.
    double settledMemoryMb() const { return settledMemoryMb_; }
    /// Largest memory of the process, in MB, at the end of any sample.
    double peakMemoryMb() const { return peakMemoryMb_; }

  private:
    const ListEntry& entryAt(std::size_t index) const;
    LoadedSample remember(LoadedSample loaded, const SampleRecord& record);
    LoadedSample load(std::size_t index, SampleRecord& record);
    LoadedSample loadCopy(std::size_t index, SampleRecord& record);
    void finish(ComputedSample computed, SampleRecord& record, PipelineStepTimer& timer);
    void store(std::span<const FinishedSample> samples);

    ListWork work_;
    EntryReadOptions limitedSources_;  ///< sources that read through the limit
    ReadLimit limit_;
    std::filesystem::path journalFile_;
    FileDescriptor journal_;
    std::mutex mutex_;
    std::vector<std::pair<SampleRecord, LoadedSample>> loaded_;  ///< loaded samples for loadCopy()
    double processorBefore_ = 0;
    std::size_t stored_ = 0;
    double settledMemoryMb_ = 0;
    double peakMemoryMb_ = 0;
};

}  // namespace threefold
