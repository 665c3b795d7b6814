#include "ui/run/shared_network.h"

#include <exception>
#include <future>
#include <utility>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold::ui {
namespace {

/// Adds to a counter for as long as it lives.
class Counted {
  public:
    Counted(std::atomic<std::size_t>& counter, std::size_t count)
        : counter_(counter), count_(count) {
        counter_ += count_;
    }
    ~Counted() { counter_ -= count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

  private:
    std::atomic<std::size_t>& counter_;
    const std::size_t count_;
};

/// A token that stops when one of two others does: the caller's, which ends the call, or the
/// worker's, which makes it yield.
class EitherStop {
  public:
    EitherStop(const std::stop_token& one, const std::stop_token& other)
        : one_(one, Stop{stop_}), other_(other, Stop{stop_}) {}
    std::stop_token token() const { return stop_.get_token(); }

  private:
    struct Stop {
        std::stop_source& stop;
        void operator()() const { stop.request_stop(); }
    };
    std::stop_source stop_;
    std::stop_callback<Stop> one_;
    std::stop_callback<Stop> other_;
};

}  // namespace

bool WorkerLink::post(BackgroundTask task) {
    const std::scoped_lock lock(mutex_);
    if (worker_ == nullptr) return false;
    worker_->postBackground(std::move(task));
    return true;
}

void WorkerLink::cut() {
    const std::scoped_lock lock(mutex_);
    worker_ = nullptr;
}

SharedNetwork::SharedNetwork(std::shared_ptr<WorkerLink> worker, const std::stop_token& stop,
                             const std::function<void(const Backend&)>& look)
    : worker_(std::move(worker)) {
    RunOptions options;
    options.cancel = stop;
    onWorker(options, [&](Backend& network, const RunOptions&) {
        precision_ = network.precision();
        model_ = &network.model();
        look(network);
    });
}

Reconstruction SharedNetwork::reconstruct(const NetworkInput& input, const RunOptions& options) {
    const Counted counted(depth_, 1);
    Reconstruction result;
    onWorker(options, [&](Backend& network, const RunOptions& run) {
        result = network.reconstruct(input, run);
    });
    return result;
}

std::vector<Reconstruction> SharedNetwork::reconstructBatch(std::span<const NetworkInput> inputs,
                                                            const RunOptions& options) {
    const Counted counted(depth_, inputs.size());
    std::vector<Reconstruction> results;
    onWorker(options, [&](Backend& network, const RunOptions& run) {
        results = network.reconstructBatch(inputs, run);
    });
    return results;
}

// The caller owns the options, the work and the result, and waits here; the task only refers to
// them. The task alone owns the promise: whether it ends, fails or is dropped, that ends the wait.
void SharedNetwork::onWorker(const RunOptions& options,
                             const std::function<void(Backend&, const RunOptions&)>& work) {
    auto promise = std::make_shared<std::promise<void>>();
    std::future<void> end = promise->get_future();
    const Stopwatch sincePost;
    const auto run = [&](Backend& network, const std::stop_token& yield) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const EitherStop either(yield, options.cancel);
        RunOptions stoppable = options;
        stoppable.cancel = either.token();
        waited_ = sincePost.milliseconds();
        work(network, stoppable);
        description_ = network.description();
    };
    BackgroundTask task;
    task.failed = [promise](const ErrorReport& report) {
        promise->set_exception(std::make_exception_ptr(Error(report)));
    };
    task.run = [promise, &run, &options](Backend& network, const std::stop_token& yield) {
        try {
            run(network, yield);
            promise->set_value();
        } catch (const Cancelled&) {
            const bool yields = yield.stop_requested() && !options.cancel.stop_requested();
            if (yields) throw;  // the worker calls again
            promise->set_exception(std::current_exception());
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    };
    promise.reset();
    if (!worker_->post(std::move(task))) throw Cancelled();
    try {
        end.get();
    } catch (const std::future_error&) {
        throw Cancelled();  // the worker ended
    }
}

}  // namespace threefold::ui
