#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/network/onednn.h"
#include "engine/pipeline/batch_sizer.h"
#include "engine/pipeline/bounded_queue.h"
#include "engine/pipeline/crew.h"
#include "engine/pipeline/crew_sizes.h"
#include "engine/pipeline/part_clock.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr const char* kNoMemory = ": not enough memory. Use fewer views, or a smaller --batch.";

/// The crews' sizes are planned anew after so many samples, and at most this often.
constexpr std::size_t kSamplesBetweenPlans = 16;
constexpr double kMillisecondsBetweenPlans = 50;

/// A batch that is not full waits for more samples as long as the last batch took, within these.
constexpr double kShortestWait = 1;
constexpr double kLongestWait = 100;

/// A larger batch is no faster on any device.
constexpr std::size_t kLargestBatch = 256;

double preprocessMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage == Stage::preprocess) sum += timing.milliseconds;
    }
    return sum;
}

/// Bytes that a loaded sample keeps.
std::size_t bytesOf(const SampleJob& job) {
    std::size_t bytes = (job.truth.points.size() + job.truth.normals.size()) * sizeof(glm::vec3);
    for (const Image& image : job.input.images) bytes += image.rgba.size();
    return bytes;
}

/// Releases the data that `store` does not need.
void shed(SampleJob& job) {
    job.input = {};
    job.truth = {};
    job.reconstruction = {};
    job.fitPhotographs.reset();
    job.evaluation.reset();
}

class Pipeline {
  public:
    Pipeline(NetworkService& network, std::size_t count, const PipelineParts& parts,
             const PipelineOptions& options)
        : network_(network),
          count_(count),
          parts_(parts),
          options_(options),
          cores_(options.cores > 0 ? options.cores
                                   : std::max(1U, std::thread::hardware_concurrency())),
          sizer_(kLargestBatch),
          together_(network.info().largestBatch > 1),
          batch_(options.batch > 0 ? options.batch
                 : adaptsBatch()
                     ? sizer_.next(std::max<std::size_t>(count, 1))
                     : std::min(PipelineOptions::kUsualBatch, network.info().largestBatch)),
          meter_(options.spans),
          planner_(cores_, options.device),
          unloaded_(count),
          loaded_(2 * batch_),
          computed_(2 * batch_),
          finished_(4 * batch_) {
        callOptions_.cancel = options.cancel;
    }

    void run() {
        meter_.threads(PipelineCrew::network, 1);
        if (options_.mode == PipelineMode::simple) {
            runInTurn();
        } else {
            runTogether();
        }
        if (failure_) std::rethrow_exception(failure_);
        if (stored_ < count_) throw Cancelled();
    }

    PipelineReport report() {
        const std::size_t room = loaded_.capacity();
        PipelineReport report = meter_.finish();
        report.loadedRoom = room;
        return report;
    }

  private:
    void runInTurn() {
        PartClock clock(meter_, LaneKind::processor);
        guarded([&] {
            for (const PipelineCrew crew : kPipelineCrews) meter_.threads(crew, 1);
            for (std::size_t place = 0; place < count_ && !stopping(); ++place) {
                std::vector<SampleJob> jobs;
                jobs.push_back(loadAt(place, clock));
                SampleJob& job = jobs.front();
                if (job.done()) {
                    warmUp(jobs);
                    const auto step = clock.step(PipelinePart::network);
                    collect(jobs, submit(jobs));
                }
                if (job.done()) {
                    if (stopping() && !options_.finishCancelled) return;
                    tryOn<InputError>(job, [&] { parts_.finish(job, clock); });
                }
                shed(job);
                store(jobs, clock);
            }
        });
    }

    void runTogether() {
        // A loader, a finisher, the storekeeper; the teams of this thread and the finisher.
        expectThreads(3 + 2 * (cores_ - 1));
        std::jthread storekeeper;
        try {
            resizeCrews(options_.mode == PipelineMode::full ? planner_.sizes() : CrewSizes{});
            storekeeper = std::jthread([this] { guarded([this] { storeAll(); }); });
        } catch (...) {
            // A thread could not be started: unblock the running ones.
            stopLoading();
            computed_.close();
            finished_.close();
            loaders_.join();
            finishers_.join();
            throw;
        }
        meter_.threads(PipelineCrew::store, 1);
        if (count_ == 0) loaded_.close();
        guarded([this] { compute(); });
        stopLoading();
        loaders_.join();
        computed_.close();
        finishers_.join();
        finished_.close();
    }

    void resizeCrews(CrewSizes sizes) {
        if (options_.loaders > 0) sizes.loaders = options_.loaders;
        if (options_.finishers > 0) sizes.finishers = options_.finishers;
        loaders_.resize(sizes.loaders,
                        [this](std::size_t thread) { guarded([&] { load(thread); }); });
        finishers_.resize(sizes.finishers, [this](std::size_t thread) {
            guarded([&] {
                try {
                    finish(thread);
                } catch (...) {
                    // Otherwise the network would wait for room forever.
                    computed_.close();
                    throw;
                }
            });
        });
        meter_.threads(PipelineCrew::loaders, loaders_.size());
        meter_.threads(PipelineCrew::finishers, finishers_.size());
    }

    /// Runs `work`. The first failure becomes the run's failure and stops further loading.
    void guarded(const std::function<void()>& work) {
        try {
            work();
        } catch (...) {
            {
                const std::scoped_lock lock(failureMutex_);
                if (!failure_) failure_ = std::current_exception();
            }
            stopLoading();
        }
    }

    bool stopping() const { return stopped_ || options_.cancel.stop_requested(); }

    void stopLoading() {
        stopped_ = true;
        loaded_.close();
        loaders_.dismiss();
    }

    void load(std::size_t thread) {
        PartClock clock(meter_, LaneKind::loader, thread);
        // A place once taken is loaded even if the run stops meanwhile: loading of later places
        // may wait for it (see PipelineParts).
        while (loaders_.mayWork(thread) && !stopping()) {
            const std::size_t place = next_++;
            if (place >= count_) return;
            SampleJob job = loadAt(place, clock);
            bytes_ = std::max(bytes_.load(), bytesOf(job));
            const Stopwatch waiting;
            pass(std::move(job), loaded_);
            meter_.waitedForRoom(PipelineCrew::loaders, waiting.milliseconds());
            if (--unloaded_ == 0) {
                loaded_.close();
                loaders_.dismiss();
            }
        }
        // Otherwise a network that waits for samples would not notice a cancel.
        if (stopping()) stopLoading();
    }

    SampleJob loadAt(std::size_t place, PartClock& clock) {
        SampleJob job;
        job.place = place;
        job.loadBegin = meter_.now();
        clock.at(place);
        const auto step = clock.step(PipelinePart::load);
        tryOn<Error>(job, [&] { parts_.load(job); });
        job.record.times.load = step.milliseconds();
        return job;
    }

    /// Passes a sample to the next part, or a failed one to the end.
    void pass(SampleJob job, BoundedQueue<SampleJob>& next) {
        if (job.done()) {
            next.push(std::move(job));
        } else {
            shed(job);
            finished_.push(std::move(job));
        }
    }

    /// Runs `work`. False: a failure became the sample's, and the run continues.
    template <class Failure, class Work>
    static bool tryOn(SampleJob& job, const Work& work) {
        std::string problem;
        try {
            work();
            return true;
        } catch (const Cancelled&) {
            throw;
        } catch (const Failure& error) {
            problem = error.what();
        } catch (const std::bad_alloc&) {
            problem = job.record.given + kNoMemory;
        }
        job.record.error = std::move(problem);
        job.record.scores.clear();
        job.record.silhouettes.clear();
        return false;
    }

    /// One call of the network for several jobs.
    struct Call {
        std::vector<NetworkInput> inputs;  ///< the jobs', until its end
        double at = 0;                     ///< when it was submitted
        Ticket ticket;                     ///< last: it needs the inputs
    };

    bool adaptsBatch() const {
        return options_.mode == PipelineMode::full && options_.batch == 0 && together_;
    }

    /// The size of the next batch, and room for two of them.
    void chooseBatch() {
        const std::size_t most = std::min(network_.info().largestBatch, affordable());
        batch_ = sizer_.next(std::max<std::size_t>(count_ - submitted_, 1), most);
        if (loaded_.capacity() < 2 * batch_)
            loaded_.setCapacity(std::min(2 * batch_, affordable()));
    }

    std::vector<SampleJob> nextBatch() {
        const Stopwatch waiting;
        std::size_t size = batch_;
        if (adaptsBatch()) {
            chooseBatch();
            size = batch_;
            const std::size_t there =
                loaded_.waitFor(batch_, std::chrono::duration<double, std::milli>(
                                            std::clamp(lastBatch_, kShortestWait, kLongestWait)));
            // Sizes are few, since a GPU keeps a graph for each.
            if (there < batch_ && !loaded_.closed())
                size = std::bit_floor(std::max<std::size_t>(there, 1));
        }
        std::vector<SampleJob> batch;
        while (batch.size() < size) {
            std::optional<SampleJob> job = loaded_.pop();
            if (!job) break;
            batch.push_back(std::move(*job));
        }
        meter_.waitedForWork(PipelineCrew::network, waiting.milliseconds());
        submitted_ += batch.size();
        return batch;
    }

    /// Submits the next batches while one is computed.
    void compute() {
        PartClock clock(meter_, LaneKind::network);
        std::deque<std::pair<std::vector<SampleJob>, Call>> begun;
        while (!stopping()) {
            // A submitted batch does not wait for samples that are still being loaded.
            if (begun.empty() || loaded_.ready(batch_)) {
                std::vector<SampleJob> jobs = nextBatch();
                if (stopping() || (jobs.empty() && begun.empty())) break;
                if (!jobs.empty()) {
                    warmUp(jobs);
                    Call call = submit(jobs);
                    begun.emplace_back(std::move(jobs), std::move(call));
                }
                if (begun.size() < network_.info().mostPending && loaded_.ready(batch_) &&
                    loaded_.size() > 0)
                    continue;
            }
            auto [jobs, call] = std::move(begun.front());
            begun.pop_front();
            end(std::move(jobs), std::move(call), clock);
            plan();
        }
    }

    /// Ignores samples that the network refuses: the timed run reports them.
    void warmUp(std::span<const SampleJob> jobs) {
        if (options_.warmUpRuns == 0 || !warm_.insert(jobs.size()).second) return;
        std::vector<NetworkInput> inputs;
        for (const SampleJob& job : jobs) inputs.push_back(job.input);
        const Stopwatch watch;
        try {
            for (int i = 0; i < options_.warmUpRuns; ++i)
                network_.submit(inputs, Urgency::list, callOptions_).collect();
        } catch (const InputError&) {
            warm_.erase(jobs.size());
        } catch (const std::bad_alloc&) {
            warm_.erase(jobs.size());
        }
        if (parts_.warmed) parts_.warmed(watch.milliseconds());
    }

    /// Until its end the call has the jobs' inputs.
    Call submit(std::span<SampleJob> jobs) {
        std::vector<NetworkInput> inputs;
        inputs.reserve(jobs.size());
        for (SampleJob& job : jobs) inputs.push_back(std::move(job.input));
        const double at = meter_.now();
        Ticket ticket = network_.submit(inputs, Urgency::list, callOptions_);
        return {std::move(inputs), at, std::move(ticket)};
    }

    /// Waits for the end of a call and fills in its jobs. If it fails as a whole, returns false;
    /// several jobs are then computed one by one.
    bool collect(std::span<SampleJob> jobs, Call call) {
        const bool done = tryOn<InputError>(jobs.front(), [&] {
            NetworkResult result = call.ticket.collect();
            if (parts_.check) parts_.check();
            const double each = result.milliseconds / static_cast<double>(jobs.size());
            for (std::size_t i = 0; i < jobs.size(); ++i) {
                SampleJob& job = jobs[i];
                RecordTimes& times = job.record.times;
                job.networkBegin = call.at;
                job.reconstruction = std::move(result.meshes[i]);
                times.preprocess = preprocessMilliseconds(job.reconstruction.timings);
                times.network = std::max(0.0, each - times.preprocess);
            }
        });
        for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].input = std::move(call.inputs[i]);
        if (done || jobs.size() == 1) return done;
        jobs.front().record.error.clear();
        for (SampleJob& job : jobs) collect({&job, 1}, submit({&job, 1}));
        return false;
    }

    /// Collects a batch and passes it on.
    void end(std::vector<SampleJob> jobs, Call call, PartClock& clock) {
        const double at = call.at;
        bool done = false;
        {
            clock.at(jobs.front().place);
            const auto step = clock.step(PipelinePart::network, jobs.size());
            done = collect(jobs, std::move(call));
            lastBatch_ = meter_.now() - at;
        }
        const double took =
            meter_.batch(jobs.size(), lastBatch_, {meter_.now(), loaded_.size(), computed_.size()});
        if (adaptsBatch() && done) sizer_.ran(jobs.size(), took);
        const Stopwatch waiting;
        for (SampleJob& job : jobs) pass(std::move(job), computed_);
        meter_.waitedForRoom(PipelineCrew::network, waiting.milliseconds());
    }

    /// Plans the crews and the queue's room from the samples' costs since the last plan.
    void plan() {
        if (options_.mode != PipelineMode::full) return;
        const std::array<PartUse, kPipelineParts.size()> parts = meter_.parts();
        const auto since = [&](PipelinePart part) {
            const auto i = static_cast<std::size_t>(part);
            return PartUse{parts[i].items - planned_[i].items, parts[i].busy - planned_[i].busy,
                           parts[i].onCore - planned_[i].onCore};
        };
        const PartUse network = since(PipelinePart::network);
        const double milliseconds = meter_.now() - plannedAt_;
        if (network.items < kSamplesBetweenPlans || milliseconds < kMillisecondsBetweenPlans)
            return;
        SampleCosts costs;
        const auto perItem = [](const PartUse& use, double PartUse::*time) {
            return use.items > 0 ? use.*time / static_cast<double>(use.items) : 0.0;
        };
        costs.load = perItem(since(PipelinePart::load), &PartUse::busy);
        costs.loadOnCore = perItem(since(PipelinePart::load), &PartUse::onCore);
        costs.network = perItem(network, &PartUse::busy);
        for (const PipelinePart part :
             {PipelinePart::fit, PipelinePart::measure, PipelinePart::write}) {
            costs.finish += perItem(since(part), &PartUse::busy);
            costs.finishOnCore += perItem(since(part), &PartUse::onCore);
        }
        planned_ = parts;
        plannedAt_ = meter_.now();
        resizeCrews(planner_.next(costs, static_cast<double>(network.items) / milliseconds));
        loaded_.setCapacity(roomFor(costs));
    }

    /// Samples that wait for the network: two batches, and as many as it computes while one sample
    /// is loaded, as far as memory goes.
    std::size_t roomFor(const SampleCosts& costs) const {
        const double ahead = costs.network > 0 ? costs.load / costs.network : 0.0;
        const std::size_t wanted = 2 * batch_ + static_cast<std::size_t>(std::min(
                                                    ahead, 4.0 * static_cast<double>(batch_)));
        return std::min(affordable(), wanted);
    }

    std::size_t affordable() const {
        return std::max<std::size_t>(1, options_.memoryBytes / std::max<std::size_t>(bytes_, 1));
    }

    void finish(std::size_t thread) {
        // The crew's threads are the parallelism: on a device's machine each with a team of its own
        // would be cores² threads.
        const std::optional<onednn::ThreadLimit> alone =
            options_.device ? std::make_optional<onednn::ThreadLimit>(1) : std::nullopt;
        PartClock clock(meter_, LaneKind::finisher, thread);
        while (finishers_.mayWork(thread)) {
            const Stopwatch waiting;
            std::optional<SampleJob> job = computed_.pop();
            if (!job) return;
            meter_.waitedForWork(PipelineCrew::finishers, waiting.milliseconds());
            if (storeFailed_ || (!options_.finishCancelled && options_.cancel.stop_requested())) {
                continue;
            }
            clock.at(job->place);
            try {
                tryOn<InputError>(*job, [&] { parts_.finish(*job, clock); });
            } catch (...) {
                // Continue with the other samples that the network has computed.
                guarded([] { throw; });
                continue;
            }
            shed(*job);
            finished_.push(std::move(*job));
        }
    }

    void storeAll() {
        PartClock clock(meter_, LaneKind::store);
        try {
            for (auto jobs = finished_.popAll(); !jobs.empty(); jobs = finished_.popAll())
                store(jobs, clock);
        } catch (...) {
            storeFailed_ = true;
            finished_.close();
            throw;
        }
    }

    void store(std::span<const SampleJob> jobs, PartClock& clock) {
        {
            clock.at(jobs.front().place);
            const auto step = clock.step(PipelinePart::store, jobs.size());
            parts_.store(jobs);
        }
        stored_ += jobs.size();
        for (const SampleJob& job : jobs) meter_.stored(meter_.now() - job.loadBegin, !job.done());
    }

    NetworkService& network_;
    const std::size_t count_;
    const PipelineParts& parts_;
    const PipelineOptions& options_;
    const std::size_t cores_;
    RunOptions callOptions_;
    BatchSizer sizer_;
    bool together_;  ///< the network computed batches together when the run began
    std::size_t batch_;
    std::size_t submitted_ = 0;
    PipelineMeter meter_;
    CrewPlanner planner_;
    std::array<PartUse, kPipelineParts.size()> planned_ = {};  ///< at the last plan
    double plannedAt_ = 0;
    double lastBatch_ = 0;                ///< milliseconds
    std::atomic<std::size_t> bytes_ = 0;  ///< of the largest sample so far
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> unloaded_;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> storeFailed_ = false;
    std::size_t stored_ = 0;
    std::set<std::size_t> warm_;  ///< batch sizes already run: a GPU makes a plan for each
    std::mutex failureMutex_;
    std::exception_ptr failure_;
    BoundedQueue<SampleJob> loaded_;
    BoundedQueue<SampleJob> computed_;
    BoundedQueue<SampleJob> finished_;
    Crew loaders_;  ///< last: their threads use all above
    Crew finishers_;
};

}  // namespace

std::string_view pipelineModeName(PipelineMode mode) {
    switch (mode) {
        case PipelineMode::simple:
            return "simple";
        case PipelineMode::overlapped:
            return "overlapped";
        case PipelineMode::full:
            return "full";
    }
    return "";
}

PipelineMode pipelineModeFromName(std::string_view name) {
    for (const PipelineMode mode : kPipelineModes) {
        if (name == pipelineModeName(mode)) return mode;
    }
    throw UsageError({std::string(name), "", "is not a mode of the pipeline",
                      "Name one of simple, overlapped, full."});
}

void runPipeline(NetworkService& network, std::size_t count, const PipelineParts& parts,
                 const PipelineOptions& options, PipelineReport* report) {
    Pipeline pipeline(network, count, parts, options);
    try {
        pipeline.run();
    } catch (...) {
        if (report != nullptr) *report = pipeline.report();
        throw;
    }
    if (report != nullptr) *report = pipeline.report();
}

}  // namespace threefold
