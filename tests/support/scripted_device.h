#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "engine/network/backend.h"
#include "tests/support/stage_meshes.h"

namespace threefold::test {

/// Input number `number`, which numberOf() returns.
inline NetworkInput inputOf(int number) {
    NetworkInput input;
    input.images = {Image{number, 1, {}}};
    return input;
}

inline int numberOf(const NetworkInput& input) {
    return input.images.front().width;
}

[[noreturn]] inline void loseDevice() {
    throw DeviceLost({"GPU", "", "an illegal address was read", ""});
}

/// Shared log of scripted devices, by which their scripts wait for each other. A wait of more than
/// 20 s fails the test.
class DeviceLog {
  public:
    void waitUntil(const std::function<bool()>& met) {
        constexpr std::chrono::seconds kNever{20};
        std::unique_lock lock(mutex_);
        changed_.notify_all();
        if (!changed_.wait_for(lock, kNever, met)) ADD_FAILURE() << "the condition was never met";
    }
    void change(const std::function<void()>& change) {
        {
            const std::scoped_lock lock(mutex_);
            change();
        }
        changed_.notify_all();
    }
    void note(const std::string& line) {
        change([&] { lines.push_back(line); });
    }
    /// Waits until the log has the line.
    void waitFor(const std::string& line) {
        waitUntil([&] { return std::find(lines.begin(), lines.end(), line) != lines.end(); });
    }

    // Guarded by change() and waitUntil().
    std::vector<std::string> lines;    ///< such as "A begins 3": device, number of the first input
    std::map<std::string, int> begun;  ///< number of batches that each device began
    std::map<std::string, int> done;   ///< number of batches that each device finished
    std::map<int, std::vector<std::string>> ran;  ///< devices that finished each input
    std::map<std::string, int> destroyed;         ///< how often each device was destroyed
    std::vector<std::string> warnings;  ///< logged warnings, such as those about lost devices

    int begunCount() {
        int sum = 0;
        for (const auto& [name, count] : begun) sum += count;
        return sum;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
};

/// Fake backend that calls scripts, and checks that its caller follows the contract of Backend.
class ScriptedDevice : public Backend, public MeshOperations {
  public:
    using Script = std::function<void(int batch)>;

    ScriptedDevice(std::string name, DeviceLog& log) : name_(std::move(name)), log_(log) {
        model_->hash = "model";
    }
    ~ScriptedDevice() override {
        log_.change([&] { ++log_.destroyed[name_]; });
    }

    std::string description() const override { return name_; }
    Precision precision() const override { return precision_; }
    std::shared_ptr<const Model> model() const override { return model_; }
    std::size_t maxUnfinishedBatches() const override { return maxPendingBatches; }
    std::size_t maxBatchSize() const override { return largest; }
    std::optional<DeviceMemoryUse> memoryUse() const override {
        return DeviceMemoryUse{100, 20, 3, {4, 5, 6}};
    }

    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override {
        const Alone alone(*this);
        const int batch = numberOf(inputs.front());
        log_.change([&] {
            ++log_.begun[name_];
            log_.lines.push_back(name_ + " begins " + std::to_string(batch));
        });
        EXPECT_LT(begun_.size(), maxPendingBatches) << name_;
        if (onBegin) onBegin(batch);
        begun_.push_back({inputs, options});
    }
    std::vector<Reconstruction> finish() override {
        const Alone alone(*this);
        const Begun oldest = std::move(begun_.front());
        begun_.pop_front();
        return results(oldest.inputs, oldest.options);
    }

    MeshOperations& meshOperations() override { return *this; }
    FitResult fit(const Points& start, const fitting::MeshLevels&, const Pose&,
                  std::span<const MaskedView>, const FitOptions&) override {
        const Alone alone(*this);
        if (onCall) onCall(0);
        FitResult result;
        result.vertices = start;
        return result;
    }
    NeighbourResults nearestNeighbours(std::span<const CloudPair> pairs) override {
        const Alone alone(*this);
        if (onCall) onCall(0);
        return MeshOperations::nearestNeighbours(pairs);
    }
    TransportResults earthMoversDistances(std::span<const CloudPair> pairs,
                                          const SinkhornSchedule& schedule) override {
        const Alone alone(*this);
        if (onCall) onCall(0);
        return MeshOperations::earthMoversDistances(pairs, schedule);
    }

    Script onBegin;
    Script onFinish;
    Script onCall;  ///< for calls other than batches
    /// A batch runs as long as this function returns true, and can be cancelled meanwhile, like
    /// batches of the processor's back end.
    std::function<bool(int batch)> isRunning;
    std::size_t largest = 64;
    std::size_t maxPendingBatches = 2;
    Precision precision_ = Precision::float16;
    std::shared_ptr<Model> model_ = std::make_shared<Model>();

  private:
    /// Scope of a call; fails the test if another thread calls the device meanwhile.
    class Alone {
      public:
        explicit Alone(ScriptedDevice& device) : device_(device) {
            EXPECT_FALSE(device.inUse_.exchange(true)) << device.name_;
        }
        ~Alone() { device_.inUse_ = false; }
        Alone(const Alone&) = delete;
        Alone& operator=(const Alone&) = delete;

      private:
        ScriptedDevice& device_;
    };

    struct Begun {
        std::span<const NetworkInput> inputs;
        BatchOptions options;
    };

    std::vector<Reconstruction> results(std::span<const NetworkInput> inputs,
                                        const BatchOptions& options) {
        const int batch = numberOf(inputs.front());
        log_.note(name_ + " runs " + std::to_string(batch));
        if (options.progress) options.progress({RunStep::preprocess, 0.5F});
        if (onFinish) onFinish(batch);
        while (isRunning && isRunning(batch)) {
            if (options.cancel.stop_requested()) throw Cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        std::vector<Reconstruction> results;
        for (const NetworkInput& input : inputs)
            results.emplace_back().stages =
                publishedMeshes({}, {glm::vec3(static_cast<float>(numberOf(input)))});
        log_.change([&] {
            ++log_.done[name_];
            for (const NetworkInput& input : inputs) log_.ran[numberOf(input)].push_back(name_);
            log_.lines.push_back(name_ + " ends " + std::to_string(batch));
        });
        return results;
    }

    std::string name_;
    DeviceLog& log_;
    std::atomic<bool> inUse_ = false;
    std::deque<Begun> begun_;
};

}  // namespace threefold::test
