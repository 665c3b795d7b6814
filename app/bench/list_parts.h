#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/evaluation/evaluation_list.h"
#include "engine/evaluation/load_entry.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/network/service/devices.h"
#include "engine/pipeline/pipeline.h"

namespace threefold {

/// The clock of a ReadLimit.
struct ReadClock {
    using Time = std::chrono::steady_clock::time_point;
    std::function<Time()> now = std::chrono::steady_clock::now;
    std::function<void(Time)> sleepUntil = [](Time time) { std::this_thread::sleep_until(time); };
};

/// A disk of a given speed, shared by all threads that read: their bytes come one after another.
/// Idle time is not saved up. Thread-safe.
class ReadLimit {
  public:
    /// `bytesPerSecond` > 0; else waitFor() returns at once.
    explicit ReadLimit(double bytesPerSecond, ReadClock clock = {});

    /// Returns when the disk would have delivered so many bytes.
    void waitFor(std::size_t bytes);

  private:
    const double bytesPerSecond_;
    const ReadClock clock_;
    std::mutex mutex_;
    ReadClock::Time free_{};  ///< when the disk has delivered all requested bytes
};

/// The samples of a run, and the work on each.
struct ListWork {
    std::vector<ListEntry> entries;  ///< taken in turn, as often as the run is long
    EntrySources sources;            ///< without LoadOptions::read
    SampleFitOptions fit = {};
    MeasureOptions measure = {};
    bool meshes = true;  ///< write OBJ and XYZ of the refined mesh, as `eval` does
    std::filesystem::path output;
    double bytesPerSecond = 0;  ///< ReadLimit of images and truths; 0: none
};

/// Parts of the pipeline that a run leaves out, to measure the others.
struct LeftOut {
    bool load = false;    ///< samples are those of the last run, copied
    bool finish = false;  ///< nothing is measured, nothing written
};

/// What `eval` does with the samples of a list, counted: each place of a run is the next entry of
/// the list, and files carry the place in their name, so that an entry may come several times. A
/// finished sample is a line in a file that is flushed, as in a journal.
class ListParts {
  public:
    /// Writes into `work.output`, which is there. Throws IoError.
    explicit ListParts(ListWork work);

    /// Valid as long as this object and for one run.
    PipelineCallbacks parts(LeftOut leftOut = {});

    /// The views of one sample, read without a limit; also kept for runs that copy samples. Throws
    /// as loadEntry().
    NetworkInput input(std::size_t place);

    /// Has the system keep the files of a sample in memory, or forget them.
    void readAhead(std::size_t place, bool keep) const;

    /// Milliseconds on cores, of all threads, since the last parts().
    double onCores() const;

    /// Most memory of the process, in MB, when one of the first kSettled samples ended, or any.
    static constexpr std::size_t kSettled = 20;
    double settledMemory() const { return settledMemory_; }
    double mostMemory() const { return mostMemory_; }

  private:
    const ListEntry& entryAt(std::size_t place) const;
    LoadedSample keep(LoadedSample loaded, const SampleRecord& record);
    LoadedSample load(std::size_t place, SampleRecord& record);
    LoadedSample loadCopy(std::size_t place, SampleRecord& record);
    void finish(ComputedSample computed, SampleRecord& record, PartClock& clock);
    void store(std::span<const EndedSample> samples);

    ListWork work_;
    EntrySources limited_;  ///< read through the limit
    ReadLimit limit_;
    std::filesystem::path journalFile_;
    FileDescriptor journal_;
    std::mutex mutex_;
    std::vector<std::pair<SampleRecord, LoadedSample>> loaded_;  ///< some, for loadCopy()
    double processorBefore_ = 0;
    std::size_t stored_ = 0;
    double settledMemory_ = 0;
    double mostMemory_ = 0;
};

/// A device of its own that takes `milliseconds` for each mesh, batch after batch, and gives
/// `result` for every input: simulates a pipeline on an absent device. Precision and model are
/// those of `real`, whose network outlives it. Its thread sleeps while the device computes.
std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds);

}  // namespace threefold
