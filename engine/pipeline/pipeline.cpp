#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine/compute/bounded_queue.h"
#include "engine/compute/parallel.h"
#include "engine/compute/worker_pool.h"
#include "engine/error.h"
#include "engine/network/onednn.h"
#include "engine/pipeline/pipeline_planner.h"
#include "engine/pipeline/pipeline_steps.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using Loaded = PipelineSteps::Loaded;
using Computed = PipelineSteps::Computed;

/// Threads and queues of a run: loaders → network (the calling thread) → finishers → store.
class Pipeline {
  public:
    Pipeline(PipelineSteps& steps, NetworkService& network, std::size_t count,
             const PipelineOptions& options)
        : steps_(steps),
          network_(network),
          meter_(steps.meter()),
          count_(count),
          options_(options),
          planner_(options, count, network.info().maxBatchSize),
          unloaded_(count),
          loaded_(planner_.queueCapacity()),
          computed_(2 * planner_.batch()),
          finished_(4 * planner_.batch()) {}

    /// Runs all samples. Throws the failure that ended the run early.
    void run() {
        // Three threads (loader, finisher, store) and two OpenMP teams (this thread's and the
        // finisher's).
        requireThreads(3 + 2 * (planner_.coreCount() - 1));
        if (count_ == 0) loaded_.close();
        std::jthread storeThread;
        guarded([&] {
            storeThread = std::jthread([this] {
                guarded([this] { storeAll(); });
                finished_.close();
            });
            meter_.setThreads(WorkerGroup::network, 1);
            meter_.setThreads(WorkerGroup::store, 1);
            resizeGroups();
            compute();
        });
        stopLoading();
        loaders_.join();
        computed_.close();
        finishers_.join();
        finished_.close();
        if (storeThread.joinable()) storeThread.join();
        meter_.setLoadedCapacity(loaded_.capacity());
        if (failure_) std::rethrow_exception(failure_);
        if (stored_ < count_) throw Cancelled();
    }

  private:
    void resizeGroups() {
        const WorkerCounts counts = planner_.workers();
        loaders_.setActiveCount(counts.loaders);
        finishers_.setActiveCount(counts.finishers);
        meter_.setThreads(WorkerGroup::loaders, loaders_.activeCount());
        meter_.setThreads(WorkerGroup::finishers, finishers_.activeCount());
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
        loaders_.endInactive();
    }

    void load(std::size_t thread) {
        PipelineStepTimer timer(meter_, LaneKind::loader, thread);
        // A position that was taken is loaded even if the run stops meanwhile, since loads of later
        // positions may wait for it (see PipelineCallbacks).
        while (loaders_.waitUntilActive(thread) && !stopping()) {
            const std::size_t position = next_++;
            if (position >= count_) return;
            Loaded loaded = steps_.load(position, timer);
            planner_.addLoaded(bytesOf(loaded.value));
            const Stopwatch waiting;
            pass(std::move(loaded), loaded_);
            meter_.addWaitForSpace(WorkerGroup::loaders, waiting.milliseconds());
            if (--unloaded_ == 0) {
                loaded_.close();
                loaders_.endInactive();
            }
        }
    }

    /// Passes a sample to the next step, or a failed one to the store.
    template <class Value>
    void pass(PipelineSample<Value> sample, BoundedQueue<PipelineSample<Value>>& next) {
        if (sample.succeeded())
            next.push(std::move(sample));
        else
            finished_.push(std::move(sample.sample));
    }

    std::vector<Loaded> nextSamples() {
        const Stopwatch waiting;
        planner_.planBatch(count_ - submitted_, network_.info().maxBatchSize);
        loaded_.setCapacity(planner_.queueCapacity());
        const std::size_t batch = planner_.batch();
        std::size_t size = batch;
        // Memory may limit the queue to less than a batch.
        const std::size_t available =
            loaded_.waitForItems(std::min(batch, loaded_.capacity()),
                                 std::chrono::duration<double, std::milli>(planner_.maxWait()));
        // A GPU keeps a graph for each batch size; powers of two keep the sizes few.
        if (available < batch && !loaded_.isClosed())
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
        PipelineStepTimer timer(meter_, LaneKind::network);
        std::deque<PipelineSteps::SubmittedBatch> pending;
        while (!stopping()) {
            // Do not delay collecting a batch by waiting for samples that are still being loaded.
            if (pending.empty() || loaded_.canPop(planner_.batch())) {
                std::vector<Loaded> samples = nextSamples();
                if (stopping() || (samples.empty() && pending.empty())) break;
                if (!samples.empty()) {
                    steps_.warmUp(samples);
                    pending.push_back(steps_.submit(std::move(samples)));
                }
                if (pending.size() < network_.info().maxBatchesInFlight &&
                    loaded_.canPop(planner_.batch()) && loaded_.size() > 0)
                    continue;
            }
            PipelineSteps::SubmittedBatch oldest = std::move(pending.front());
            pending.pop_front();
            collect(std::move(oldest), timer);
            if (planner_.planWorkers(meter_.steps(), meter_.now())) {
                resizeGroups();
                loaded_.setCapacity(planner_.queueCapacity());
            }
        }
    }

    /// Waits for the end of a batch and passes its samples on.
    void collect(PipelineSteps::SubmittedBatch batch, PipelineStepTimer& timer) {
        const std::size_t size = batch.samples.size();
        const double submittedAt = batch.submittedAt;
        PipelineSteps::ComputedBatch computed;
        double milliseconds = 0;
        {
            timer.setPosition(batch.samples.front().sample.position);
            const auto step = timer.step(PipelineStep::network, size);
            computed = steps_.collectOrRetry(std::move(batch));
            milliseconds = meter_.now() - submittedAt;
        }
        const double elapsed =
            meter_.addBatch(size, milliseconds, {meter_.now(), loaded_.size(), computed_.size()});
        planner_.addBatch(size, milliseconds, elapsed, computed.succeeded);
        const Stopwatch waiting;
        for (Computed& each : computed.samples) pass(std::move(each), computed_);
        meter_.addWaitForSpace(WorkerGroup::network, waiting.milliseconds());
    }

    void finish(std::size_t thread) {
        // With a GPU many finishers run in parallel: an OpenMP team for each would make cores²
        // threads.
        const std::optional<onednn::ThreadLimit> limit =
            options_.usesGpu ? std::make_optional<onednn::ThreadLimit>(1) : std::nullopt;
        PipelineStepTimer timer(meter_, LaneKind::finisher, thread);
        while (finishers_.waitUntilActive(thread)) {
            const Stopwatch waiting;
            std::optional<Computed> computed = computed_.pop();
            if (!computed) return;
            meter_.addWaitForWork(WorkerGroup::finishers, waiting.milliseconds());
            const bool storeFailed = finished_.isClosed();
            if (storeFailed || (!options_.finishesAfterCancel && options_.cancel.stop_requested()))
                continue;
            // After a failure, continues with the other samples that the network has computed.
            guarded([&] {
                steps_.finish(*computed, timer);
                finished_.push(std::move(computed->sample));
            });
        }
    }

    void storeAll() {
        PipelineStepTimer timer(meter_, LaneKind::store);
        for (auto finished = finished_.popAll(); !finished.empty(); finished = finished_.popAll()) {
            steps_.store(finished, timer);
            stored_ += finished.size();
        }
    }

    PipelineSteps& steps_;
    NetworkService& network_;
    PipelineMeter& meter_;
    const std::size_t count_;
    const PipelineOptions& options_;
    PipelinePlanner planner_;
    std::size_t submitted_ = 0;  ///< number of submitted samples
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> unloaded_;
    std::atomic<bool> stopped_ = false;
    std::size_t stored_ = 0;
    std::mutex failureMutex_;
    std::exception_ptr failure_;
    BoundedQueue<Loaded> loaded_;
    BoundedQueue<Computed> computed_;
    BoundedQueue<FinishedSample> finished_;
    /// Last, since the threads use all members above.
    WorkerPool loaders_{[this](std::size_t thread) {
        guarded([&] { load(thread); });
        // After a cancel, wakes the network's thread, which waits for samples.
        if (stopping()) stopLoading();
    }};
    WorkerPool finishers_{[this](std::size_t thread) {
        guarded([&] { finish(thread); });
        // After a failure, wakes the network's thread, which waits for space in the queue.
        computed_.close();
    }};
};

/// Runs one sample after another on the calling thread.
void runSequentially(PipelineSteps& steps, std::size_t count, const PipelineOptions& options) {
    PipelineStepTimer timer(steps.meter(), LaneKind::processor);
    for (const WorkerGroup group : kWorkerGroups) steps.meter().setThreads(group, 1);
    for (std::size_t position = 0; position < count; ++position) {
        if (options.cancel.stop_requested()) throw Cancelled();
        Loaded loaded = steps.load(position, timer);
        FinishedSample finished = loaded.sample;
        if (loaded.succeeded()) {
            Computed computed;
            {
                const auto step = timer.step(PipelineStep::network);
                computed = steps.computeSingle(std::move(loaded));
            }
            if (computed.succeeded()) {
                if (!options.finishesAfterCancel && options.cancel.stop_requested())
                    throw Cancelled();
                steps.finish(computed, timer);
            }
            finished = std::move(computed.sample);
        }
        steps.store({&finished, 1}, timer);
    }
}

}  // namespace

void runPipeline(NetworkService& network, std::size_t count, const PipelineCallbacks& callbacks,
                 const PipelineOptions& options, PipelineReport* report) {
    PipelineSteps steps(network, callbacks, options, report);
    if (options.isSequential)
        runSequentially(steps, count, options);
    else
        Pipeline(steps, network, count, options).run();
}

}  // namespace threefold
