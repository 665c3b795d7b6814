#include "ui/run/shared_network.h"

#include <exception>
#include <future>
#include <utility>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"

namespace threefold::ui {
namespace {

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

void SharedNetwork::onWorker(const RunOptions& options,
                             const std::function<void(Backend&, const RunOptions&)>& work) {
    // A task that the worker drops takes its promise with it, which ends the waiting.
    auto promise = std::make_shared<std::promise<void>>();
    std::future<void> end = promise->get_future();
    const Stopwatch sincePost;
    BackgroundTask task;
    task.failed = [promise](const ErrorReport& report) {
        promise->set_exception(std::make_exception_ptr(Error(report)));
    };
    // The caller waits until the promise is kept or broken: that comes last of all.
    task.run = [this, promise, &options, &work, &sincePost](Backend& network,
                                                            const std::stop_token& yield) {
        std::exception_ptr failure;
        try {
            if (options.cancel.stop_requested()) throw Cancelled();
            std::stop_source either;
            const std::stop_callback yields(yield, [&] { either.request_stop(); });
            const std::stop_callback ends(options.cancel, [&] { either.request_stop(); });
            RunOptions run = options;
            run.cancel = either.get_token();
            waited_ = sincePost.milliseconds();
            work(network, run);
            description_ = network.description();
        } catch (const Cancelled&) {
            if (yield.stop_requested() && !options.cancel.stop_requested()) throw;
            failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        if (failure) {
            promise->set_exception(failure);
        } else {
            promise->set_value();
        }
    };
    if (!worker_->post(std::move(task))) throw Cancelled();
    task = {};
    promise.reset();
    try {
        end.get();
    } catch (const std::future_error&) {
        throw Cancelled();
    }
}

}  // namespace threefold::ui
