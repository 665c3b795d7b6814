#include "engine/network/service/network_devices.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <future>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/service/open_devices.h"
#include "tests/engine/network/service/scripted_network.h"

namespace threefold {
namespace {

using test::inputOf;
using test::loseDevice;
using test::NetworkServiceTest;
using test::ScriptedDevice;
using testing::ElementsAre;
using testing::HasSubstr;

class NetworkDevicesTest : public NetworkServiceTest {};

// --- Several devices

TEST_F(NetworkDevicesTest, givesEachBatchItsOwnResults_andRunsEachOnce) {
    const auto network = make(3);
    EXPECT_EQ(runList(*network, 100), 100);
    expectEachOnce(200);
}

TEST_F(NetworkDevicesTest, keepsBothDevicesBusy) {
    const auto network = make(2);
    constexpr int kBatches = 20;
    // A device finishes its n-th batch only after the other device has begun its own n-th batch, or
    // after all batches have been begun.
    const auto together = [&](const std::string& own, const std::string& other) {
        return [&, own, other](int) {
            log_.waitUntil([&] {
                return log_.begun[other] > log_.done[own] || log_.begunCount() == kBatches;
            });
        };
    };
    devices_[0]->onFinish = together("A", "B");
    devices_[1]->onFinish = together("B", "A");
    EXPECT_EQ(runList(*network, kBatches), kBatches);
    EXPECT_NEAR(log_.done["A"], 0.5 * kBatches, 1);
    EXPECT_NEAR(log_.done["B"], 0.5 * kBatches, 1);
}

TEST_F(NetworkDevicesTest, dividesBatchesBySpeed) {
    const auto network = make(2);
    constexpr int kBatches = 80;
    const auto allBegun = [&] { return log_.begunCount() == kBatches; };
    // A finishes three batches for each of B's, until no batch is left.
    devices_[0]->onFinish = [&](int) {
        log_.waitUntil([&] { return log_.done["B"] >= log_.done["A"] / 3 || allBegun(); });
    };
    devices_[1]->onFinish = [&](int) {
        log_.waitUntil([&] { return log_.done["A"] >= 3 * (log_.done["B"] + 1) || allBegun(); });
    };
    EXPECT_EQ(runList(*network, kBatches), kBatches);
    EXPECT_NEAR(log_.done["B"], 0.25 * kBatches, 2);
    expectEachOnce(2 * kBatches);
}

TEST_F(NetworkDevicesTest, givesTheLastTwoBatches_toTwoDevices) {
    const auto network = make(2);
    devices_[0]->onFinish = devices_[1]->onFinish = [&](int) {
        log_.waitUntil([&] { return log_.begun.size() == 2; });
    };
    BatchFuture first = submit(*network, inputs_[0]);
    BatchFuture second = submit(*network, inputs_[1]);
    first.collect();
    second.collect();
    EXPECT_EQ(log_.done["A"], 1);
    EXPECT_EQ(log_.done["B"], 1);
}

TEST_F(NetworkDevicesTest, describesAllDevices) {
    const auto network = make(2);
    devices_[1]->largest = 8;
    runList(*network, 20);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "A + B");
    EXPECT_EQ(info.maxBatchesInFlight, 8U);
    EXPECT_EQ(info.maxBatchSize, log_.done["B"] > 0 ? 8U : 64U);
    EXPECT_EQ(info.memoryUse->baselineBytes, 200U);
    EXPECT_EQ(info.memoryUse->peakBytes, 40U);
    EXPECT_EQ(info.memoryUse->peakPoolBytes, 6U);
    EXPECT_EQ(poolUseText(info.memoryUse->pools),
              "8 blocks reused, 10 given back, 12 allocated after the warm-up");
    NetworkDevices alike;
    for (const char* name : {"GPU", "GPU", "small GPU"})
        alike.backends.push_back(std::make_unique<ScriptedDevice>(name, log_));
    EXPECT_EQ(NetworkService(std::move(alike)).info().description, "2 × GPU + small GPU");
}

// --- Lost devices

TEST_F(NetworkDevicesTest, losesNothingAndDoublesNothing_whenADeviceIsLost) {
    for (const bool whileFinishing : {false, true}) {
        for (int lostAt = 0; lostAt < 6; ++lostAt) {
            log_.ran.clear();
            log_.warnings.clear();
            const auto network = make(3);
            int calls = 0;
            const auto lostThen = [&](int) {
                int call = 0;
                log_.change([&] { call = calls++; });
                if (call >= lostAt) loseDevice();
            };
            (whileFinishing ? devices_[1]->onFinish : devices_[1]->onBegin) = lostThen;
            // The other devices stay behind B until it is lost.
            log_.done.clear();
            for (const std::size_t other : {0, 2}) {
                const std::string name = devices_[other]->description();
                devices_[other]->onFinish = [&, name](int) {
                    log_.waitUntil([&] { return calls > std::min(log_.done[name], lostAt); });
                };
            }
            EXPECT_EQ(runList(*network, 60), 60) << lostAt;
            expectEachOnce(120);
            ASSERT_EQ(log_.warnings.size(), 1U) << lostAt;
            EXPECT_THAT(log_.warnings[0], HasSubstr("B was lost; continuing on A + C"));
            EXPECT_THAT(log_.warnings[0], HasSubstr("illegal address"));
            EXPECT_EQ(network->info().description, "A + C");
            EXPECT_EQ(network->info().maxBatchesInFlight, 12U)
                << "a caller may have submitted as many";
        }
    }
}

TEST_F(NetworkDevicesTest, measuresABatchAgainOnTheFallback_whenItsDeviceIsLostMeanwhile) {
    const auto network = make(1, true);
    devices_[0]->onCall = [](int) { loseDevice(); };
    const Points one = {glm::vec3(1)};
    std::vector<std::string> measuredOn;
    const auto measure = [&](MeshOperations& device, std::span<const Reconstruction> meshes,
                             const std::stop_token&) {
        measuredOn.push_back(dynamic_cast<Backend&>(device).description());
        const CloudPair pair{meshes.front().vertices("refined"), one};
        EXPECT_EQ(device.nearestNeighbours({&pair, 1}).pairs.front().firstToSecond.indices.size(),
                  1U);
    };
    const NetworkResult result =
        network->submit({&inputs_.front(), 1}, Urgency::list, {}, measure).collect();
    EXPECT_EQ(result.reconstructions.size(), 1U);
    EXPECT_EQ(measuredOn, (std::vector<std::string>{"A", "CPU"}));
}

TEST_F(NetworkDevicesTest, throwsDeviceLost_whenNoneIsLeft) {
    const auto network = make(2);
    for (ScriptedDevice* device : devices_) device->onFinish = [](int) { loseDevice(); };
    std::deque<BatchFuture> batches;
    for (const NetworkInput& input : inputs_) batches.push_back(submit(*network, input));
    for (BatchFuture& future : batches) EXPECT_THROW(future.collect(), DeviceLost);
    EXPECT_THROW(submit(*network, click_, Urgency::now).collect(), DeviceLost);
    EXPECT_THROW(network->withDevice(
                     [](Backend& device) { return device.meshOperations().nearestNeighbours({}); }),
                 DeviceLost);
    EXPECT_TRUE(log_.ran.empty());
    EXPECT_EQ(log_.warnings.size(), 1U) << "the caller reports the loss of the last device";
}

TEST_F(NetworkDevicesTest, handsOverToTheFallback_whenNoneIsLeft) {
    for (int lostAt = 0; lostAt < 12; ++lostAt) {
        log_.ran.clear();
        std::atomic<int> calls = 0;
        fallbacksAskedFor_ = 0;
        const auto network = make(2, true);
        for (ScriptedDevice* device : devices_) {
            device->onFinish = [&](int) {
                if (calls++ >= lostAt) loseDevice();
            };
        }
        EXPECT_EQ(runList(*network, 20), 20) << lostAt;
        EXPECT_EQ(network->info().description, "CPU");
        EXPECT_EQ(fallbacksAskedFor_, 1);
    }
}

TEST_F(NetworkDevicesTest, repeatsBegunBatchesOnTheFallback_andReportsTheLossOnce) {
    const auto network = make(1, true);
    std::atomic<bool> all = false;
    devices_[0]->onBegin = [&](int) {
        while (!all) std::this_thread::yield();
    };
    devices_[0]->onFinish = [](int) { loseDevice(); };
    std::vector<float> progress;
    BatchOptions options;
    options.progress = [&](const Progress& step) { progress.push_back(step.fraction); };
    BatchFuture first = network->submit(inputs_, Urgency::list, options);
    BatchFuture second = submit(*network, inputs_[1]);
    BatchFuture third = submit(*network, inputs_[2]);
    all = true;
    EXPECT_EQ(first.collect().reconstructions.size(), inputs_.size());
    EXPECT_EQ(progress.size(), 2U);
    second.collect();
    third.collect();
    submit(*network, inputs_[3]).collect();
    EXPECT_THAT(log_.ran[1], ElementsAre("CPU", "CPU"));
    EXPECT_EQ(log_.destroyed["A"], 1);
    EXPECT_EQ(fallbacksAskedFor_, 1);
    ASSERT_EQ(log_.warnings.size(), 1U);
    EXPECT_THAT(log_.warnings[0], HasSubstr("The GPU was lost; continuing on CPU"));
    EXPECT_THAT(log_.warnings[0], HasSubstr("illegal address"));
    EXPECT_EQ(std::ranges::count(log_.lines, "A > CPU"), 1);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "CPU");
    EXPECT_EQ(info.precision, Precision::float32);
    EXPECT_EQ(info.maxBatchesInFlight, 2U);
    EXPECT_EQ(info.maxBatchSize, 1U);
}

TEST_F(NetworkDevicesTest, movesATaskToAnotherDevice_whenItsDeviceIsLost) {
    for (const bool fallback : {false, true}) {
        const auto network = make(3, fallback);
        devices_[0]->onCall = devices_[1]->onCall = [](int) { loseDevice(); };
        if (fallback) devices_[2]->onCall = [](int) { loseDevice(); };
        EXPECT_EQ(network->withDevice([](Backend& device) {
            return device.meshOperations().fit({glm::vec3(7)}, {1, {}}, {}, {}, {}).vertices;
        }),
                  Points{glm::vec3(7)});
        EXPECT_NO_THROW(network->withDevice(
            [](Backend& device) { return device.meshOperations().nearestNeighbours({}); }));
        EXPECT_NO_THROW(network->withDevice(
            [](Backend& device) { return device.meshOperations().earthMoversDistances({}, {}); }));
        EXPECT_EQ(runList(*network, 5), 5);
    }
}

TEST_F(NetworkDevicesTest, endsACancelledRunOfALostDevice_andMakesTheFallbackLater) {
    const auto network = make(1, true);
    std::stop_source stop;
    devices_[0]->onFinish = [&](int) {
        stop.request_stop();
        loseDevice();
    };
    BatchOptions options;
    options.cancel = stop.get_token();
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, options).collect(), Cancelled);
    EXPECT_EQ(fallbacksAskedFor_, 0);
    EXPECT_EQ(submit(*network, inputs_[1]).collect().reconstructions.size(), 1U);
    EXPECT_EQ(log_.warnings.size(), 1U);
}

TEST_F(NetworkDevicesTest, countsChanges_evenToAFallbackOfTheSameDescription) {
    NetworkDevices one = devices(1);
    one.makeFallback = [this] { return std::make_unique<ScriptedDevice>("A", log_); };
    devices_[0]->onBegin = [](int) { loseDevice(); };
    NetworkService network(std::move(one));
    EXPECT_EQ(network.info().deviceChanges, 0U);
    EXPECT_EQ(submit(network, inputs_[0]).collect().reconstructions.size(), 1U);
    EXPECT_EQ(network.info().description, "A");
    EXPECT_EQ(network.info().deviceChanges, 1U);
}

TEST_F(NetworkDevicesTest, endsARun_whenCancelledWhileTheFallbackIsMade) {
    const auto network = make(1, true);
    devices_[0]->onBegin = [](int) { loseDevice(); };
    std::stop_source stop;
    onFallback_ = [&] { stop.request_stop(); };
    BatchOptions options;
    options.cancel = stop.get_token();
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, options).collect(), Cancelled);
    EXPECT_EQ(submit(*network, inputs_[1]).collect().reconstructions.size(), 1U);
    EXPECT_EQ(fallbacksAskedFor_, 1);
    EXPECT_FALSE(log_.ran.contains(0));
}

TEST_F(NetworkDevicesTest, retriesTheFallback_butNeverTheLostDevice) {
    const auto network = make(1, true);
    devices_[0]->onBegin = [](int) { loseDevice(); };
    onFallback_ = [] { throw ModelError({"model", "", "is not to be had", ""}); };
    EXPECT_THROW(submit(*network, inputs_[0]).collect(), ModelError);
    EXPECT_THROW(network->withDevice(
                     [](Backend& device) { return device.meshOperations().nearestNeighbours({}); }),
                 ModelError);
    EXPECT_EQ(network->info().description, "A");
    onFallback_ = {};
    EXPECT_EQ(submit(*network, inputs_[0]).collect().reconstructions.size(), 1U);
    EXPECT_EQ(log_.begun["A"], 1);
    EXPECT_EQ(fallbacksAskedFor_, 3);
}

TEST_F(NetworkDevicesTest, failsWithTheLoss_whenTheFallbackIsLostToo) {
    NetworkDevices two = devices(1);
    two.makeFallback = [this] {
        auto fallback = std::make_unique<ScriptedDevice>("B", log_);
        fallback->onFinish = [](int) { loseDevice(); };
        return fallback;
    };
    devices_[0]->onFinish = [](int) { loseDevice(); };
    NetworkService network(std::move(two));
    EXPECT_THROW(submit(network, inputs_[0]).collect(), DeviceLost);
    EXPECT_THROW(submit(network, inputs_[0]).collect(), DeviceLost);
}

TEST_F(NetworkDevicesTest, losesNothing_whenManyAskAndCancelWhileDevicesAreLost) {
    std::atomic<int> begun = 0;
    const auto network = make(3, true);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        devices_[i]->onBegin = [&, lostAt = 40 * static_cast<int>(i + 1)](int) {
            if (++begun > lostAt) loseDevice();
        };
        devices_[i]->isRunning = [random = std::mt19937(7)](int) mutable {
            return random() % 4 > 0;
        };
    }
    std::atomic<int> ended = 0;
    const auto ask = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < 100; ++i) {
            const auto urgency = static_cast<Urgency>(random() % 3);
            const NetworkInput input = inputOf(i);
            if (random() % 8 == 0) {
                network->run(urgency, [&](DeviceAccess& access) {
                    if (access.yieldToken.stop_requested()) throw Cancelled();
                    access.backend().meshOperations().nearestNeighbours({});
                });
                ++ended;
                continue;
            }
            std::stop_source stop;
            BatchOptions options;
            options.cancel = stop.get_token();
            BatchFuture future = submit(*network, input, urgency, options);
            if (random() % 4 == 0) stop.request_stop();
            try {
                EXPECT_EQ(future.collect().reconstructions.front().vertices("refined"),
                          Points{glm::vec3(static_cast<float>(i))});
            } catch (const Cancelled&) {
            }
            ++ended;
        }
    };
    {
        std::vector<std::jthread> threads;
        for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(ask, seed);
    }
    EXPECT_EQ(ended, 400);
    EXPECT_EQ(network->pendingCount(), 0U);
    EXPECT_EQ(network->info().description, "CPU");
}

// --- Opening

TEST_F(NetworkDevicesTest, opensItsDevicesOnFirstUse_andRetries) {
    int attempts = 0;
    NetworkServiceOptions with = options();
    std::vector<std::string> opened;
    with.listener.onOpened = [&](const NetworkInfo& info) { opened.push_back(info.description); };
    NetworkService network(
        [&] {
            if (++attempts == 1) throw ModelError({"m.safetensors", "", "is missing", ""});
            return devices(2);
        },
        std::move(with));
    network.run(Urgency::now, [](DeviceAccess&) {});
    EXPECT_EQ(attempts, 0);
    EXPECT_THROW(submit(network, inputs_[0]).collect(), ModelError);
    EXPECT_EQ(runList(network, 20), 20);
    EXPECT_EQ(network.info().description, "A + B");
    EXPECT_EQ(attempts, 2);
    EXPECT_THAT(opened, ElementsAre("A + B"));
}

TEST_F(NetworkDevicesTest, replacesItsDevices_orKeepsThemWhenThatFails) {
    const auto network = make(2);
    const std::string before = network->info().description;
    std::promise<bool> refused;
    std::deque<BatchFuture> batches;
    for (const NetworkInput& input : inputs_) batches.push_back(submit(*network, input));
    network->replaceDevices(
        []() -> NetworkDevices {
            throw ModelError({"m.safetensors", "", "is missing", ""});
        },
        [&](const std::exception_ptr& failure) { refused.set_value(failure != nullptr); });
    EXPECT_TRUE(refused.get_future().get());
    EXPECT_EQ(network->info().description, before);
    for (const std::size_t count : {1, 3}) {
        std::promise<bool> replaced;
        network->replaceDevices(
            [&, count] {
                NetworkDevices others;
                for (std::size_t i = 0; i < count; ++i)
                    others.backends.push_back(std::make_unique<ScriptedDevice>("N", log_));
                return others;
            },
            [&](const std::exception_ptr& failure) { replaced.set_value(failure == nullptr); });
        EXPECT_TRUE(replaced.get_future().get());
        EXPECT_EQ(network->info().description, count == 1 ? "N" : "3 × N");
        log_.change([&] { log_.ran.clear(); });
        EXPECT_EQ(runList(*network, 20), 20);
    }
    for (BatchFuture& future : batches) future.collect();
    EXPECT_EQ(log_.destroyed["A"] + log_.destroyed["B"], 2);
}

TEST_F(NetworkDevicesTest, countsAReplacement_beforeTheListenerHearsOfIt) {
    std::vector<std::size_t> counts;
    NetworkServiceOptions with = options();
    with.listener.onOpened = [&](const NetworkInfo& now) { counts.push_back(now.deviceChanges); };
    NetworkService network(devices(1), std::move(with));
    std::promise<void> ended;
    network.replaceDevices([&] { return oneDevice(std::make_unique<ScriptedDevice>("N", log_)); },
                           [&](const std::exception_ptr&) { ended.set_value(); });
    ended.get_future().get();
    EXPECT_THAT(counts, ElementsAre(1U));
    EXPECT_EQ(network.info().deviceChanges, 1U);
}

TEST_F(NetworkDevicesTest, cancelsAReplacement_whenANewerOneOrClosingFollows) {
    auto network = make(1);
    std::vector<std::string> outcomes;
    const auto record = [&](const char* name) {
        return [&, name](const std::exception_ptr& failure) {
            try {
                if (failure) std::rethrow_exception(failure);
                outcomes.push_back(std::string(name) + " replaced");
            } catch (const Cancelled&) {
                outcomes.push_back(std::string(name) + " cancelled");
            }
        };
    };
    const NetworkOpener open = [&] {
        return oneDevice(std::make_unique<ScriptedDevice>("N", log_));
    };
    // Replacements wait while the device is busy.
    network->run(Urgency::now, [&](DeviceAccess&) {
        network->replaceDevices(open, record("first"));
        network->replaceDevices(open, record("second"));
        network->replaceDevices(open, record("third"));
    });
    network->close();
    network->replaceDevices(open, record("fourth"));
    ASSERT_EQ(outcomes.size(), 4U);
    EXPECT_EQ(outcomes[0], "first cancelled");
    EXPECT_EQ(outcomes[1], "second cancelled");
    EXPECT_THAT(outcomes[2], testing::AnyOf("third replaced", "third cancelled"));
    EXPECT_EQ(outcomes[3], "fourth cancelled");
}

TEST(OpenCudaDevices, refuses_whenNoGpuIsNamed) {
    DeviceSettings settings;
    settings.gpus = std::vector<int>{};
    EXPECT_THROW(openCudaDevices(nullptr, settings), UsageError);
}

}  // namespace
}  // namespace threefold
