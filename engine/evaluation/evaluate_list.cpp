#include "engine/evaluation/evaluate_list.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/list_pipeline.h"
#include "engine/evaluation/record_json.h"
#include "engine/evaluation/result_files.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/formats/pictures/image.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// The sample names in use, so that no two samples write the same files.
class Names {
  public:
    explicit Names(const std::map<std::size_t, SampleRecord>& records) {
        for (const auto& [position, record] : records) {
            if (record.done()) names_.emplace(record.name, position);
        }
    }

    /// Registers the entries that will take a turn.
    void expect(std::span<const ListEntry> entries) {
        for (const ListEntry& entry : entries) {
            if (entry.problem.empty()) waiting_.insert(entry.position);
        }
    }

    /// A sample's turn to claim its name, after the turns of all samples before it in the list: if
    /// two samples have one name, the later one is refused, whichever loader is faster. The
    /// destructor ends the turn.
    class Turn {
      public:
        Turn(Names& names, std::size_t position) : names_(names), position_(position) {}
        ~Turn() {
            const std::scoped_lock lock(names_.mutex_);
            names_.waiting_.erase(position_);
            names_.passed_.notify_all();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

        /// Waits for the turn. Throws InputError where another sample has the name.
        void claim(const std::string& name) { names_.claim(name, position_); }

      private:
        Names& names_;
        const std::size_t position_;
    };

  private:
    void claim(const std::string& name, std::size_t position) {
        std::unique_lock lock(mutex_);
        passed_.wait(lock, [&] { return waiting_.empty() || *waiting_.begin() >= position; });
        const auto [known, isNew] = names_.emplace(name, position);
        if (isNew || known->second == position) return;
        throw InputError({name, "",
                          fmt::format("sample {} of the list is the same", known->second + 1),
                          "Remove one of the two lines."});
    }

    std::mutex mutex_;
    std::condition_variable passed_;
    std::set<std::size_t> waiting_;  ///< positions of the samples whose turn has not ended
    std::map<std::string, std::size_t> names_;
};

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
    ListRun(Backend& backend, Journal& journal, fs::path folder, const ListRunOptions& options)
        : journal_(journal),
          identity_(journal.contents().about.identity),
          folder_(std::move(folder)),
          options_(options),
          backend_(backend),
          description_(backend.description()),
          names_(journal.contents().records),
          worst_(journal.contents().records) {
        route_.truthRequired = !options_.truthRoot.empty();
        route_.strictTruth = true;
        if (identity_.fit) route_.fit = fitViewsFromName(*identity_.fit);
        for (const Protocol protocol : identity_.protocols) {
            route_.scoring.push_back(
                {protocol, identity_.tau, identity_.earthMovers, options_.cancel});
        }
    }

    void run(const EvaluationList& list) {
        const RunDescription& about = journal_.contents().about;
        imageRoot_ = options_.imageRoot.empty() ? list.imageRoot : options_.imageRoot;
        std::vector<ListEntry> entries = entriesOf(list, about.shard);
        std::erase_if(entries, [&](const ListEntry& entry) { return isFinishedAt(entry); });
        if (entries.empty()) return;
        names_.expect(entries);
        if (options_.thumbnails) makeFolder(folder_ / kThumbnailFolder);
        PipelineParts parts;
        parts.load = [this](const ListEntry& entry, SampleInWork& work) { load(entry, work); };
        parts.check = [this] { requireSameBackend(); };
        parts.warmed = [this](double milliseconds) { warmUp_ = warmUp_ + milliseconds; };
        parts.finish = [this](SampleInWork& work) { finish(work); };
        parts.waited = options_.waited;
        parts.keep = [this](std::span<const SampleRecord> records) { keep(records); };
        PipelineOptions pipeline;
        pipeline.batch = options_.batch;
        pipeline.loaders = options_.loaders;
        pipeline.finishers = options_.finishers;
        pipeline.warmUpRuns = about.warmUpRuns;
        pipeline.finishCancelled = !identity_.earthMovers;
        pipeline.cancel = options_.cancel;
        runPipeline(backend_, entries, parts, pipeline);
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

    void load(const ListEntry& entry, SampleInWork& work) {
        work.sample = std::make_shared<const Sample>(find(entry, work.record));
        work.views = identity_.views.empty() ? defaultViews(*work.sample) : identity_.views;
        readSample(work, route_);
    }

    /// Finds the sample and claims its name.
    Sample find(const ListEntry& entry, SampleRecord& record) {
        Names::Turn turn(names_, entry.position);
        Sample sample =
            findSample({entry.location, imageRoot_, options_.truthRoot, identity_.truthSpace});
        record.category = sample.category;
        record.truth = sample.groundTruth.string();
        const std::string name = afterRoundTrip(sample.name());
        turn.claim(name);
        record.name = name;
        return sample;
    }

    void finish(SampleInWork& work) {
        fit(work);
        const Stopwatch scoring;
        measureSample(work, route_);
        work.record.scores = std::move(work.scores);
        work.record.silhouettes = std::move(work.silhouettes);
        work.record.times.metrics = scoring.milliseconds();
        if (options_.measured) options_.measured(work);
        const Stopwatch writing;
        write(work);
        work.record.times.write = writing.milliseconds();
    }

    void fit(SampleInWork& work) const {
        if (!identity_.fit) return;
        const Stopwatch watch;
        fitSample(work, route_);
        work.record.times.fit = watch.milliseconds();
        if (work.fitProblem) {
            work.record.fitNote = fmt::format("not fitted: {}", Error(*work.fitProblem).what());
        } else if (!work.fit->notes.empty()) {
            work.record.fitNote = fmt::format("{}", fmt::join(work.fit->notes, "; "));
        }
    }

    void requireSameBackend() const {
        if (backend_.description() == description_) return;
        throw DeviceError({description_, "", "was lost, and another took over",
                           "Go on with --resume once it is back."});
    }

    void write(SampleInWork& work) {
        const SampleRecord& record = work.record;
        if (options_.meshes) {
            const Mesh mesh{work.reconstruction.refined, work.reconstruction.faces()};
            const std::vector<fs::path> files = meshFilesOf(folder_, record);
            writeMesh(files[0], MeshFormat::obj, mesh);
            writeMesh(files[1], MeshFormat::xyz, mesh);
            if (!work.reconstruction.fitted.empty())
                writeMesh(folder_ / (record.name + "_fitted.obj"), MeshFormat::obj,
                          {work.reconstruction.fitted, work.reconstruction.faces()});
        }
        if (worst_.add(record) && options_.thumbnails) {
            writePng(thumbnailFile(folder_, record.name),
                     makeThumbnail(work.input, work.reconstruction));
        }
    }

    void keep(std::span<const SampleRecord> records) {
        journal_.append(records, (watch_.milliseconds() - warmUp_) / kMillisecondsInSecond);
        if (!options_.kept) return;
        for (const SampleRecord& record : records) options_.kept(record);
    }

    static constexpr double kMillisecondsInSecond = 1000;

    Journal& journal_;
    const RunIdentity identity_;
    const fs::path folder_;
    const ListRunOptions& options_;
    Backend& backend_;
    const std::string description_;
    const Stopwatch watch_;
    std::atomic<double> warmUp_ = 0;  ///< milliseconds, which do not count
    fs::path imageRoot_;
    RouteOptions route_;
    Names names_;
    Worst worst_;
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

void evaluateList(Backend& backend, const EvaluationList& list, Journal& journal,
                  const fs::path& folder, const ListRunOptions& options) {
    ListRun(backend, journal, folder, options).run(list);
}

}  // namespace threefold
