#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

/// Makes the backend that takes over; throws what its construction throws.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// A backend on a device that may be lost, with a spare.
///
/// When a call throws DeviceLost, the device is given up for good: the spare is made and replaces
/// it, and the lost run is repeated there from the start, progress and probe included. If the spare
/// cannot be made, that error is thrown; if the run was cancelled meanwhile, Cancelled; the next
/// run then makes it. All other exceptions of the device pass through and do not switch.
class FallbackBackend : public Backend {
  public:
    /// `onSwitch` gets one warning before the lost run is repeated: the window's banner, a line on
    /// the command line. May be empty. Throws InputError where `device` or `makeSpare` is.
    FallbackBackend(std::unique_ptr<Backend> device, BackendFactory makeSpare,
                    LogFunction onSwitch);

    /// Of the backend that is used now.
    std::string description() const override;
    Precision precision() const override;
    const Model& model() const override;

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override;
    /// All of a lost batch is done again: a batch that throws has given nothing.
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override;
    /// A batch that was begun on the lost device is done again by the spare when it is collected.
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override;
    std::optional<DeviceMemoryUse> memoryUse() const override { return current_->memoryUse(); }
    NearestBatch nearest(std::span<const CloudPair> pairs) override;
    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override;

  private:
    class Pending;

    /// False where the device is lost, now or before.
    template <class Run>
    bool onDevice(const Run& run);
    template <class Run>
    auto onEither(const std::stop_token& cancel, const Run& run);
    void useSpare();

    std::shared_ptr<Backend> current_;  ///< shared with what is pending on it
    BackendFactory makeSpare_;
    LogFunction onSwitch_;
    bool lost_ = false;
    std::string whyLost_;
    bool switched_ = false;
};

}  // namespace threefold
