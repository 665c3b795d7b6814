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

/// The way to a worker for those who may outlive it. Any thread.
class WorkerLink {
  public:
    explicit WorkerLink(Worker& worker) : worker_(&worker) {}

    /// False: the worker is gone, and the task with it.
    bool post(BackgroundTask task);
    void cut();  ///< the worker ends

  private:
    std::mutex mutex_;
    Worker* worker_;
};

/// The worker's backend as a Backend of another thread, such as a list's pipeline: each call waits
/// for its turn behind what a person asks for, yields to the next request, and is then done again
/// from its beginning. For one thread at a time, as any Backend, and not the worker's own.
class SharedNetwork : public Backend {
  public:
    /// Waits for the worker's backend, and has `look` see it on the worker's thread. Throws what
    /// making it threw, what `look` throws, Cancelled (stopped, or the worker ended).
    SharedNetwork(std::shared_ptr<WorkerLink> worker, const std::stop_token& stop,
                  const std::function<void(const Backend&)>& look);

    /// As they were after the last call.
    std::string description() const override { return description_; }
    Precision precision() const override { return precision_; }
    const Model& model() const override { return *model_; }

    /// Throw Cancelled also when the worker ends.
    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override;
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override;

    /// Milliseconds that the last call waited: for its turn, and for what was begun in vain.
    double waited() const { return waited_; }
    /// Inputs that wait for the network or are in it. Any thread.
    std::size_t depth() const { return depth_; }

  private:
    void onWorker(const RunOptions& options,
                  const std::function<void(Backend&, const RunOptions&)>& work);

    std::shared_ptr<WorkerLink> worker_;
    std::string description_;
    Precision precision_ = Precision::float32;
    const Model* model_ = nullptr;  ///< the worker's backend's
    double waited_ = 0;
    std::atomic<std::size_t> depth_ = 0;
};

}  // namespace threefold::ui
