#include "engine/evaluation/evaluate_list.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/evaluation/record_json.h"
#include "engine/evaluation/result_files.h"
#include "engine/evaluation/summary.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/pictures/image.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/sample_names.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// The worst samples so far. A sample that is among the worst at the end is among them from when it
/// is added.
class Worst {
  public:
    explicit Worst(const std::map<std::size_t, SampleRecord>& records) {
        for (const auto& [position, record] : records) {
            if (record.done()) worst_.push_back(record);
        }
        keepWorst();
    }

    /// Adds a sample; returns whether it is among the worst now.
    bool add(const SampleRecord& record) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(worst_,
                      [&](const SampleRecord& each) { return each.position == record.position; });
        const auto after = [&](const SampleRecord& each) {
            return each.position > record.position;
        };
        worst_.insert(std::ranges::find_if(worst_, after), record);
        keepWorst();
        return std::ranges::count(worst_, record.position, &SampleRecord::position) > 0;
    }

  private:
    void keepWorst() {
        std::vector<std::size_t> kept = worstRecords(worst_);
        std::ranges::sort(kept);
        std::vector<SampleRecord> records;
        records.reserve(kept.size());
        for (const std::size_t i : kept) records.push_back(std::move(worst_[i]));
        worst_ = std::move(records);
    }

    std::mutex mutex_;
    std::vector<SampleRecord> worst_;  ///< by position
};

class ListRun {
  public:
    ListRun(NetworkService& network, Journal& journal, fs::path folder,
            const ListRunOptions& options)
        : journal_(journal),
          identity_(journal.contents().about.identity),
          folder_(std::move(folder)),
          options_(options),
          network_(network),
          description_(network.info().description),
          worst_(journal.contents().records) {
        for (const auto& [position, record] : journal.contents().records) {
            if (!record.done()) continue;
            names_.add(record.name, position);
            anyDone_ = true;
        }
        route_.truthRequired = !options_.truthRoot.empty();
        route_.strictTruth = true;
        if (identity_.fit) route_.fit = fitViewsFromName(*identity_.fit);
        for (const Protocol protocol : identity_.protocols) {
            route_.scoring.push_back(
                {protocol, identity_.tau, identity_.earthMovers, options_.pipeline.cancel});
        }
    }

    void run(const EvaluationList& list, PipelineReport* report) {
        const RunDescription& about = journal_.contents().about;
        list_ = list.source;
        imageRoot_ = options_.imageRoot.empty() ? list.imageRoot : options_.imageRoot;
        entries_ = entriesOf(list, about.shard);
        std::erase_if(entries_, [&](const ListEntry& entry) { return isFinishedAt(entry); });
        if (entries_.empty()) return;
        for (const ListEntry& entry : entries_) {
            if (entry.problem.empty()) names_.expect(entry.position);
        }
        if (options_.thumbnails) makeFolder(folder_ / kThumbnailFolder);
        PipelineParts parts;
        parts.load = [this](PipelineItem& item) { load(item); };
        parts.check = [this] { requireSameBackend(); };
        parts.warmed = [this](double milliseconds) { warmUp_ = warmUp_ + milliseconds; };
        parts.finish = [this](PipelineItem& item, PartClock& clock) { finish(item, clock); };
        parts.store = [this](std::span<const PipelineItem> items) { store(items); };
        PipelineOptions pipeline = options_.pipeline;
        pipeline.warmUpRuns = about.warmUpRuns;
        pipeline.finishCancelled = !identity_.earthMovers;
        // Each finisher is one of several threads there.
        if (pipeline.device) route_.fitThreads = 1;
        runPipeline(network_, entries_.size(), parts, pipeline, report);
    }

  private:
    bool isFinishedAt(const ListEntry& entry) const {
        const auto& records = journal_.contents().records;
        const auto found = records.find(entry.position);
        return found != records.end() && isFinished(found->second, folder_, options_);
    }

    static void makeFolder(const fs::path& folder) {
        std::error_code failure;
        fs::create_directory(folder, failure);
        if (!failure) return;
        throw IoError({folder.string(), "", "cannot be made: " + failure.message(),
                       "Check that the folder may be written to, and has space left."});
    }

    void load(PipelineItem& item) {
        const ListEntry& entry = entries_.at(item.place);
        item.given = entry.given;
        item.error = entry.problem;
        SampleRecord& record = open(item.place);
        if (!item.done()) return;
        item.sample = std::make_shared<const Sample>(find(entry, record));
        item.views = identity_.views.empty() ? defaultViews(*item.sample) : identity_.views;
        readSample(item, route_);
    }

    /// Finds the sample and claims its name.
    Sample find(const ListEntry& entry, SampleRecord& record) {
        SampleNames::Turn turn(names_, entry.position);
        Sample sample =
            findSample({entry.location, imageRoot_, options_.truthRoot, identity_.truthSpace});
        record.category = sample.category;
        record.truth = sample.groundTruth.string();
        const std::string name = afterRoundTrip(sample.name());
        if (const auto other = turn.claim(name)) {
            throw InputError({name, "",
                              fmt::format("sample {} of the list is the same", *other + 1),
                              "Remove one of the two lines."});
        }
        record.name = name;
        return sample;
    }

    void finish(PipelineItem& item, PartClock& clock) {
        SampleRecord& record = open(item.place);
        record.times.stages = item.reconstruction.timings;
        if (identity_.fit) fit(item, record, clock);
        {
            const auto step = clock.step(PipelinePart::measure);
            measureSample(item, route_);
            record.scores = std::move(item.scores);
            record.silhouettes = std::move(item.silhouettes);
            record.times.metrics = step.milliseconds();
        }
        if (options_.measured) options_.measured(item, record);
        const auto step = clock.step(PipelinePart::write);
        write(item, record);
        record.times.write = step.milliseconds();
    }

    void fit(PipelineItem& item, SampleRecord& record, PartClock& clock) const {
        const auto step = clock.step(PipelinePart::fit);
        fitSample(item, route_);
        record.times.fit = step.milliseconds();
        if (item.fitProblem) {
            record.fitNote = fmt::format("not fitted: {}", Error(*item.fitProblem).what());
        } else if (!item.fit->notes.empty()) {
            record.fitNote = fmt::format("{}", fmt::join(item.fit->notes, "; "));
        }
    }

    void requireSameBackend() const {
        if (network_.info().description == description_) return;
        throw DeviceError({description_, "", "was lost, and another took over",
                           "Go on with --resume once it is back."});
    }

    void write(const PipelineItem& item, const SampleRecord& record) {
        if (options_.meshes) {
            const Mesh mesh{item.reconstruction.refined, item.reconstruction.faces()};
            const std::vector<fs::path> files = meshFilesOf(folder_, record);
            writeMesh(files[0], MeshFormat::obj, mesh);
            writeMesh(files[1], MeshFormat::xyz, mesh);
            if (!item.reconstruction.fitted.empty())
                writeMesh(folder_ / (record.name + "_fitted.obj"), MeshFormat::obj,
                          {item.reconstruction.fitted, item.reconstruction.faces()});
        }
        if (worst_.add(record) && options_.thumbnails) {
            writePng(thumbnailFile(folder_, record.name),
                     makeThumbnail(item.input, item.reconstruction));
        }
    }

    void store(std::span<const PipelineItem> items) {
        std::vector<SampleRecord> records;
        records.reserve(items.size());
        for (const PipelineItem& item : items) records.push_back(complete(item));
        journal_.append(records, (watch_.milliseconds() - warmUp_) / kMillisecondsInSecond);
        for (const SampleRecord& record : records) {
            if (options_.kept) options_.kept(record);
            stopHopeless(record);
        }
    }

    /// Ends a run over what is no list, or over one with a wrong root, before millions of lines
    /// have failed alike.
    void stopHopeless(const SampleRecord& record) {
        if (record.done()) anyDone_ = true;
        if (record.done() || anyDone_) return;
        const std::size_t alike = ++failures_[failureKind(record)];
        if (alike < kMostAlike || alike == entries_.size()) return;
        throw InputError({list_, "",
                          fmt::format("{} samples failed alike and none is done, the rest is not "
                                      "looked at; the last of them: {}",
                                      alike, shortened(record.error)),
                          "Correct the list, or the folders of its images and truths."});
    }

    /// The record that the parts of a sample fill in; it stays where it is until complete().
    SampleRecord& open(std::size_t place) {
        const std::scoped_lock lock(openMutex_);
        const auto [found, isNew] = open_.try_emplace(place);
        if (isNew) {
            found->second.position = entries_.at(place).position;
            found->second.given = entries_.at(place).given;
        }
        return found->second;
    }

    SampleRecord complete(const PipelineItem& item) {
        SampleRecord record = std::move(open(item.place));
        {
            const std::scoped_lock lock(openMutex_);
            open_.erase(item.place);
        }
        record.error = item.error;
        record.times.load = item.times.load;
        record.times.preprocess = item.times.preprocess;
        record.times.network = item.times.network;
        if (item.done()) return record;
        record.scores.clear();
        record.silhouettes.clear();
        return record;
    }

    static constexpr double kMillisecondsInSecond = 1000;
    static constexpr std::size_t kMostAlike = 1000;

    Journal& journal_;
    const RunIdentity identity_;
    const fs::path folder_;
    const ListRunOptions& options_;
    NetworkService& network_;
    const std::string description_;
    const Stopwatch watch_;
    std::atomic<double> warmUp_ = 0;  ///< milliseconds, which do not count
    fs::path imageRoot_;
    RouteOptions route_;
    std::vector<ListEntry> entries_;  ///< those to run
    std::mutex openMutex_;
    std::map<std::size_t, SampleRecord> open_;  ///< of samples under way, by place
    SampleNames names_;
    Worst worst_;
    // Of the thread that stores.
    std::string list_;
    bool anyDone_ = false;                         ///< in an earlier session, or this one
    std::map<std::string, std::size_t> failures_;  ///< by kind, while none is done
};

}  // namespace

bool isFinished(const SampleRecord& record, const fs::path& folder, const ListRunOptions& options) {
    if (!record.done() || (record.withoutTruth() && !options.truthRoot.empty())) return false;
    if (!options.meshes) return true;
    const std::vector<fs::path> files = meshFilesOf(folder, record);
    return std::ranges::all_of(files, [](const fs::path& file) {
        std::error_code missing;
        return fs::is_regular_file(file, missing);
    });
}

void evaluateList(NetworkService& network, const EvaluationList& list, Journal& journal,
                  const fs::path& folder, const ListRunOptions& options, PipelineReport* report) {
    ListRun(network, journal, folder, options).run(list, report);
}

}  // namespace threefold
