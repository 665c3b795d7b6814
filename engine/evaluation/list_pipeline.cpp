#include "engine/evaluation/list_pipeline.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "engine/error.h"
#include "engine/evaluation/bounded_queue.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr const char* kNoMemory = ": not enough memory. Use fewer views, or a smaller --batch.";

double preprocessMilliseconds(const StageTimings& timings) {
    double sum = 0;
    for (const StageTiming& timing : timings) {
        if (timing.stage == Stage::preprocess) sum += timing.milliseconds;
    }
    return sum;
}

class Pipeline {
  public:
    Pipeline(Backend& backend, std::span<const ListEntry> entries, const PipelineParts& parts,
             const PipelineOptions& options)
        : backend_(backend),
          entries_(entries),
          parts_(parts),
          options_(options),
          loaded_(2 * options.batch),
          computed_(2 * options.batch),
          finished_(4 * options.batch) {}

    void run() {
        std::vector<std::jthread> loaders;
        std::vector<std::jthread> finishers;
        std::jthread keeper;
        std::jthread loadersEnd;
        try {
            start(loaders, options_.loaders, [this] { load(); });
            start(finishers, options_.finishers, [this] {
                try {
                    finish();
                } catch (...) {
                    // Otherwise the network would wait for room for ever.
                    computed_.close();
                    throw;
                }
            });
            keeper = std::jthread([this] { guarded([this] { keep(); }); });
            // Closes the queue to the network when the last loader is done.
            loadersEnd = std::jthread([this, &loaders] {
                loaders.clear();
                loaded_.close();
            });
        } catch (...) {
            // A thread could not be started: unblock the running ones.
            stopLoading();
            computed_.close();
            finished_.close();
            throw;
        }
        guarded([this] { compute(); });
        stopLoading();
        loadersEnd.join();
        computed_.close();
        finishers.clear();
        finished_.close();
        keeper.join();
        if (failure_) std::rethrow_exception(failure_);
        if (kept_ < entries_.size()) throw Cancelled();
    }

  private:
    void start(std::vector<std::jthread>& threads, std::size_t count,
               const std::function<void()>& work) {
        for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i) {
            threads.emplace_back([this, work] { guarded(work); });
        }
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
    }

    void load() {
        // An entry once taken is loaded even if the run stops meanwhile: loading of later entries
        // may wait for it (see PipelineParts).
        while (!stopping()) {
            const std::size_t i = next_++;
            if (i >= entries_.size()) return;
            SampleInWork work;
            work.record.position = entries_[i].position;
            work.record.given = entries_[i].given;
            work.record.error = entries_[i].problem;
            const Stopwatch watch;
            if (work.record.done()) {
                tryOn<Error>(work.record, [&] { parts_.load(entries_[i], work); });
            }
            work.record.times.load = watch.milliseconds();
            pass(std::move(work), loaded_);
        }
    }

    /// Passes a sample to the next stage, or a failed one to the end.
    void pass(SampleInWork work, BoundedQueue<SampleInWork>& next) {
        if (work.record.done()) {
            next.push(std::move(work));
        } else {
            finished_.push(std::move(work.record));
        }
    }

    /// Runs `work`; stores a failure in the sample's record, and the run continues.
    template <class Failure, class Work>
    static void tryOn(SampleRecord& record, const Work& work) {
        std::string problem;
        try {
            work();
            return;
        } catch (const Cancelled&) {
            throw;
        } catch (const Failure& error) {
            problem = error.what();
        } catch (const std::bad_alloc&) {
            problem = record.given + kNoMemory;
        }
        record.error = std::move(problem);
        record.scores.clear();
        record.silhouettes.clear();
    }

    /// A batch that the backend has accepted or refused.
    struct Begun {
        std::vector<SampleInWork> batch;
        std::vector<NetworkInput> inputs;  ///< of the batch
        std::unique_ptr<PendingBatch> pending;
        SampleRecord outcome;
        double milliseconds = 0;  ///< duration of the backend's calls
    };

    std::vector<SampleInWork> nextBatch() {
        std::vector<SampleInWork> batch;
        while (batch.size() < options_.batch) {
            std::optional<SampleInWork> work = loaded_.pop();
            if (!work) break;
            batch.push_back(std::move(*work));
        }
        return batch;
    }

    /// Submits the next batch to the backend while one is computed.
    void compute() {
        std::optional<Begun> before;
        while (!stopping()) {
            std::optional<Begun> next;
            // A submitted batch does not wait for samples that are still being loaded.
            if (!before || loaded_.ready(options_.batch)) {
                std::vector<SampleInWork> batch = nextBatch();
                if (stopping() || (batch.empty() && !before)) break;
                if (!batch.empty()) next = begin(std::move(batch));
            }
            if (before) end(*before);
            before = std::move(next);
        }
    }

    std::vector<Reconstruction> reconstruct(std::span<const NetworkInput> inputs) {
        RunOptions options;
        options.cancel = options_.cancel;
        if (inputs.size() > 1) return backend_.reconstructBatch(inputs, options);
        std::vector<Reconstruction> results;
        results.push_back(backend_.reconstruct(inputs.front(), options));
        return results;
    }

    /// The time of a network call, less its wait for other users of the network.
    double sinceTurn(double milliseconds) const {
        return parts_.waited ? std::max(0.0, milliseconds - parts_.waited()) : milliseconds;
    }

    /// Ignores samples that the network refuses: the timed run reports them.
    void warmUp(std::span<const SampleInWork> batch) {
        if (options_.warmUpRuns == 0 || !warm_.insert(batch.size()).second) return;
        std::vector<NetworkInput> inputs;
        for (const SampleInWork& work : batch) inputs.push_back(work.input);
        const Stopwatch watch;
        try {
            for (int i = 0; i < options_.warmUpRuns; ++i) reconstruct(inputs);
        } catch (const InputError&) {
            warm_.erase(batch.size());
        } catch (const std::bad_alloc&) {
            warm_.erase(batch.size());
        }
        if (parts_.warmed) parts_.warmed(watch.milliseconds());
    }

    Begun begin(std::vector<SampleInWork> batch) {
        warmUp(batch);
        Begun begun;
        begun.batch = std::move(batch);
        begun.inputs.reserve(begun.batch.size());
        for (SampleInWork& work : begun.batch) begun.inputs.push_back(std::move(work.input));
        begun.outcome.given = begun.batch.front().record.given;
        tryOn<InputError>(begun.outcome, [&] {
            RunOptions options;
            options.cancel = options_.cancel;
            const Stopwatch watch;
            begun.pending = backend_.submit(begun.inputs, options);
            begun.milliseconds = watch.milliseconds();
        });
        return begun;
    }

    /// Collects a batch. If the batch fails, its samples are run again one by one.
    void end(Begun& begun) {
        if (begun.outcome.done()) {
            tryOn<InputError>(begun.outcome, [&] {
                const Stopwatch watch;
                std::vector<Reconstruction> results = begun.pending->collect();
                takeAll(begun.batch, std::move(results),
                        sinceTurn(begun.milliseconds + watch.milliseconds()));
            });
        }
        begun.pending.reset();
        for (std::size_t i = 0; i < begun.batch.size(); ++i) {
            begun.batch[i].input = std::move(begun.inputs[i]);
        }
        if (!begun.outcome.done() && begun.batch.size() == 1) {
            begun.batch.front().record.error = begun.outcome.error;
        } else if (!begun.outcome.done()) {
            for (SampleInWork& work : begun.batch) computeAlone(work);
        }
        for (SampleInWork& work : begun.batch) pass(std::move(work), computed_);
    }

    void computeAlone(SampleInWork& work) {
        tryOn<InputError>(work.record, [&] {
            const Stopwatch watch;
            std::vector<Reconstruction> results = reconstruct({&work.input, 1});
            takeAll({&work, 1}, std::move(results), sinceTurn(watch.milliseconds()));
        });
    }

    void takeAll(std::span<SampleInWork> batch, std::vector<Reconstruction> results,
                 double milliseconds) {
        if (parts_.check) parts_.check();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            take(batch[i], std::move(results[i]), milliseconds / static_cast<double>(batch.size()));
        }
    }

    static void take(SampleInWork& work, Reconstruction result, double milliseconds) {
        RecordTimes& times = work.record.times;
        times.preprocess = preprocessMilliseconds(result.timings);
        times.network = std::max(0.0, milliseconds - times.preprocess);
        times.stages = result.timings;
        work.reconstruction = std::move(result);
    }

    void finish() {
        while (std::optional<SampleInWork> work = computed_.pop()) {
            if (keepFailed_ || (!options_.finishCancelled && options_.cancel.stop_requested())) {
                continue;
            }
            try {
                tryOn<InputError>(work->record, [&] { parts_.finish(*work); });
            } catch (...) {
                // Continue with the other samples that the network has computed.
                guarded([] { throw; });
                continue;
            }
            finished_.push(std::move(work->record));
        }
    }

    void keep() {
        try {
            for (auto records = finished_.popAll(); !records.empty();
                 records = finished_.popAll()) {
                parts_.keep(records);
                kept_ += records.size();
            }
        } catch (...) {
            keepFailed_ = true;
            finished_.close();
            throw;
        }
    }

    Backend& backend_;
    const std::span<const ListEntry> entries_;
    const PipelineParts& parts_;
    const PipelineOptions& options_;
    BoundedQueue<SampleInWork> loaded_;
    BoundedQueue<SampleInWork> computed_;
    BoundedQueue<SampleRecord> finished_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> keepFailed_ = false;
    std::size_t kept_ = 0;
    std::set<std::size_t> warm_;  ///< batch sizes already run: a GPU makes a plan for each
    std::mutex failureMutex_;
    std::exception_ptr failure_;
};

}  // namespace

void runPipeline(Backend& backend, std::span<const ListEntry> entries, const PipelineParts& parts,
                 const PipelineOptions& options) {
    Pipeline(backend, entries, parts, options).run();
}

}  // namespace threefold
