#include "engine/evaluation/evaluate_list.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/journal/journal_json.h"
#include "engine/evaluation/list/load_entry.h"
#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_description.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/mapped_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/pipeline/finish_sample.h"
#include "engine/pipeline/name_claims.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"
#include "engine/sample/view_candidates.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Samples in the report's lists so far. A sample that the final lists contain is in these lists as
/// soon as it is added (see shownLists()), so that its thumbnail can be drawn then.
class ShownRecords {
  public:
    explicit ShownRecords(const std::map<std::size_t, SampleRecord>& records) {
        for (const auto& [position, record] : records)
            if (record.succeeded()) shown_.push_back(record);
        keepShown();
    }

    /// Adds a sample; returns whether the sample is now in the lists.
    bool add(const SampleRecord& record) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(shown_,
                      [&](const SampleRecord& other) { return other.position == record.position; });
        shown_.push_back(record);
        keepShown();
        return std::ranges::count(shown_, record.position, &SampleRecord::position) > 0;
    }

  private:
    void keepShown() {
        std::vector<SampleRecord> records;
        for (const std::size_t i : shownRecords(shown_)) records.push_back(std::move(shown_[i]));
        shown_ = std::move(records);
    }

    std::mutex mutex_;
    std::vector<SampleRecord> shown_;
};

EntryReadOptions entryReadOptionsOf(const RunIdentity& identity, const EvaluationList& list,
                                    const ListRunOptions& options) {
    EntryReadOptions sources;
    sources.imageRoot = options.imageRoot.empty() ? list.imageRoot : options.imageRoot;
    sources.truthRoot = options.truthRoot;
    sources.truthSpace = identity.measures.truthSpace;
    sources.loadOptions.truthRequired = !options.truthRoot.empty();
    sources.loadOptions.strictTruth = true;
    sources.loadOptions.maxTruthPoints = identity.truthPoints.value_or(0);
    return sources;
}

MeasureOptions measureOptionsOf(const RunIdentity& identity, const std::stop_token& cancel) {
    MeasureOptions measure;
    measure.evaluation = false;
    measure.strictTruth = true;
    measure.surfaceDistances = true;
    for (const Protocol protocol : identity.measures.protocols)
        measure.protocols.push_back(
            {protocol, identity.measures.tau, identity.measures.earthMovers, cancel});
    return measure;
}

class ListRun {
  public:
    ListRun(NetworkService& network, const EvaluationList& list, Journal& journal,
            const fs::path& folder, const ListRunOptions& options)
        : journal_(journal),
          identity_(journal.contents().description.identity),
          folder_(folder),
          options_(options),
          network_(network),
          initialNetwork_(network.info()),
          readOptions_(entryReadOptionsOf(identity_, list, options)),
          finishOptions_{.measure = measureOptionsOf(identity_, options.pipeline.cancel)},
          entries_(entriesOf(list, journal.contents().description.shard)),
          shown_(journal.contents().records),
          listName_(list.source) {
        const auto& records = journal.contents().records;
        for (const auto& [position, record] : records) {
            if (!record.succeeded()) continue;
            names_.add(record.name, position);
            anyDone_ = true;
        }
        std::erase_if(entries_, [&](const ListEntry& entry) {
            const auto found = records.find(entry.position);
            return found != records.end() && isFinished(found->second, folder_, options_);
        });
        readOptions_.chooseViews = [this](const Sample& sample) { return viewsOf(sample); };
        if (identity_.fit) finishOptions_.fit = fitRequestFromName(*identity_.fit);
    }

    void run(PipelineReport* report) {
        if (entries_.empty()) return;
        for (const ListEntry& entry : entries_)
            if (entry.problem.empty()) names_.expect(entry.position);
        if (options_.writeThumbnails) makeFolder(folder_ / kThumbnailFolder);
        PipelineCallbacks callbacks;
        callbacks.load = [this](std::size_t position, SampleRecord& record) {
            return load(entries_.at(position), record);
        };
        if (journal_.contents().description.measuringDevice == MeasuringDevice::gpu) {
            callbacks.compare = [this](MeshOperations& device, auto truths, auto meshes,
                                       const auto& cancel) {
                return compareOnDevice(device, truths, meshes, finishOptions_.measure.protocols,
                                       cancel);
            };
        }
        callbacks.onBatchCollected = [this] { requireSameBackend(); };
        callbacks.onWarmUp = [this](double milliseconds) { warmUp_ += milliseconds; };
        callbacks.finish = [this](ComputedSample computed, SampleRecord& record,
                                  PipelineStepTimer& timer) {
            finish(std::move(computed), record, timer);
        };
        callbacks.store = [this](std::span<const FinishedSample> samples) { store(samples); };
        PipelineOptions pipeline = options_.pipeline;
        pipeline.warmUpRuns = journal_.contents().description.warmUpRuns;
        pipeline.finishesAfterCancel = !identity_.measures.earthMovers;
        // With a GPU, several finishers fit samples at once, each with one thread.
        if (pipeline.usesGpu) finishOptions_.fitOptions.threads = 1;
        runPipeline(network_, entries_.size(), callbacks, pipeline, report);
    }

  private:
    LoadedSample load(const ListEntry& entry, SampleRecord& record) {
        std::optional<NameClaim> claim(std::in_place, names_, entry.position);
        LoadedSample loaded = loadEntry(
            entry, readOptions_, record, [&](const Sample& sample, SampleRecord& sampleRecord) {
                std::string name = afterRoundTrip(sample.name());
                if (const auto other = claim->take(name))
                    throw InputError({name, "",
                                      fmt::format("repeats sample {} of the list", *other + 1),
                                      "Remove one of the two lines."});
                sampleRecord.name = std::move(name);
                claim.reset();
            });
        if (!loaded.truth.points.empty())
            record.truthHash = MappedFile(loaded.sample->truthFile()).decode(sha256);
        return loaded;
    }

    /// The views of a sample: those of the run's identity, if any. Else ShapeNet's renderings have
    /// the published views, so that a sample with a missing image fails, and is not scored on other
    /// views.
    std::vector<int> viewsOf(const Sample& sample) const {
        if (!identity_.measures.views.empty()) return identity_.measures.views;
        return isShapeNetRendering(sample)
                   ? kPublishedViews
                   : defaultViews(sample, readNetworkImage, options_.pipeline.cancel);
    }

    void finish(ComputedSample computed, SampleRecord& record, PipelineStepTimer& timer) {
        record.times.steps = computed.reconstructed.reconstruction.timings;
        const MeasuredSample measured =
            finishSample(std::move(computed), finishOptions_, record, timer);
        if (options_.onMeasured) options_.onMeasured(measured, record);
        const auto step = timer.step(PipelineStep::write);
        if (options_.writeMeshes)
            record.meshes = writeMeshes(folder_, record.name, measured.reconstruction);
        if (shown_.add(record) && options_.writeThumbnails)
            writePng(thumbnailFile(folder_, record.name),
                     makeThumbnail(measured.loaded.input, measured.reconstruction,
                                   measured.loaded.truth));
        record.times.write = step.milliseconds();
    }

    void requireSameBackend() const {
        if (network_.info().deviceChanges == initialNetwork_.deviceChanges) return;
        throw DeviceError({initialNetwork_.description, "",
                           "was lost, and another device took over",
                           "Continue (`resume`) once the device is back."});
    }

    void store(std::span<const FinishedSample> samples) {
        std::vector<SampleRecord> records;
        for (const FinishedSample& each : samples) records.push_back(each.record);
        journal_.append(records, (watch_.milliseconds() - warmUp_) / kMillisecondsPerSecond);
        for (const SampleRecord& record : records) {
            if (options_.onStored) options_.onStored(record);
            requireProgress(record);
        }
    }

    /// Throws InputError if the list or a root is wrong: many samples failed alike, and none is
    /// done.
    void requireProgress(const SampleRecord& record) {
        if (record.succeeded()) anyDone_ = true;
        if (record.succeeded() || anyDone_) return;
        const std::size_t failures = ++failures_[failurePattern(record)];
        if (failures < kMaxSameFailures || failures == entries_.size()) return;
        throw InputError(
            {listName_, "",
             fmt::format("{} samples failed for the same reason, and none succeeded; the run was "
                         "stopped; the last of them: {}",
                         failures, shortened(record.error)),
             "Correct the list, or the folders of its images and truths."});
    }

    static constexpr std::size_t kMaxSameFailures = 1000;

    Journal& journal_;
    const RunIdentity identity_;
    const fs::path folder_;
    const ListRunOptions& options_;
    NetworkService& network_;
    const NetworkInfo initialNetwork_;
    const Stopwatch watch_;
    std::atomic<double> warmUp_ = 0;  ///< milliseconds, not counted in the run's time
    EntryReadOptions readOptions_;
    FinishOptions finishOptions_;
    std::vector<ListEntry> entries_;  ///< entries to run
    NameClaims names_;
    ShownRecords shown_;
    // Only the storing thread uses the members below.
    const std::string listName_;
    bool anyDone_ = false;  ///< in this session or an earlier one
    std::map<std::string, std::size_t>
        failures_;  ///< count by failurePattern(), while no sample is done
};

}  // namespace

bool isFinished(const SampleRecord& record, const fs::path& folder, const ListRunOptions& options) {
    if (!record.succeeded() || (record.withoutTruth() && !options.truthRoot.empty())) return false;
    return !options.writeMeshes || hasUnchangedMeshFiles(folder, record);
}

EarlierSamples earlierSamples(const JournalContents& contents, const fs::path& folder,
                              const ListRunOptions& options) {
    EarlierSamples samples;
    for (const auto& [position, record] : contents.records) {
        if (isFinished(record, folder, options)) {
            samples.finished.push_back(record);
        } else if (record.succeeded() && options.writeMeshes) {
            std::ranges::move(changedMeshFilesOf(folder, record),
                              std::back_inserter(samples.changedMeshFiles));
        }
    }
    return samples;
}

void evaluateList(NetworkService& network, const EvaluationList& list, Journal& journal,
                  const fs::path& folder, const ListRunOptions& options, PipelineReport* report) {
    ListRun(network, list, journal, folder, options).run(report);
}

}  // namespace threefold
