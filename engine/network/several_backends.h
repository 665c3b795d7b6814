#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

/// Several devices as one backend: a batch goes to whichever has room, so that each computes as
/// many as its speed allows.
///
/// Each device has a thread that submits and collects its batches; submit() only queues one. Every
/// other call runs on the calling thread, on the device with the fewest batches. As with any
/// backend, one thread may call at a time.
///
/// A device that is lost (DeviceLost) is not used again: its batches, and a call that failed on it,
/// are run again on another one. Where none is left, the last one's DeviceLost is thrown.
class SeveralBackends : public Backend {
  public:
    /// Devices of the same model and precision. `onLost` gets a warning for each lost device, from
    /// any thread; may be empty. Throws InputError where there is no device, or they differ.
    explicit SeveralBackends(std::vector<std::unique_ptr<Backend>> devices,
                             LogFunction onLost = {});
    ~SeveralBackends() override;
    SeveralBackends(const SeveralBackends&) = delete;
    SeveralBackends& operator=(const SeveralBackends&) = delete;

    /// Descriptions of all devices in use: "2 × GPU · …", or joined by " + " where they differ.
    std::string description() const override;
    Precision precision() const override;
    const Model& model() const override;

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override;
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override;
    /// Progress and log lines come from the device's thread.
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override;
    /// Twice what the devices take together: so that a caller who collects in the order of
    /// submission keeps a device busy that is three times as fast as another. As many when devices
    /// were lost.
    std::size_t mostPending() const override { return mostPending_; }
    /// The least of the devices in use.
    std::size_t largestBatch() const override;
    /// The sum of all devices. Waits for their current batches.
    std::optional<DeviceMemoryUse> memoryUse() const override;
    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const FitView> views, const FitOptions& options) override;
    NearestBatch nearest(std::span<const CloudPair> pairs) override;
    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override;

  private:
    struct Device;
    struct Batch;
    class Pending;

    void work(Device& device);
    std::shared_ptr<Batch> take(Device& device);
    void submitTo(Device& device, const std::shared_ptr<Batch>& batch);
    void collectFrom(Device& device);
    void finish(Device& device, Batch& batch, std::vector<Reconstruction> results,
                std::exception_ptr failure);
    bool isLost(const Device& device) const;
    void lose(Device& device, const std::exception& error);
    void passOnBatches(Device& device);
    Device& takeFreest();
    template <class Call>
    auto onFreest(const Call& call);
    std::size_t fewestBatches() const;  ///< of a device with room; under the mutex

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::shared_ptr<Batch>> queue_;  ///< that no device has taken
    std::size_t mostPending_ = 0;
    std::size_t pending_ = 0;  ///< submitted and not yet collected or dropped
    bool closing_ = false;
    std::exception_ptr lost_;  ///< once no device is left: why
    LogFunction onLost_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::vector<std::jthread> threads_;
};

}  // namespace threefold
