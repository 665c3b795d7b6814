#include "app/bench/list_run.h"

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/pipeline/finish_sample.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/view_candidates.h"
#include "engine/system/process_memory.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxCachedSamples = 16;
constexpr const char* kRemedy = "Choose another folder with -o.";

std::size_t fileSize(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    return error ? 0 : static_cast<std::size_t>(size);
}

void setInPageCache(const fs::path& file, bool cached) {
    const FileDescriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor) return;
    const int advice = cached ? POSIX_FADV_WILLNEED : POSIX_FADV_DONTNEED;
    static_cast<void>(posix_fadvise(descriptor.get(), 0, 0, advice));
}

}  // namespace

BenchedList::BenchedList(ListWork work)
    : work_(std::move(work)),
      limitedSources_(work_.sources),
      limit_(work_.bytesPerSecond),
      journalFile_(work_.output / "stored.txt") {
    limitedSources_.loadOptions.readView = [this](const Sample& sample, int view) {
        const auto index = static_cast<std::size_t>(view);
        if (index < sample.images.size()) limit_.waitFor(fileSize(sample.images[index]));
        return readNetworkImage(sample, view);
    };
    constexpr mode_t kReadable = 0644;
    journal_ = FileDescriptor(
        open(journalFile_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadable));
    if (!journal_) throwIoError(journalFile_, "cannot be written", errno, kRemedy);
}

PipelineCallbacks BenchedList::callbacks(TimedSteps steps) {
    stored_ = 0;
    settledMemoryMb_ = peakMemoryMb_ = 0;
    processorBefore_ = processCpuMilliseconds();
    PipelineCallbacks callbacks;
    const bool loads = steps == TimedSteps::all || steps == TimedSteps::load;
    const bool finishes = steps == TimedSteps::all || steps == TimedSteps::finish;
    callbacks.load = [this, loads](std::size_t index, SampleRecord& record) {
        return loads ? load(index, record) : loadCopy(index, record);
    };
    callbacks.finish = [this, finishes](ComputedSample computed, SampleRecord& record,
                                        PipelineStepTimer& timer) {
        if (finishes) finish(std::move(computed), record, timer);
    };
    callbacks.store = [this](std::span<const FinishedSample> samples) { store(samples); };
    return callbacks;
}

NetworkInput BenchedList::loadInput(std::size_t index) {
    SampleRecord record;
    return remember(loadEntry(entryAt(index), work_.sources, record), record).input;
}

void BenchedList::setCached(std::size_t index, bool cached) const {
    const ListEntry& entry = entryAt(index);
    if (!entry.problem.empty()) return;
    try {
        const Sample sample = findSample({.location = entry.location,
                                          .imageRoot = work_.sources.imageRoot,
                                          .truthRoot = work_.sources.truthRoot});
        setInPageCache(sample.truthFile(), cached);
        for (const int view : defaultViews(sample))
            setInPageCache(sample.images.at(static_cast<std::size_t>(view)), cached);
    } catch (const Error&) {
        return;  // the run reports the error
    }
}

const ListEntry& BenchedList::entryAt(std::size_t index) const {
    return work_.entries.at(index % work_.entries.size());
}

LoadedSample BenchedList::remember(LoadedSample loaded, const SampleRecord& record) {
    const std::scoped_lock lock(mutex_);
    if (record.succeeded() && loaded_.size() < kMaxCachedSamples)
        loaded_.emplace_back(record, loaded);
    return loaded;
}

LoadedSample BenchedList::load(std::size_t index, SampleRecord& record) {
    return remember(loadEntry(entryAt(index), limitedSources_, record,
                              [this](const Sample& sample, SampleRecord& /*named*/) {
                                  limit_.waitFor(fileSize(sample.truthFile()));
                              }),
                    record);
}

LoadedSample BenchedList::loadCopy(std::size_t index, SampleRecord& record) {
    const auto& [kept, loaded] = loaded_.at(index % loaded_.size());
    record = kept;
    return loaded;
}

double BenchedList::processorMilliseconds() const {
    return processCpuMilliseconds() - processorBefore_;
}

void BenchedList::finish(ComputedSample computed, SampleRecord& record, PipelineStepTimer& timer) {
    const std::size_t index = computed.position;
    const MeasuredSample measured = finishSample(std::move(computed), work_.finish, record, timer);
    if (!work_.meshes) return;
    const auto step = timer.step(PipelineStep::write);
    writeMeshes(work_.output, fmt::format("{:06}_{}", index, measured.loaded.sample->name()),
                measured.reconstruction);
}

void BenchedList::store(std::span<const FinishedSample> samples) {
    std::string lines;
    for (const FinishedSample& each : samples)
        lines +=
            fmt::format("{} {} {}\n", each.position, each.record.listedName, each.record.error);
    writeAll(journal_, std::as_bytes(std::span(lines)), journalFile_, kRemedy);
    if (fdatasync(journal_.get()) != 0)
        throwIoError(journalFile_, "cannot be written", errno, kRemedy);
    stored_ += samples.size();
    constexpr double kBytesInMegabyte = 1e6;
    peakMemoryMb_ = std::max(peakMemoryMb_,
                             static_cast<double>(residentBytes().value_or(0)) / kBytesInMegabyte);
    if (stored_ <= kSettlingSamples || settledMemoryMb_ == 0) settledMemoryMb_ = peakMemoryMb_;
}

ReadLimit::ReadLimit(double bytesPerSecond, ReadClock clock)
    : bytesPerSecond_(bytesPerSecond), clock_(std::move(clock)) {}

void ReadLimit::waitFor(std::size_t bytes) {
    ReadClock::Time delivered;
    {
        const std::scoped_lock lock(mutex_);
        if (!(bytesPerSecond_ > 0)) return;
        const std::chrono::duration<double> reading(static_cast<double>(bytes) / bytesPerSecond_);
        free_ =
            std::max(free_, clock_.now()) + std::chrono::ceil<ReadClock::Time::duration>(reading);
        delivered = free_;
    }
    clock_.sleepUntil(delivered);
}

}  // namespace threefold
