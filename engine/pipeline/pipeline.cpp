#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/compute/bounded_queue.h"
#include "engine/compute/parallel.h"
#include "engine/compute/worker_pool.h"
#include "engine/error.h"
#include "engine/network/onednn.h"
#include "engine/pipeline/batch_sizer.h"
#include "engine/pipeline/worker_planner.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr const char* kNoMemory = ": not enough memory. Use fewer views, or a smaller batch.";

/// Minimum samples and time between two plans of the groups' sizes.
constexpr std::size_t kSamplesBetweenPlans = 16;
constexpr double kMillisecondsBetweenPlans = 50;

/// Minimum wait in milliseconds, unless PipelineOptions::longestWait is shorter.
constexpr double kMinWait = 1;

double preprocessMilliseconds(const StepTimings& timings) {
    double sum = 0;
    for (const StepTiming& timing : timings)
        if (timing.step == RunStep::preprocess) sum += timing.milliseconds;
    return sum;
}

/// A sample in the pipeline, with the value of its last step.
template <class Value>
struct InFlight {
    EndedSample sample;
    Value value = {};

    bool succeeded() const { return sample.record.succeeded(); }
};
using Loaded = InFlight<LoadedSample>;
using Computed = InFlight<ComputedSample>;

/// Memory of a loaded sample.
std::size_t bytesOf(const LoadedSample& loaded) {
    const GroundTruth& truth = loaded.truth;
    std::size_t bytes =
        (truth.points.size() + truth.normals.size() + truth.surface.vertices.size()) *
            sizeof(glm::vec3) +
        truth.surface.faces.size() * sizeof(glm::u32vec3);
    for (const Image& image : loaded.input.images) bytes += image.rgba.size();
    return bytes;
}

void raiseTo(std::atomic<std::size_t>& maximum, std::size_t value) {
    std::size_t before = maximum.load();
    while (before < value && !maximum.compare_exchange_weak(before, value)) {
    }
}

/// Runs `work`. On a Failure or std::bad_alloc, stores the message in the record and returns false.
template <class Failure, class Work>
bool tryOn(SampleRecord& record, const Work& work) {
    std::string problem;
    try {
        work();
        return true;
    } catch (const Failure& error) {
        problem = error.what();
    } catch (const std::bad_alloc&) {
        problem = record.given + kNoMemory;
    }
    record.error = std::move(problem);
    record.scores.clear();
    record.silhouettes.clear();
    return false;
}

/// Results of PipelineCallbacks::compare for a batch, set on the device's thread.
struct BatchComparisons {
    std::vector<SampleComparisons> samples;
    double milliseconds = 0;
};

/// Samples of one call of the network.
struct Batch {
    std::vector<Loaded> samples;
    std::vector<NetworkInput> inputs;  ///< inputs of the samples, until the call's end
    double submittedAt = 0;            ///< PipelineMeter::now() at submission
    std::shared_ptr<BatchComparisons> comparisons = std::make_shared<BatchComparisons>();
    std::optional<Ticket> ticket = {};  ///< last: uses the inputs
};

/// Timed steps of a run. A sample's failure is stored in its record.
struct Steps {
    NetworkService& network;
    const PipelineCallbacks& parts;
    RunOptions options;
    PipelineMeter meter;
    PipelineReport* report;  ///< filled in by the destructor
    const std::size_t stagesEvery;
    std::size_t submitted = 0;  ///< batches

    Steps(NetworkService& service, const PipelineCallbacks& callbacks,
          const PipelineOptions& runOptions, PipelineReport* target)
        : network(service),
          parts(callbacks),
          meter(runOptions.spans, runOptions.clock),
          report(target),
          stagesEvery(runOptions.stagesEvery) {
        options.cancel = runOptions.cancel;
    }
    ~Steps() {
        if (report != nullptr) *report = meter.finish();
    }
    Steps(const Steps&) = delete;

    Loaded load(std::size_t position, StepClock& clock) const {
        Loaded loaded;
        loaded.sample.position = position;
        loaded.sample.loadBegin = meter.now();
        SampleRecord& record = loaded.sample.record;
        clock.at(position);
        const auto step = clock.step(PipelineStep::load);
        tryOn<Error>(record, [&] { loaded.value = parts.load(position, record); });
        record.times.load = step.milliseconds();
        return loaded;
    }

    /// Submits a batch. Moves the samples' inputs to the batch; collect() or giveBack() returns
    /// them.
    Batch submit(std::vector<Loaded> samples) {
        Batch batch;
        batch.samples = std::move(samples);
        batch.inputs.reserve(batch.samples.size());
        std::vector<const GroundTruth*> truths;
        for (Loaded& each : batch.samples) {
            batch.inputs.push_back(std::move(each.value.input));
            truths.push_back(&each.value.truth);
        }
        batch.submittedAt = meter.now();
        RunOptions timed = options;
        timed.wantTimings = stagesEvery > 0 && submitted++ % stagesEvery == 0;
        AfterBatch after;
        if (parts.compare)
            after = [this, truths = std::move(truths), comparisons = batch.comparisons](
                        MeshOperations& device, std::span<const Reconstruction> meshes,
                        const std::stop_token& cancel) {
                const Stopwatch watch;
                comparisons->samples = parts.compare(device, truths, meshes, cancel);
                comparisons->milliseconds = watch.milliseconds();
            };
        batch.ticket.emplace(network.submit(batch.inputs, Urgency::list, timed, std::move(after)));
        return batch;
    }

    /// Waits for a call of the network. Rethrows its failure; the batch then keeps its samples.
    std::vector<Computed> collect(Batch& batch) {
        NetworkResult result = batch.ticket->collect();
        if (parts.check) parts.check();
        const auto size = static_cast<double>(batch.samples.size());
        giveBack(batch);
        for (const Reconstruction& mesh : result.meshes) meter.addStageTimings(mesh.timings);
        std::vector<Computed> computed(batch.samples.size());
        for (std::size_t i = 0; i < computed.size(); ++i) {
            Loaded& loaded = batch.samples[i];
            Reconstruction& reconstruction = result.meshes[i];
            RecordTimes& times = loaded.sample.record.times;
            times.preprocess = preprocessMilliseconds(reconstruction.timings);
            times.network = std::max(0.0, result.milliseconds / size - times.preprocess);
            times.metrics = batch.comparisons->milliseconds / size;
            computed[i].value.position = loaded.sample.position;
            computed[i].value.networkBegin = batch.submittedAt;
            computed[i].value.sample = {std::move(loaded.value), std::move(reconstruction)};
            if (!batch.comparisons->samples.empty())
                computed[i].value.comparisons = std::move(batch.comparisons->samples[i]);
            computed[i].sample = std::move(loaded.sample);
        }
        return computed;
    }

    /// Returns the inputs to their samples, after the network's call has ended.
    static void giveBack(Batch& batch) {
        for (std::size_t i = 0; i < batch.inputs.size(); ++i)
            batch.samples[i].value.input = std::move(batch.inputs[i]);
        batch.inputs.clear();
    }

    /// Computes one sample. A failure is stored in its record.
    Computed computeAlone(Loaded loaded) {
        Computed computed;
        computed.sample = loaded.sample;
        tryOn<InputError>(computed.sample.record, [&] {
            std::vector<Loaded> one;
            one.push_back(std::move(loaded));
            Batch batch = submit(std::move(one));
            computed = std::move(collect(batch).front());
        });
        return computed;
    }

    void finish(Computed& computed, StepClock& clock) const {
        clock.at(computed.sample.position);
        SampleRecord& record = computed.sample.record;
        tryOn<InputError>(record, [&] { parts.finish(std::move(computed.value), record, clock); });
    }

    void store(std::span<const EndedSample> samples, StepClock& clock) {
        {
            clock.at(samples.front().position);
            const auto step = clock.step(PipelineStep::store, samples.size());
            parts.store(samples);
        }
        for (const EndedSample& each : samples)
            meter.addStored(meter.now() - each.loadBegin, !each.record.succeeded());
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
          cores_(static_cast<std::size_t>(
              options.cores > 0
                  ? usableThreads(static_cast<int>(options.cores))
                  : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())))),
          adaptsBatch_(options.batch == 0 && network_.info().maxBatch > 1),
          sizer_(kMaxUsefulBatch),
          batch_(adaptsBatch_ ? sizer_.next(std::max<std::size_t>(count, 1))
                              : std::max<std::size_t>(options.batch, 1)),
          planner_(cores_, options.device),
          unloaded_(count),
          loaded_(2 * batch_),
          computed_(2 * batch_),
          ended_(4 * batch_) {}

    /// Runs all samples. Throws the failure that ended the run early.
    void run() {
        // Three threads (loader, finisher, store) and two OpenMP teams (this thread's and the
        // finisher's).
        expectThreads(3 + 2 * (cores_ - 1));
        if (count_ == 0) loaded_.close();
        std::jthread storeThread;
        guarded([&] {
            storeThread = std::jthread([this] {
                guarded([this] { storeAll(); });
                ended_.close();
            });
            meter_.setThreads(WorkerGroup::network, 1);
            meter_.setThreads(WorkerGroup::store, 1);
            resizeGroups(planner_.sizes());
            compute();
        });
        stopLoading();
        loaders_.join();
        computed_.close();
        finishers_.join();
        ended_.close();
        if (storeThread.joinable()) storeThread.join();
        meter_.setLoadedRoom(loaded_.capacity());
        if (failure_) std::rethrow_exception(failure_);
        if (stored_ < count_) throw Cancelled();
    }

  private:
    void resizeGroups(WorkerCounts sizes) {
        if (options_.loaders > 0) sizes.loaders = options_.loaders;
        if (options_.finishers > 0) sizes.finishers = options_.finishers;
        loaders_.resize(sizes.loaders);
        finishers_.resize(sizes.finishers);
        meter_.setThreads(WorkerGroup::loaders, loaders_.size());
        meter_.setThreads(WorkerGroup::finishers, finishers_.size());
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
        StepClock clock(meter_, LaneKind::loader, thread);
        // Loads a position once taken even if the run stops meanwhile: loads of later positions may
        // wait for it (see PipelineCallbacks).
        while (loaders_.waitUntilActive(thread) && !stopping()) {
            const std::size_t position = next_++;
            if (position >= count_) return;
            Loaded loaded = steps_.load(position, clock);
            raiseTo(bytes_, bytesOf(loaded.value));
            const Stopwatch waiting;
            pass(std::move(loaded), loaded_);
            meter_.addWaitForRoom(WorkerGroup::loaders, waiting.milliseconds());
            if (--unloaded_ == 0) {
                loaded_.close();
                loaders_.dismiss();
            }
        }
    }

    /// Passes a sample to the next step, or a failed one to the store.
    template <class Value>
    void pass(InFlight<Value> sample, BoundedQueue<InFlight<Value>>& next) {
        if (sample.succeeded())
            next.push(std::move(sample));
        else
            ended_.push(std::move(sample.sample));
    }

    /// Milliseconds for which a batch that is not full waits for more samples.
    double wait() const {
        if (!adaptsBatch_) return options_.longestWait;
        return std::min(std::max(lastBatch_, kMinWait), options_.longestWait);
    }

    std::vector<Loaded> nextSamples() {
        const Stopwatch waiting;
        if (adaptsBatch_) {
            const std::size_t limit = std::min(network_.info().maxBatch, maxQueued());
            batch_ = sizer_.next(std::max<std::size_t>(count_ - submitted_, 1), limit);
            if (loaded_.capacity() < 2 * batch_)
                loaded_.setCapacity(std::min(2 * batch_, maxQueued()));
        }
        std::size_t size = batch_;
        // If memory holds less than a batch, the queue never fills a batch.
        const std::size_t available =
            loaded_.waitFor(std::min(batch_, loaded_.capacity()),
                            std::chrono::duration<double, std::milli>(wait()));
        // Powers of two keep sizes few: a GPU keeps a graph per size.
        if (available < batch_ && !loaded_.closed())
            size = std::bit_floor(std::max<std::size_t>(available, 1));
        std::vector<Loaded> samples;
        while (samples.size() < size) {
            std::optional<Loaded> loaded = loaded_.pop();
            if (!loaded) break;
            samples.push_back(std::move(*loaded));
        }
        meter_.addWaitForWork(WorkerGroup::network, waiting.milliseconds());
        submitted_ += samples.size();
        return samples;
    }

    /// Submits batches and collects their results; the next ones are submitted while one is
    /// computed.
    void compute() {
        StepClock clock(meter_, LaneKind::network);
        std::deque<Batch> pending;
        while (!stopping()) {
            // Do not delay collecting a batch by waiting for samples that are still being loaded.
            if (pending.empty() || loaded_.ready(batch_)) {
                std::vector<Loaded> samples = nextSamples();
                if (stopping() || (samples.empty() && pending.empty())) break;
                if (!samples.empty()) {
                    warmUp(samples);
                    pending.push_back(steps_.submit(std::move(samples)));
                }
                if (pending.size() < network_.info().maxPending && loaded_.ready(batch_) &&
                    loaded_.size() > 0)
                    continue;
            }
            Batch oldest = std::move(pending.front());
            pending.pop_front();
            collect(std::move(oldest), clock);
            plan();
        }
    }

    /// Runs untimed batches of a new size. Ignores errors, which the timed run reports.
    void warmUp(std::span<const Loaded> samples) {
        if (options_.warmUpRuns == 0 || !warm_.insert(samples.size()).second) return;
        std::vector<NetworkInput> inputs;
        for (const Loaded& each : samples) inputs.push_back(each.value.input);
        const Stopwatch watch;
        try {
            for (int i = 0; i < options_.warmUpRuns; ++i) {
                RunOptions run = steps_.options;
                run.wantTimings =
                    i == 0 && options_.stagesEvery > 0;  // batches run with and without stage times
                network_.submit(inputs, Urgency::list, run).collect();
            }
        } catch (const InputError&) {
            warm_.erase(samples.size());
        } catch (const std::bad_alloc&) {
            warm_.erase(samples.size());
        }
        if (steps_.parts.warmed) steps_.parts.warmed(watch.milliseconds());
    }

    /// Waits for the end of a batch and passes its samples on. If the batch fails, its samples are
    /// computed one by one.
    void collect(Batch batch, StepClock& clock) {
        const std::size_t size = batch.samples.size();
        std::vector<Computed> computed;
        bool done = false;
        {
            clock.at(batch.samples.front().sample.position);
            const auto step = clock.step(PipelineStep::network, size);
            SampleRecord failure = batch.samples.front().sample.record;
            done = tryOn<InputError>(failure, [&] { computed = steps_.collect(batch); });
            if (!done) {
                Steps::giveBack(batch);
                if (size == 1) batch.samples.front().sample.record = std::move(failure);
                for (Loaded& each : batch.samples)
                    computed.push_back(size > 1 ? steps_.computeAlone(std::move(each))
                                                : Computed{std::move(each.sample)});
            }
            lastBatch_ = meter_.now() - batch.submittedAt;
        }
        const double elapsed =
            meter_.addBatch(size, lastBatch_, {meter_.now(), loaded_.size(), computed_.size()});
        if (adaptsBatch_ && done) sizer_.ran(size, elapsed);
        const Stopwatch waiting;
        for (Computed& each : computed) pass(std::move(each), computed_);
        meter_.addWaitForRoom(WorkerGroup::network, waiting.milliseconds());
    }

    /// Plans group sizes and queue capacity from the samples' costs since the last plan.
    void plan() {
        const std::array<StepUse, kPipelineSteps.size()> steps = meter_.steps();
        const auto itemsOf = [&](std::size_t i) { return steps[i].items - planned_[i].items; };
        const auto perItem = [&](PipelineStep step, double StepUse::*time) {
            const auto i = static_cast<std::size_t>(step);
            const double elapsed = steps[i].*time - planned_[i].*time;
            return itemsOf(i) > 0 ? elapsed / static_cast<double>(itemsOf(i)) : 0.0;
        };
        const std::size_t samples = itemsOf(static_cast<std::size_t>(PipelineStep::network));
        const double milliseconds = meter_.now() - plannedAt_;
        if (samples < kSamplesBetweenPlans || milliseconds < kMillisecondsBetweenPlans) return;
        SampleCosts costs;
        costs.load = perItem(PipelineStep::load, &StepUse::busy);
        costs.loadOnCore = perItem(PipelineStep::load, &StepUse::onCore);
        costs.network = perItem(PipelineStep::network, &StepUse::busy);
        for (const PipelineStep step :
             {PipelineStep::fit, PipelineStep::measure, PipelineStep::write}) {
            costs.finish += perItem(step, &StepUse::busy);
            costs.finishOnCore += perItem(step, &StepUse::onCore);
        }
        planned_ = steps;
        plannedAt_ = meter_.now();
        resizeGroups(planner_.next(costs, static_cast<double>(samples) / milliseconds));
        loaded_.setCapacity(roomFor(costs));
    }

    /// Capacity of the network's queue: two batches, plus the samples that the network computes
    /// while one is loaded (at most four batches), within memoryBytes.
    std::size_t roomFor(const SampleCosts& costs) const {
        const double ahead = costs.network > 0 ? costs.load / costs.network : 0.0;
        const std::size_t samples = 2 * batch_ + static_cast<std::size_t>(std::min(
                                                     ahead, 4.0 * static_cast<double>(batch_)));
        return std::min(maxQueued(), samples);
    }

    std::size_t maxQueued() const {
        return std::max<std::size_t>(1, options_.memoryBytes / std::max<std::size_t>(bytes_, 1));
    }

    void finish(std::size_t thread) {
        // The finishers themselves run in parallel. With a device there are many of them, and a
        // team for each would make cores² threads.
        const std::optional<onednn::ThreadLimit> limit =
            options_.device ? std::make_optional<onednn::ThreadLimit>(1) : std::nullopt;
        StepClock clock(meter_, LaneKind::finisher, thread);
        while (finishers_.waitUntilActive(thread)) {
            const Stopwatch waiting;
            std::optional<Computed> computed = computed_.pop();
            if (!computed) return;
            meter_.addWaitForWork(WorkerGroup::finishers, waiting.milliseconds());
            const bool storeFailed = ended_.closed();
            if (storeFailed || (!options_.finishCancelled && options_.cancel.stop_requested()))
                continue;
            // After a failure, continues with the other samples that the network has computed.
            guarded([&] {
                steps_.finish(*computed, clock);
                ended_.push(std::move(computed->sample));
            });
        }
    }

    void storeAll() {
        StepClock clock(meter_, LaneKind::store);
        for (auto ended = ended_.popAll(); !ended.empty(); ended = ended_.popAll()) {
            steps_.store(ended, clock);
            stored_ += ended.size();
        }
    }

    Steps& steps_;
    NetworkService& network_;
    PipelineMeter& meter_;
    const std::size_t count_;
    const PipelineOptions& options_;
    const std::size_t cores_;
    const bool adaptsBatch_;  ///< false: `batch_` is constant
    BatchSizer sizer_;
    std::size_t batch_;
    std::size_t submitted_ = 0;
    WorkerPlanner planner_;
    std::array<StepUse, kPipelineSteps.size()> planned_ = {};  ///< totals at the last plan
    double plannedAt_ = 0;
    double lastBatch_ = 0;                ///< milliseconds
    std::atomic<std::size_t> bytes_ = 0;  ///< size of the largest sample so far
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> unloaded_;
    std::atomic<bool> stopped_ = false;
    std::size_t stored_ = 0;
    std::set<std::size_t> warm_;  ///< batch sizes already run: a GPU makes a plan per size
    std::mutex failureMutex_;
    std::exception_ptr failure_;
    BoundedQueue<Loaded> loaded_;
    BoundedQueue<Computed> computed_;
    BoundedQueue<EndedSample> ended_;
    /// Last, as the threads use all members above.
    WorkerPool loaders_{[this](std::size_t thread) {
        guarded([&] { load(thread); });
        // After a cancel, wakes the network's thread, which waits for samples.
        if (stopping()) stopLoading();
    }};
    WorkerPool finishers_{[this](std::size_t thread) {
        guarded([&] { finish(thread); });
        // After a failure, wakes the network's thread, which waits for room.
        computed_.close();
    }};
};

}  // namespace

void runPipeline(NetworkService& network, std::size_t count, const PipelineCallbacks& parts,
                 const PipelineOptions& options, PipelineReport* report) {
    Steps steps(network, parts, options, report);
    Pipeline(steps, count, options).run();
}

void runSequentially(NetworkService& network, std::size_t count, const PipelineCallbacks& parts,
                     const PipelineOptions& options, PipelineReport* report) {
    Steps steps(network, parts, options, report);
    StepClock clock(steps.meter, LaneKind::processor);
    for (const WorkerGroup group : kWorkerGroups) steps.meter.setThreads(group, 1);
    for (std::size_t position = 0; position < count; ++position) {
        if (options.cancel.stop_requested()) throw Cancelled();
        Loaded loaded = steps.load(position, clock);
        EndedSample ended = loaded.sample;
        if (loaded.succeeded()) {
            Computed computed;
            {
                const auto step = clock.step(PipelineStep::network);
                computed = steps.computeAlone(std::move(loaded));
            }
            if (computed.succeeded()) {
                if (!options.finishCancelled && options.cancel.stop_requested()) throw Cancelled();
                steps.finish(computed, clock);
            }
            ended = std::move(computed.sample);
        }
        steps.store({&ended, 1}, clock);
    }
}

}  // namespace threefold
