#include "engine/network/fallback_backend.h"

#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/network/device_error.h"

namespace threefold {

FallbackBackend::FallbackBackend(std::unique_ptr<Backend> device, BackendFactory makeSpare,
                                 LogFunction onSwitch)
    : current_(std::move(device)),
      makeSpare_(std::move(makeSpare)),
      onSwitch_(std::move(onSwitch)) {
    if (!current_ || !makeSpare_) {
        throw InputError({"fallback backend", "", "needs a backend and a way to make another", ""});
    }
}

std::string FallbackBackend::description() const {
    return current_->description();
}

Precision FallbackBackend::precision() const {
    return current_->precision();
}

const Model& FallbackBackend::model() const {
    return current_->model();
}

class FallbackBackend::Pending final : public PendingBatch {
  public:
    Pending(FallbackBackend& owner, std::span<const NetworkInput> inputs, RunOptions options)
        : owner_(owner), inputs_(inputs), options_(std::move(options)), device_(owner.current_) {}

    void begin() {
        owner_.onDevice([&](Backend& device) { pending_ = device.submit(inputs_, options_); });
    }

    std::vector<Reconstruction> collect() override {
        std::vector<Reconstruction> results;
        const bool done =
            pending_ && owner_.onDevice([&](Backend&) { results = pending_->collect(); });
        return done ? results : owner_.reconstructBatch(inputs_, options_);
    }

  private:
    FallbackBackend& owner_;
    std::span<const NetworkInput> inputs_;
    RunOptions options_;
    std::shared_ptr<Backend> device_;  ///< keeps the device alive while the batch is pending
    std::unique_ptr<PendingBatch> pending_;
};

template <class Run>
bool FallbackBackend::onDevice(const Run& run) {
    if (lost_) return false;
    try {
        run(*current_);
        return true;
    } catch (const DeviceLost& error) {
        lost_ = true;
        whyLost_ = error.what();
        return false;
    }
}

template <class Run>
auto FallbackBackend::onEither(const std::stop_token& cancel, const Run& run) {
    decltype(run(*current_)) result;
    if (onDevice([&](Backend& device) { result = run(device); })) return result;
    if (!switched_) {
        if (cancel.stop_requested()) throw Cancelled();
        useSpare();
        if (cancel.stop_requested()) throw Cancelled();
    }
    return run(*current_);
}

Reconstruction FallbackBackend::reconstruct(const NetworkInput& input, const RunOptions& options) {
    return onEither(options.cancel,
                    [&](Backend& backend) { return backend.reconstruct(input, options); });
}

std::vector<Reconstruction> FallbackBackend::reconstructBatch(std::span<const NetworkInput> inputs,
                                                              const RunOptions& options) {
    return onEither(options.cancel,
                    [&](Backend& backend) { return backend.reconstructBatch(inputs, options); });
}

std::unique_ptr<PendingBatch> FallbackBackend::submit(std::span<const NetworkInput> inputs,
                                                      const RunOptions& options) {
    auto pending = std::make_unique<Pending>(*this, inputs, options);
    pending->begin();
    return pending;
}

FitResult FallbackBackend::fit(const Points& start, const fitting::MeshLevels& levels,
                               const Camera& space, std::span<const FitView> views,
                               const FitOptions& options) {
    return onEither(options.cancel, [&](Backend& backend) {
        return backend.fit(start, levels, space, views, options);
    });
}

NearestBatch FallbackBackend::nearest(std::span<const CloudPair> pairs) {
    return onEither({}, [&](Backend& backend) { return backend.nearest(pairs); });
}

MatchingBatch FallbackBackend::match(std::span<const CloudPair> pairs,
                                     const MatchingSchedule& schedule) {
    return onEither({}, [&](Backend& backend) { return backend.match(pairs, schedule); });
}

void FallbackBackend::useSpare() {
    std::unique_ptr<Backend> spare = makeSpare_();
    if (!spare) throw DeviceError({"fallback backend", "", "no other backend was made", ""});
    current_ = std::move(spare);
    switched_ = true;
    if (onSwitch_) {
        onSwitch_(LogLevel::warning, fmt::format("The GPU was lost; going on with {}. ({})",
                                                 current_->description(), whyLost_));
    }
}

}  // namespace threefold
