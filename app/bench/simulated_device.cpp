#include "app/bench/simulated_device.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

using Clock = std::chrono::steady_clock;

/// Sleeps until `end`. Throws Cancelled.
void sleepUntil(Clock::time_point end, const std::stop_token& cancel) {
    constexpr std::chrono::milliseconds kPoll(50);
    for (auto now = Clock::now(); now < end; now = Clock::now()) {
        if (cancel.stop_requested()) throw Cancelled();
        std::this_thread::sleep_until(std::min(end, now + kPoll));
    }
    if (cancel.stop_requested()) throw Cancelled();
}

class SimulatedBatch : public PendingBatch {
  public:
    SimulatedBatch(Clock::time_point end, std::vector<Reconstruction> results,
                   std::stop_token cancel)
        : end_(end), results_(std::move(results)), cancel_(std::move(cancel)) {}

    std::vector<Reconstruction> collect() override {
        sleepUntil(end_, cancel_);
        return std::move(results_);
    }

  private:
    Clock::time_point end_;
    std::vector<Reconstruction> results_;
    std::stop_token cancel_;
};

class SimulatedDevice : public Backend {
  public:
    SimulatedDevice(const NetworkInfo& real, Reconstruction result, double milliseconds)
        : real_(real), result_(std::move(result)), milliseconds_(milliseconds) {
        result_.timings.clear();
        result_.wallMilliseconds = milliseconds;
    }

    std::string description() const override {
        return fmt::format("simulated device · {:g} ms a mesh", milliseconds_);
    }
    Precision precision() const override { return real_.precision; }
    const Model& model() const override { return *real_.model; }
    std::size_t mostPending() const override { return kMostPendingBatches; }
    std::size_t largestBatch() const override { return kLargestBatch; }

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override {
        return std::move(submit({&input, 1}, options)->collect().front());
    }

    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override {
        return submit(inputs, options)->collect();
    }

    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override {
        const std::chrono::duration<double, std::milli> time(milliseconds_ *
                                                             static_cast<double>(inputs.size()));
        free_ = std::max(free_, Clock::now()) + std::chrono::ceil<Clock::duration>(time);
        return std::make_unique<SimulatedBatch>(
            free_, std::vector<Reconstruction>(inputs.size(), result_), options.cancel);
    }

  private:
    static constexpr std::size_t kLargestBatch = 256;

    const NetworkInfo real_;
    Reconstruction result_;
    const double milliseconds_;
    Clock::time_point free_{};  ///< when all batches so far are computed
};

}  // namespace

std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds) {
    return std::make_unique<SimulatedDevice>(real, std::move(result), milliseconds);
}

}  // namespace threefold
