#include "app/bench/simulated_device.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <stop_token>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {
namespace {

using SimulatedClock = std::chrono::steady_clock;

/// Sleeps until `end`. Throws Cancelled.
void sleepUntilComputed(SimulatedClock::time_point end, const std::stop_token& cancel) {
    constexpr std::chrono::milliseconds kPoll(50);
    for (auto now = SimulatedClock::now(); now < end; now = SimulatedClock::now()) {
        if (cancel.stop_requested()) throw Cancelled();
        std::this_thread::sleep_until(std::min(end, now + kPoll));
    }
    if (cancel.stop_requested()) throw Cancelled();
}

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
    std::shared_ptr<const Model> model() const override { return real_.model; }
    std::size_t maxUnfinishedBatches() const override { return kMaxUnfinishedBatches; }
    std::size_t maxBatchSize() const override { return kMaxUsefulBatchSize; }

    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override {
        const std::chrono::duration<double, std::milli> time(milliseconds_ *
                                                             static_cast<double>(inputs.size()));
        free_ = std::max(free_, SimulatedClock::now()) +
                std::chrono::ceil<SimulatedClock::duration>(time);
        begun_.push_back({free_, inputs.size(), options.cancel});
    }

    std::vector<Reconstruction> finish() override {
        const Begun oldest = std::move(begun_.front());
        begun_.pop_front();
        sleepUntilComputed(oldest.end, oldest.cancel);
        return std::vector<Reconstruction>(oldest.meshes, result_);
    }

  private:
    struct Begun {
        SimulatedClock::time_point end;
        std::size_t meshes = 0;
        std::stop_token cancel;
    };

    const NetworkInfo real_;
    Reconstruction result_;
    const double milliseconds_;
    std::deque<Begun> begun_;
    SimulatedClock::time_point free_{};  ///< time at which all batches so far are computed
};

}  // namespace

std::unique_ptr<Backend> makeSimulatedDevice(const NetworkInfo& real, Reconstruction result,
                                             double milliseconds) {
    return std::make_unique<SimulatedDevice>(real, std::move(result), milliseconds);
}

}  // namespace threefold
