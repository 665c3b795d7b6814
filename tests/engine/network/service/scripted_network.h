#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/network/service/network_service.h"
#include "tests/support/scripted_device.h"

namespace threefold::test {

/// Fixture with networks of scripted devices, and a list that runs on them.
class NetworkServiceTest : public testing::Test {
  protected:
    /// Devices "A", "B", …, with the fallback "CPU" if `fallback`.
    NetworkDevices devices(std::size_t count, bool fallback = false) {
        NetworkDevices made;
        devices_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            auto device =
                std::make_unique<ScriptedDevice>(std::string(1, static_cast<char>('A' + i)), log_);
            device->maxPendingBatches = maxPendingBatches_;
            devices_.push_back(device.get());
            made.backends.push_back(std::move(device));
        }
        if (fallback) made.makeFallback = [this] { return makeFallback(); };
        return made;
    }
    std::unique_ptr<NetworkService> make(std::size_t count, bool fallback = false) {
        return std::make_unique<NetworkService>(devices(count, fallback), options());
    }
    NetworkServiceOptions options() {
        NetworkServiceOptions options;
        options.listener.log = [this](LogLevel level, std::string_view line) {
            if (level == LogLevel::warning) log_.change([&] { log_.warnings.emplace_back(line); });
        };
        options.listener.onTakenOver = [this](const std::string& before, const NetworkInfo& now) {
            log_.note(before + " > " + now.description);
        };
        return options;
    }
    std::unique_ptr<Backend> makeFallback() {
        ++fallbacksAskedFor_;
        if (onFallback_) onFallback_();
        auto fallback = std::make_unique<ScriptedDevice>("CPU", log_);
        fallback->maxPendingBatches = 1;
        fallback->largest = 1;
        fallback->precision_ = Precision::float32;
        return fallback;
    }
    /// Keeps the device working on each batch, except that of click_, until held_ is false or the
    /// batch is cancelled.
    void hold(ScriptedDevice& device) {
        device.isRunning = [this](int batch) { return held_ && batch < 100; };
    }

    /// Runs a list as the pipeline does: submits as many batches as allowed, and collects them in
    /// order. Returns the number of batches that got their own results.
    static int runList(NetworkService& network, int batches, std::size_t size = 2) {
        std::vector<std::vector<NetworkInput>> inputs;
        for (int batch = 0; batch < batches; ++batch) {
            auto& of = inputs.emplace_back();
            for (std::size_t i = 0; i < size; ++i)
                of.push_back(inputOf(batch * static_cast<int>(size) + static_cast<int>(i)));
        }
        std::deque<std::pair<std::size_t, BatchFuture>> pending;
        std::size_t next = 0;
        int right = 0;
        while (next < inputs.size() || !pending.empty()) {
            while (next < inputs.size() && pending.size() < network.info().maxBatchesInFlight) {
                pending.emplace_back(next, network.submit(inputs[next], Urgency::list));
                ++next;
            }
            const NetworkResult result = pending.front().second.collect();
            const std::vector<NetworkInput>& given = inputs[pending.front().first];
            right += std::ranges::equal(
                result.reconstructions, given, [](const auto& mesh, const auto& in) {
                    return mesh.vertices("refined") ==
                           Points{glm::vec3(static_cast<float>(numberOf(in)))};
                });
            pending.pop_front();
        }
        return right;
    }
    static BatchFuture submit(NetworkService& network, const NetworkInput& input,
                              Urgency urgency = Urgency::list, const BatchOptions& options = {}) {
        return network.submit({&input, 1}, urgency, options);
    }
    static std::size_t place(const std::vector<std::string>& lines, const std::string& line) {
        return static_cast<std::size_t>(std::ranges::find(lines, line) - lines.begin());
    }

    void expectEachOnce(int inputs) {
        EXPECT_EQ(log_.ran.size(), static_cast<std::size_t>(inputs));
        for (const auto& [number, by] : log_.ran) EXPECT_EQ(by.size(), 1U) << number;
    }

    DeviceLog log_;
    std::vector<ScriptedDevice*> devices_;
    std::size_t maxPendingBatches_ = 2;  ///< maximum number of unfinished batches of a device
    std::atomic<bool> held_ = true;
    std::atomic<int> fallbacksAskedFor_ = 0;
    std::function<void()> onFallback_;
    const std::vector<NetworkInput> inputs_ = {inputOf(0), inputOf(1), inputOf(2),
                                               inputOf(3), inputOf(4), inputOf(5)};
    const NetworkInput click_ = inputOf(100);
};

}  // namespace threefold::test
