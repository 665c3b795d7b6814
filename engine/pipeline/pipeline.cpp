#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/network/onednn.h"
#include "engine/pipeline/batch_sizer.h"
#include "engine/pipeline/bounded_queue.h"
#include "engine/pipeline/crew_sizes.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

/// Threads that do the same work; resize() chooses how many of them rest. resize() and join() are
/// for one thread, all else for any.
class Crew {
  public:
    /// Starts threads until there are so many and lets so many work. Throws std::system_error where
    /// the first cannot be started; of the others, as many work as there are.
    void resize(std::size_t size, const std::function<void(std::size_t thread)>& work) {
        while (threads_.size() < size) {
            try {
                threads_.emplace_back([work, thread = threads_.size()] { work(thread); });
            } catch (const std::system_error&) {
                if (threads_.empty()) throw;
                size = threads_.size();
            }
        }
        const std::scoped_lock lock(mutex_);
        size_ = size;
        changed_.notify_all();
    }

    /// Waits while this thread is to rest. False: the crew is dismissed.
    bool mayWork(std::size_t thread) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return dismissed_ || thread < size_; });
        return thread < size_;
    }

    /// Threads that rest end.
    void dismiss() {
        const std::scoped_lock lock(mutex_);
        dismissed_ = true;
        changed_.notify_all();
    }

    void join() {
        dismiss();
        threads_.clear();
    }

    std::size_t size() const { return size_; }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::size_t> size_ = 0;
    bool dismissed_ = false;
    std::vector<std::jthread> threads_;  ///< last: they use all above
};

constexpr const char* kNoMemory = ": not enough memory. Use fewer views, or a smaller batch.";

/// The crews' sizes are planned anew after so many samples, and at most this often.
constexpr std::size_t kSamplesBetweenPlans = 16;
constexpr double kMillisecondsBetweenPlans = 50;

/// In milliseconds, unless PipelineOptions::longestWait is shorter.
constexpr double kShortestWait = 1;

/// A larger batch is no faster on any device.
constexpr std::size_t kLargestBatch = 256;

double preprocessMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings)
        if (timing.stage == Stage::preprocess) sum += timing.milliseconds;
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
    job.comparisons.clear();
    job.reconstruction = {};
    job.fitPhotographs.reset();
    job.evaluation.reset();
}

/// Runs `work`. False: a failure became the sample's, and the run continues.
template <class Failure, class Work>
bool tryOn(SampleJob& job, const Work& work) {
    std::string problem;
    try {
        work();
        return true;
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

/// The parts of a run, timed; a sample's failure becomes its record's.
struct Steps {
    NetworkService& network;
    const PipelineParts& parts;
    RunOptions options;
    PipelineMeter meter;
    PipelineReport* report;  ///< filled in at the end, however the run ends
    const std::size_t stagesEvery;
    std::size_t submitted = 0;  ///< batches

    Steps(NetworkService& service, const PipelineParts& given, const PipelineOptions& wanted,
          PipelineReport* filled)
        : network(service),
          parts(given),
          meter(wanted.spans, wanted.clock),
          report(filled),
          stagesEvery(wanted.stagesEvery) {
        options.cancel = wanted.cancel;
    }
    ~Steps() {
        if (report != nullptr) *report = meter.finish();
    }
    Steps(const Steps&) = delete;

    SampleJob load(std::size_t place, PartClock& clock) const {
        SampleJob job;
        job.place = place;
        job.loadBegin = meter.now();
        clock.at(place);
        const auto step = clock.step(PipelinePart::load);
        tryOn<Error>(job, [&] { parts.load(job); });
        job.record.times.load = step.milliseconds();
        return job;
    }

    Ticket submit(std::span<SampleJob> jobs, std::span<const NetworkInput> inputs) {
        RunOptions timed = options;
        timed.stages = stagesEvery > 0 && submitted++ % stagesEvery == 0;
        AfterBatch after;
        if (parts.computed)
            after = [this, jobs](Backend& device, std::span<const Reconstruction> meshes,
                                 const std::stop_token& cancel) {
                parts.computed(device, jobs, meshes, cancel);
            };
        return network.submit(inputs, Urgency::list, timed, std::move(after));
    }

    /// Waits for a call of the network, which was submitted `at`, and fills in its jobs.
    void collect(std::span<SampleJob> jobs, Ticket ticket, double at) {
        NetworkResult result = ticket.collect();
        if (parts.check) parts.check();
        const double each = result.milliseconds / static_cast<double>(jobs.size());
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            SampleJob& job = jobs[i];
            RecordTimes& times = job.record.times;
            job.networkBegin = at;
            job.reconstruction = std::move(result.meshes[i]);
            meter.timed(job.reconstruction.timings);
            times.preprocess = preprocessMilliseconds(job.reconstruction.timings);
            times.network = std::max(0.0, each - times.preprocess);
        }
    }

    void computeAlone(SampleJob& job) {
        tryOn<InputError>(job, [&] {
            const double at = meter.now();
            collect({&job, 1}, submit({&job, 1}, {&job.input, 1}), at);
        });
    }

    void finish(SampleJob& job, PartClock& clock) const {
        clock.at(job.place);
        tryOn<InputError>(job, [&] { parts.finish(job, clock); });
        shed(job);
    }

    void store(std::span<const SampleJob> jobs, PartClock& clock) {
        {
            clock.at(jobs.front().place);
            const auto step = clock.step(PipelinePart::store, jobs.size());
            parts.store(jobs);
        }
        for (const SampleJob& job : jobs) meter.stored(meter.now() - job.loadBegin, !job.done());
    }
};

class Pipeline {
  public:
    Pipeline(Steps& steps, std::size_t count, const PipelineOptions& options)
        : steps_(steps),
          network_(steps.network),
          meter_(steps.meter),
          count_(count),
          options_(options),
          cores_(options.cores > 0 ? options.cores
                                   : std::max(1U, std::thread::hardware_concurrency())),
          adaptsBatch_(options.batch == 0 && network_.info().largestBatch > 1),
          sizer_(kLargestBatch, BatchSizer::kUsualPreparation, options.found.batch),
          batch_(adaptsBatch_ ? sizer_.next(std::max<std::size_t>(count, 1))
                              : std::max<std::size_t>(options.batch, 1)),
          planner_(cores_, options.device, options.found.crews),
          unloaded_(count),
          loaded_(2 * batch_),
          computed_(2 * batch_),
          finished_(4 * batch_) {}

    /// Throws what ended the run early.
    void run() {
        // A loader, a finisher, the storekeeper; the teams of this thread and the finisher.
        expectThreads(3 + 2 * (cores_ - 1));
        if (count_ == 0) loaded_.close();
        std::jthread storekeeper;
        guarded([&] {
            storekeeper = std::jthread([this] {
                guarded([this] { storeAll(); });
                finished_.close();
            });
            meter_.threads(PipelineCrew::network, 1);
            meter_.threads(PipelineCrew::store, 1);
            resizeCrews(planner_.sizes());
            compute();
        });
        stopLoading();
        loaders_.join();
        computed_.close();
        finishers_.join();
        finished_.close();
        if (storekeeper.joinable()) storekeeper.join();
        meter_.room(loaded_.capacity());
        meter_.found({adaptsBatch_ ? sizer_.mostUsed() : 0,
                      {options_.loaders > 0 ? 0 : planner_.sizes().loaders,
                       options_.finishers > 0 ? 0 : planner_.sizes().finishers}});
        if (failure_) std::rethrow_exception(failure_);
        if (stored_ < count_) throw Cancelled();
    }

  private:
    void resizeCrews(CrewSizes sizes) {
        if (options_.loaders > 0) sizes.loaders = options_.loaders;
        if (options_.finishers > 0) sizes.finishers = options_.finishers;
        loaders_.resize(sizes.loaders, [this](std::size_t thread) {
            guarded([&] { load(thread); });
            // Otherwise a network that waits for samples would not notice a cancel.
            if (stopping()) stopLoading();
        });
        finishers_.resize(sizes.finishers, [this](std::size_t thread) {
            guarded([&] { finish(thread); });
            // Where it failed, the network would wait for room forever.
            computed_.close();
        });
        meter_.threads(PipelineCrew::loaders, loaders_.size());
        meter_.threads(PipelineCrew::finishers, finishers_.size());
    }

    /// Runs `work`; a failure ends the run.
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
            SampleJob job = steps_.load(place, clock);
            bytes_ = std::max(bytes_.load(), bytesOf(job));
            const Stopwatch waiting;
            pass(std::move(job), loaded_);
            meter_.waited(PipelineCrew::loaders, &CrewUse::waitedForRoom, waiting.milliseconds());
            if (--unloaded_ == 0) {
                loaded_.close();
                loaders_.dismiss();
            }
        }
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

    /// What one call of the network computes.
    struct Batch {
        std::vector<SampleJob> jobs;
        std::vector<NetworkInput> inputs;  ///< the jobs', until the call's end
        double at = 0;                     ///< when it was submitted
        Ticket ticket;                     ///< last: it needs the inputs
    };

    /// Milliseconds for which a batch that is not full waits for more samples.
    double wait() const {
        if (!adaptsBatch_) return options_.longestWait;
        return std::min(std::max(lastBatch_, kShortestWait), options_.longestWait);
    }

    std::vector<SampleJob> nextJobs() {
        const Stopwatch waiting;
        if (adaptsBatch_) {
            const std::size_t most = std::min(network_.info().largestBatch, affordable());
            batch_ = sizer_.next(std::max<std::size_t>(count_ - submitted_, 1), most);
            if (loaded_.capacity() < 2 * batch_)
                loaded_.setCapacity(std::min(2 * batch_, affordable()));
        }
        std::size_t size = batch_;
        // Where memory holds less than a batch, no more can be there at once.
        const std::size_t there =
            loaded_.waitFor(std::min(batch_, loaded_.capacity()),
                            std::chrono::duration<double, std::milli>(wait()));
        // Sizes are few, since a GPU keeps a graph for each.
        if (there < batch_ && !loaded_.closed())
            size = std::bit_floor(std::max<std::size_t>(there, 1));
        std::vector<SampleJob> jobs;
        while (jobs.size() < size) {
            std::optional<SampleJob> job = loaded_.pop();
            if (!job) break;
            jobs.push_back(std::move(*job));
        }
        meter_.waited(PipelineCrew::network, &CrewUse::waitedForWork, waiting.milliseconds());
        submitted_ += jobs.size();
        return jobs;
    }

    /// Submits the next batches while one is computed.
    void compute() {
        PartClock clock(meter_, LaneKind::network);
        std::deque<Batch> begun;
        while (!stopping()) {
            // A submitted batch does not wait for samples that are still being loaded.
            if (begun.empty() || loaded_.ready(batch_)) {
                std::vector<SampleJob> jobs = nextJobs();
                if (stopping() || (jobs.empty() && begun.empty())) break;
                if (!jobs.empty()) {
                    warmUp(jobs);
                    begun.push_back(submit(std::move(jobs)));
                }
                if (begun.size() < network_.info().mostPending && loaded_.ready(batch_) &&
                    loaded_.size() > 0)
                    continue;
            }
            Batch oldest = std::move(begun.front());
            begun.pop_front();
            collect(std::move(oldest), clock);
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
            for (int i = 0; i < options_.warmUpRuns; ++i) {
                RunOptions run = steps_.options;
                run.stages = i == 0 && options_.stagesEvery > 0;  // that once, the others usually
                network_.submit(inputs, Urgency::list, run).collect();
            }
        } catch (const InputError&) {
            warm_.erase(jobs.size());
        } catch (const std::bad_alloc&) {
            warm_.erase(jobs.size());
        }
        if (steps_.parts.warmed) steps_.parts.warmed(watch.milliseconds());
    }

    Batch submit(std::vector<SampleJob> jobs) {
        std::vector<NetworkInput> inputs;
        inputs.reserve(jobs.size());
        for (SampleJob& job : jobs) inputs.push_back(std::move(job.input));
        const double at = meter_.now();
        Ticket ticket = steps_.submit(jobs, inputs);
        return {std::move(jobs), std::move(inputs), at, std::move(ticket)};
    }

    /// Waits for the end of a batch and passes its samples on. If it fails as a whole, several are
    /// computed one by one.
    void collect(Batch batch, PartClock& clock) {
        std::vector<SampleJob>& jobs = batch.jobs;
        bool done = false;
        {
            clock.at(jobs.front().place);
            const auto step = clock.step(PipelinePart::network, jobs.size());
            done = tryOn<InputError>(
                jobs.front(), [&] { steps_.collect(jobs, std::move(batch.ticket), batch.at); });
            for (std::size_t i = 0; i < jobs.size(); ++i)
                jobs[i].input = std::move(batch.inputs[i]);
            if (!done && jobs.size() > 1) {
                jobs.front().record.error.clear();
                for (SampleJob& job : jobs) steps_.computeAlone(job);
            }
            lastBatch_ = meter_.now() - batch.at;
        }
        const double took =
            meter_.batch(jobs.size(), lastBatch_, {meter_.now(), loaded_.size(), computed_.size()});
        if (adaptsBatch_ && done) sizer_.ran(jobs.size(), took);
        const Stopwatch waiting;
        for (SampleJob& job : jobs) pass(std::move(job), computed_);
        meter_.waited(PipelineCrew::network, &CrewUse::waitedForRoom, waiting.milliseconds());
    }

    /// Plans the crews and the queue's room from the samples' costs since the last plan.
    void plan() {
        const std::array<PartUse, kPipelineParts.size()> parts = meter_.parts();
        const auto itemsOf = [&](std::size_t i) { return parts[i].items - planned_[i].items; };
        const auto perItem = [&](PipelinePart part, double PartUse::*time) {
            const auto i = static_cast<std::size_t>(part);
            const double spent = parts[i].*time - planned_[i].*time;
            return itemsOf(i) > 0 ? spent / static_cast<double>(itemsOf(i)) : 0.0;
        };
        const std::size_t samples = itemsOf(static_cast<std::size_t>(PipelinePart::network));
        const double milliseconds = meter_.now() - plannedAt_;
        if (samples < kSamplesBetweenPlans || milliseconds < kMillisecondsBetweenPlans) return;
        SampleCosts costs;
        costs.load = perItem(PipelinePart::load, &PartUse::busy);
        costs.loadOnCore = perItem(PipelinePart::load, &PartUse::onCore);
        costs.network = perItem(PipelinePart::network, &PartUse::busy);
        for (const PipelinePart part :
             {PipelinePart::fit, PipelinePart::measure, PipelinePart::write}) {
            costs.finish += perItem(part, &PartUse::busy);
            costs.finishOnCore += perItem(part, &PartUse::onCore);
        }
        planned_ = parts;
        plannedAt_ = meter_.now();
        resizeCrews(planner_.next(costs, static_cast<double>(samples) / milliseconds));
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
            meter_.waited(PipelineCrew::finishers, &CrewUse::waitedForWork, waiting.milliseconds());
            const bool storeFailed = finished_.closed();
            if (storeFailed || (!options_.finishCancelled && options_.cancel.stop_requested()))
                continue;
            // After a failure it goes on with the other samples that the network has computed.
            guarded([&] {
                steps_.finish(*job, clock);
                finished_.push(std::move(*job));
            });
        }
    }

    void storeAll() {
        PartClock clock(meter_, LaneKind::store);
        for (auto jobs = finished_.popAll(); !jobs.empty(); jobs = finished_.popAll()) {
            steps_.store(jobs, clock);
            stored_ += jobs.size();
        }
    }

    Steps& steps_;
    NetworkService& network_;
    PipelineMeter& meter_;
    const std::size_t count_;
    const PipelineOptions& options_;
    const std::size_t cores_;
    const bool adaptsBatch_;  ///< else `batch_` stays as it is
    BatchSizer sizer_;
    std::size_t batch_;
    std::size_t submitted_ = 0;
    CrewPlanner planner_;
    std::array<PartUse, kPipelineParts.size()> planned_ = {};  ///< at the last plan
    double plannedAt_ = 0;
    double lastBatch_ = 0;                ///< milliseconds
    std::atomic<std::size_t> bytes_ = 0;  ///< of the largest sample so far
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> unloaded_;
    std::atomic<bool> stopped_ = false;
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

void runPipeline(NetworkService& network, std::size_t count, const PipelineParts& parts,
                 const PipelineOptions& options, PipelineReport* report) {
    Steps steps(network, parts, options, report);
    Pipeline(steps, count, options).run();
}

void runInTurn(NetworkService& network, std::size_t count, const PipelineParts& parts,
               const PipelineOptions& options, PipelineReport* report) {
    Steps steps(network, parts, options, report);
    PartClock clock(steps.meter, LaneKind::processor);
    for (const PipelineCrew crew : kPipelineCrews) steps.meter.threads(crew, 1);
    for (std::size_t place = 0; place < count; ++place) {
        if (options.cancel.stop_requested()) throw Cancelled();
        SampleJob job = steps.load(place, clock);
        if (job.done()) {
            const auto step = clock.step(PipelinePart::network);
            steps.computeAlone(job);
        }
        if (job.done()) {
            if (!options.finishCancelled && options.cancel.stop_requested()) throw Cancelled();
            steps.finish(job, clock);
        }
        shed(job);
        steps.store({&job, 1}, clock);
    }
}

}  // namespace threefold
