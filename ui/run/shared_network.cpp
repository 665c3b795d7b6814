#include "ui/run/shared_network.h"

#include <algorithm>
#include <exception>
#include <future>
#include <utility>

#include "engine/error.h"

namespace threefold::ui {
namespace {

/// The value of a promise that the worker owns. Throws Cancelled where the worker has dropped it.
template <class Value>
Value await(std::future<Value>& future) try {
    return future.get();
} catch (const std::future_error&) {
    throw Cancelled();
}

}  // namespace

void WorkerLink::cut() {
    const std::scoped_lock lock(mutex_);
    worker_ = nullptr;
}

/// Samples with the worker. Refers to the call without owning it, see NetworkCall.
class SharedNetwork::Pending final : public PendingBatch {
  public:
    Pending(SharedNetwork& owner, std::span<const NetworkInput> inputs, std::stop_token cancel)
        : owner_(owner), count_(inputs.size()), cancel_(std::move(cancel)) {
        if (cancel_.stop_requested()) throw Cancelled();
        auto call = std::make_shared<NetworkCall>();
        call_ = call;
        answer_ = call->promise.get_future();
        std::vector<NetworkInput> copies(inputs.begin(), inputs.end());
        const bool posted =
            owner_.worker_->with([&](Worker& worker) { worker.submit(call, std::move(copies)); });
        if (!posted) throw Cancelled();
        owner_.depth_ += count_;
    }
    ~Pending() override {
        tell(&Worker::withdraw);
        owner_.depth_ -= count_;
    }

    std::vector<Reconstruction> collect() override {
        const auto asked = NetworkCall::TimePoint::clock::now();
        tell(&Worker::want);
        const std::stop_callback onStop(cancel_, [this] { tell(&Worker::withdraw); });
        NetworkCall::Answer answer = await(answer_);
        owner_.waited_ =
            std::max(0.0, std::chrono::duration<double, std::milli>(answer.begun - asked).count());
        owner_.description_ = std::move(answer.description);
        owner_.mostPending_ = answer.mostPending;
        owner_.largestBatch_ = answer.largestBatch;
        return std::move(answer.results);
    }

  private:
    void tell(void (Worker::*what)(NetworkCall&)) {
        // Where the call is gone, so may be the worker.
        if (const auto call = call_.lock())
            owner_.worker_->with([&](Worker& worker) { (worker.*what)(*call); });
    }

    SharedNetwork& owner_;
    std::size_t count_;
    std::stop_token cancel_;
    std::weak_ptr<NetworkCall> call_;
    std::future<NetworkCall::Answer> answer_;
};

SharedNetwork::SharedNetwork(std::shared_ptr<WorkerLink> worker, const std::stop_token& stop,
                             const std::function<void(const Backend&)>& look)
    : worker_(std::move(worker)) {
    // The task alone owns the promise: whether it ends, fails or is dropped, that ends the wait.
    auto promise = std::make_shared<std::promise<void>>();
    std::future<void> end = promise->get_future();
    BackgroundTask task;
    task.failed = [promise](const ErrorReport& report) {
        promise->set_exception(std::make_exception_ptr(Error(report)));
    };
    task.run = [this, promise, &look, &stop](Backend& network, const std::stop_token&) {
        try {
            if (stop.stop_requested()) throw Cancelled();
            description_ = network.description();
            precision_ = network.precision();
            model_ = &network.model();
            mostPending_ = network.mostPending();
            largestBatch_ = network.largestBatch();
            look(network);
            promise->set_value();
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    };
    promise.reset();
    if (!worker_->with([&](Worker& to) { to.postBackground(std::exchange(task, {})); }))
        throw Cancelled();
    await(end);
}

Reconstruction SharedNetwork::reconstruct(const NetworkInput& input, const RunOptions& options) {
    return std::move(reconstructBatch({&input, 1}, options).front());
}

std::vector<Reconstruction> SharedNetwork::reconstructBatch(std::span<const NetworkInput> inputs,
                                                            const RunOptions& options) {
    return Pending(*this, inputs, options.cancel).collect();
}

std::unique_ptr<PendingBatch> SharedNetwork::submit(std::span<const NetworkInput> inputs,
                                                    const RunOptions& options) {
    return std::make_unique<Pending>(*this, inputs, options.cancel);
}

}  // namespace threefold::ui
