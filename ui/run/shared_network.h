#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "engine/network/backend.h"
#include "ui/run/worker.h"

namespace threefold::ui {

/// Thread-safe handle to a Worker that may be gone.
class WorkerLink {
  public:
    explicit WorkerLink(Worker& worker) : worker_(&worker) {}

    /// Calls `call(Worker&)`. False, without a call: the worker is gone.
    template <class Call>
    bool with(const Call& call) {
        const std::scoped_lock lock(mutex_);
        if (worker_ == nullptr) return false;
        call(*worker_);
        return true;
    }
    void cut();  ///< to be called before the worker is destroyed

  private:
    std::mutex mutex_;
    Worker* worker_;
};

/// The worker's backend for another thread, such as the pipeline of a list. Its samples wait behind
/// the user's requests; a new request may interrupt them, and they start again afterwards. For one
/// thread at a time, as any Backend, and never the worker's own.
class SharedNetwork : public Backend {
  public:
    /// Waits for the worker's backend and calls `look` with it on the worker's thread. Throws what
    /// making the backend and `look` throw; Cancelled (stopped, or the worker ended).
    SharedNetwork(std::shared_ptr<WorkerLink> worker, const std::stop_token& stop,
                  const std::function<void(const Backend&)>& look);

    /// As they were after the last call.
    std::string description() const override { return description_; }
    Precision precision() const override { return precision_; }
    const Model& model() const override { return *model_; }
    std::size_t mostPending() const override { return mostPending_; }
    std::size_t largestBatch() const override { return largestBatch_; }

    /// Throw Cancelled also when the worker ends. They report no progress and no tensors.
    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override;
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override;
    /// Copies the inputs. Samples of equal numbers of views are computed together.
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override;

    /// Milliseconds that the last call waited for other users of the network, interrupted starts
    /// included.
    double waited() const { return waited_; }
    /// Inputs waiting for the network or in it. Any thread.
    std::size_t depth() const { return depth_; }

  private:
    class Pending;

    std::shared_ptr<WorkerLink> worker_;
    std::string description_;
    Precision precision_ = Precision::float32;
    const Model* model_ = nullptr;  ///< the worker's backend's
    std::size_t mostPending_ = 0;
    std::size_t largestBatch_ = 0;
    double waited_ = 0;
    std::atomic<std::size_t> depth_ = 0;
};

}  // namespace threefold::ui
