#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/network/backend.h"

namespace threefold {

/// Makes the backend that takes over; throws what its construction throws.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// A backend on a device that may be lost, with a spare backend.
///
/// When a call throws DeviceLost, the device is not used again: the spare is made and replaces it,
/// and the lost run is repeated on the spare from the start, progress and probe included. If making
/// the spare fails, that error is thrown; if the run was cancelled meanwhile, Cancelled is thrown.
/// The next run makes the spare if there is none yet. All other exceptions of the device propagate
/// and do not switch.
class FallbackBackend : public Backend {
  public:
    /// `onSwitch` gets one warning before the lost run is repeated: the window's banner, a line on
    /// the command line. May be empty. Throws InputError where `device` or `makeSpare` is.
    FallbackBackend(std::unique_ptr<Backend> device, BackendFactory makeSpare,
                    LogFunction onSwitch);

    /// Description of the backend in use.
    std::string description() const override;
    Precision precision() const override;
    const Model& model() const override;

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override;
    /// Repeats a lost batch as a whole, since a batch that throws gives no results.
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override;
    /// If the device is lost before collect(), collect() repeats the batch on the spare.
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override;
    std::size_t mostPending() const override { return current_->mostPending(); }
    std::size_t largestBatch() const override { return current_->largestBatch(); }
    std::optional<DeviceMemoryUse> memoryUse() const override { return current_->memoryUse(); }
    FitResult fit(const Points& start, const fitting::MeshLevels& levels, const Camera& space,
                  std::span<const FitView> views, const FitOptions& options) override;
    NearestBatch nearest(std::span<const CloudPair> pairs) override;
    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override;

  private:
    class Pending;

    /// Runs `run` on the device. False if the device is lost, in this run or before.
    template <class Run>
    bool onDevice(const Run& run);
    template <class Run>
    auto onEither(const std::stop_token& cancel, const Run& run);
    void useSpare();

    std::shared_ptr<Backend> current_;  ///< shared with pending batches
    BackendFactory makeSpare_;
    LogFunction onSwitch_;
    bool lost_ = false;
    std::string whyLost_;
    bool switched_ = false;
};

}  // namespace threefold
