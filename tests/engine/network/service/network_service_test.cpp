#include "engine/network/service/network_service.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/profile/stopwatch.h"
#include "tests/engine/network/service/scripted_network.h"

namespace threefold {
namespace {

using test::NetworkServiceTest;
using test::ScriptedDevice;
using testing::ElementsAre;

/// Maximum delay of a cancel, in milliseconds.
constexpr double kMaxCancelDelay = 100;

// --- One device

TEST_F(NetworkServiceTest, computesABatch_andReportsItsTime) {
    const auto network = make(1);
    // The service measures wall time itself, so the batch has to last.
    devices_[0]->onFinish = [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    const NetworkResult result = network->submit(inputs_, Urgency::list).collect();
    EXPECT_EQ(result.reconstructions.size(), inputs_.size());
    EXPECT_GE(result.milliseconds, 5.0);
    EXPECT_EQ(network->pendingCount(), 0U);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "A");
    EXPECT_EQ(info.precision, Precision::float16);
    EXPECT_EQ(info.model->hash, "model");
    EXPECT_EQ(info.maxBatchesInFlight, 4U);
    EXPECT_EQ(info.maxBatchSize, 64U);
    EXPECT_EQ(info.memoryUse->peakBytes, 20U);
}

TEST_F(NetworkServiceTest, leavesTheModelToItsReaders_whenTheDevicesEnd) {
    auto network = make(1);
    const NetworkInfo info = network->info();
    network.reset();
    EXPECT_EQ(info.model.use_count(), 1);
    EXPECT_EQ(info.model->hash, "model");
}

TEST_F(NetworkServiceTest, doesNotCountWaitingForOtherBatches) {
    maxPendingBatches_ = 1;
    const auto network = make(1);
    devices_[0]->onFinish = [](int batch) {
        std::this_thread::sleep_for(std::chrono::milliseconds(batch == 0 ? 200 : 0));
    };
    BatchFuture first = submit(*network, inputs_[0]);
    BatchFuture second = submit(*network, inputs_[1]);
    EXPECT_GE(first.collect().milliseconds, 200.0);
    EXPECT_LT(second.collect().milliseconds, 150.0);
}

TEST_F(NetworkServiceTest, doesNotCountWorkAfterABatch) {
    constexpr std::chrono::milliseconds kLong(200);
    const auto network = make(1);
    bool followed = false;
    const NetworkResult result =
        network
            ->submit(
                {&inputs_.front(), 1}, Urgency::list, {},
                [&](MeshOperations& device, std::span<const Reconstruction> meshes, const auto&) {
                    EXPECT_EQ(&device, devices_[0]);
                    EXPECT_EQ(meshes.size(), 1U);
                    std::this_thread::sleep_for(kLong);
                    followed = true;
                })
            .collect();
    EXPECT_TRUE(followed) << "the work after the batch must run before collect() returns";
    EXPECT_LT(result.milliseconds, 200);
}

TEST_F(NetworkServiceTest, beginsTheNextBatch_beforeItFinishesTheOneBefore) {
    const auto network = make(1);
    std::atomic<bool> all = false;
    devices_[0]->onBegin = [&](int batch) {
        while (batch == 0 && !all) std::this_thread::yield();
    };
    std::deque<BatchFuture> batches;
    for (int i = 0; i < 3; ++i) batches.push_back(submit(*network, inputs_[i]));
    all = true;
    for (BatchFuture& future : batches) EXPECT_EQ(future.collect().reconstructions.size(), 1U);
    EXPECT_THAT(log_.lines,
                ElementsAre("A begins 0", "A begins 1", "A runs 0", "A ends 0", "A begins 2",
                            "A runs 1", "A ends 1", "A runs 2", "A ends 2"));
}

TEST_F(NetworkServiceTest, passesAFailureToItsBatchAlone) {
    const auto network = make(2);
    for (ScriptedDevice* device : devices_) {
        device->onBegin = [](int batch) {
            if (batch == 1) throw InputError({"view 0", "", "is empty", ""});
        };
        device->onFinish = [](int batch) {
            if (batch == 2) throw OutOfDeviceMemory({"GPU", "", "is full", ""}, 10, 5);
            if (batch == 3) throw std::bad_alloc();
            if (batch == 4) throw DeviceError({"GPU", "", "is not supported", ""});
        };
    }
    std::deque<BatchFuture> batches;
    for (const NetworkInput& input : inputs_) batches.push_back(submit(*network, input));
    EXPECT_EQ(batches[0].collect().reconstructions.size(), 1U);
    EXPECT_THROW(batches[1].collect(), InputError);
    EXPECT_THROW(batches[2].collect(), OutOfDeviceMemory);
    EXPECT_THROW(batches[3].collect(), std::bad_alloc);
    EXPECT_THROW(batches[4].collect(), DeviceError);
    EXPECT_EQ(batches[5].collect().reconstructions.size(), 1U);
    EXPECT_TRUE(log_.warnings.empty());
    EXPECT_EQ(network->info().description, "A + B");
}

TEST_F(NetworkServiceTest, refusesMissingOrDifferentDevices) {
    EXPECT_THROW(NetworkService{NetworkDevices{}}, DeviceError);
    EXPECT_THROW(NetworkService{oneDevice(nullptr)}, DeviceError);
    for (const bool otherModel : {false, true}) {
        NetworkDevices two = devices(2);
        if (otherModel) {
            devices_[1]->model_->hash = "other";
        } else {
            devices_[1]->precision_ = Precision::float32;
        }
        EXPECT_THROW(NetworkService{std::move(two)}, InputError);
    }
}

// --- Order of requests

TEST_F(NetworkServiceTest, interruptsAListForAClick_andRepeatsItsBatch) {
    maxPendingBatches_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    BatchFuture list = submit(*network, inputs_[0]);
    BatchFuture next = submit(*network, inputs_[1]);
    log_.waitFor("A runs 0");
    const Stopwatch watch;
    submit(*network, click_, Urgency::now).collect();
    EXPECT_LT(watch.milliseconds(), kMaxCancelDelay);
    held_ = false;
    EXPECT_EQ(list.collect().reconstructions.size(), 1U);
    EXPECT_EQ(next.collect().reconstructions.size(), 1U);
    EXPECT_LT(place(log_.lines, "A ends 100"), place(log_.lines, "A ends 0"));
    EXPECT_LT(place(log_.lines, "A ends 0"), place(log_.lines, "A begins 1"));
}

TEST_F(NetworkServiceTest, finishesABatch_whenItsDeviceCannotBeInterrupted) {
    const auto network = make(1);
    std::atomic<bool> clicked = false;
    devices_[0]->onFinish = [&](int batch) {
        while (batch == 0 && !clicked) std::this_thread::yield();
    };
    std::deque<BatchFuture> batches;
    for (int i = 0; i < 4; ++i) batches.push_back(submit(*network, inputs_[i]));
    log_.waitFor("A runs 0");
    BatchFuture click = submit(*network, click_, Urgency::now);
    clicked = true;
    click.collect();
    for (BatchFuture& future : batches) future.collect();
    EXPECT_EQ(log_.ran[0].size(), 1U);
    EXPECT_LT(place(log_.lines, "A begins 100"), place(log_.lines, "A begins 2"));
}

TEST_F(NetworkServiceTest, doesNotInterruptAList_afterMaxListWait) {
    NetworkServiceOptions impatient = options();
    impatient.maxListWait = {};
    NetworkService network(devices(1), std::move(impatient));
    hold(*devices_[0]);
    BatchFuture list = submit(network, inputs_[0]);
    log_.waitFor("A runs 0");
    BatchFuture click = submit(network, click_, Urgency::now);
    // An interruption would occur within this time.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    held_ = false;
    click.collect();
    list.collect();
    EXPECT_LT(place(log_.lines, "A ends 0"), place(log_.lines, "A ends 100"));
    EXPECT_EQ(std::ranges::count(log_.lines, "A runs 0"), 1);
}

TEST_F(NetworkServiceTest, advancesAList_duringContinualClicks) {
    NetworkServiceOptions impatient = options();
    impatient.maxListWait = std::chrono::milliseconds(20);
    maxPendingBatches_ = 1;
    NetworkService network(devices(1), std::move(impatient));
    devices_[0]->onFinish = [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
    std::atomic<bool> clicking = true;
    std::atomic<int> clicks = 0;
    const auto click = [&] {
        for (; clicking; ++clicks) submit(network, click_, Urgency::now).collect();
    };
    std::jthread one(click);
    std::jthread another(click);
    while (clicks == 0) std::this_thread::yield();
    EXPECT_EQ(runList(network, 5), 5);
    clicking = false;
    EXPECT_GT(clicks, 5);
}

TEST_F(NetworkServiceTest, doesNotInterruptAList_whenADeviceIsIdle) {
    const auto network = make(2);
    hold(*devices_[0]);
    hold(*devices_[1]);
    BatchFuture list = submit(*network, inputs_[0]);
    log_.waitUntil([&] { return log_.begunCount() == 1; });
    submit(*network, click_, Urgency::now).collect();
    held_ = false;
    list.collect();
    EXPECT_EQ(log_.begunCount(), 2);
}

TEST_F(NetworkServiceTest, ordersFollowUpsBeforeLists_withoutInterruptingThem) {
    maxPendingBatches_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    BatchFuture list = submit(*network, inputs_[0]);
    BatchFuture next = submit(*network, inputs_[1]);
    log_.waitFor("A runs 0");
    BatchFuture soon = submit(*network, inputs_[2], Urgency::soon);
    held_ = false;
    for (BatchFuture* future : {&list, &next, &soon}) future->collect();
    EXPECT_EQ(std::ranges::count(log_.lines, "A runs 0"), 1);
    EXPECT_LT(place(log_.lines, "A ends 0"), place(log_.lines, "A begins 2"));
    EXPECT_LT(place(log_.lines, "A ends 2"), place(log_.lines, "A begins 1"));
}

TEST_F(NetworkServiceTest, runsATaskAloneOnItsDevice_andReturnsItsValue) {
    const auto network = make(1);
    std::deque<BatchFuture> batches;
    for (const NetworkInput& input : inputs_) batches.push_back(submit(*network, input));
    EXPECT_EQ(network->withDevice([](Backend& device) {
        return device.meshOperations().fit({glm::vec3(7)}, {1, {}}, {}, {}, {}).vertices;
    }),
              Points{glm::vec3(7)});
    for (BatchFuture& future : batches) future.collect();
    EXPECT_THROW(network->withDevice([](Backend&) -> int {
        throw InputError({"item", "", "is bad", ""});
    }),
                 InputError);
}

TEST_F(NetworkServiceTest, interruptsATaskForAClick_andRepeatsIt) {
    const auto network = make(1);
    std::atomic<int> calls = 0;
    std::promise<void> done;
    network->post({Urgency::soon,
                   [&](DeviceAccess& access) {
                       access.backend();
                       if (++calls > 1) return done.set_value();
                       while (!access.yieldToken.stop_requested()) std::this_thread::yield();
                       throw Cancelled();
                   },
                   [](const std::exception_ptr&) { ADD_FAILURE(); }});
    while (calls == 0) std::this_thread::yield();
    EXPECT_EQ(network->pendingCount(), 1U);
    submit(*network, click_, Urgency::now).collect();
    done.get_future().wait();
    EXPECT_EQ(calls, 2);
}

TEST_F(NetworkServiceTest, runsImmediateTasks_oneAtATimeInOrder) {
    const auto network = make(3);
    std::atomic<int> running = 0;
    std::vector<int> order;
    for (int i = 0; i < 20; ++i) {
        network->post({Urgency::now, [&, i](DeviceAccess&) {
                           EXPECT_EQ(++running, 1);
                           order.push_back(i);
                           std::this_thread::yield();
                           --running;
                       }});
    }
    network->run(Urgency::now, [](DeviceAccess&) {});
    EXPECT_EQ(order.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(order));
}

// --- Cancelling

TEST_F(NetworkServiceTest, endsARequest_whenCancelledAnywhere) {
    const auto network = make(1);
    hold(*devices_[0]);
    std::stop_source running;
    std::stop_source begun;
    std::stop_source waiting;
    const auto with = [](const std::stop_source& stop) {
        BatchOptions options;
        options.cancel = stop.get_token();
        return options;
    };
    BatchFuture first = submit(*network, inputs_[0], Urgency::list, with(running));
    BatchFuture second = submit(*network, inputs_[1], Urgency::list, with(begun));
    BatchFuture third = submit(*network, inputs_[2], Urgency::list, with(waiting));
    BatchFuture last = submit(*network, inputs_[3]);
    log_.waitFor("A runs 0");
    for (const auto& [stop, future] :
         {std::pair(&waiting, &third), std::pair(&running, &first), std::pair(&begun, &second)}) {
        const Stopwatch watch;
        stop->request_stop();
        EXPECT_THROW(future->collect(), Cancelled);
        EXPECT_LT(watch.milliseconds(), kMaxCancelDelay);
    }
    held_ = false;
    EXPECT_EQ(last.collect().reconstructions.size(), 1U);
    EXPECT_EQ(log_.ran.size(), 1U);
    EXPECT_EQ(place(log_.lines, "A begins 2"), log_.lines.size()) << "it was never begun";
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, with(running)), Cancelled);
    EXPECT_EQ(network->pendingCount(), 0U);
}

TEST_F(NetworkServiceTest, doesNotBeginARequest_whenAbandoned) {
    maxPendingBatches_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    BatchFuture first = submit(*network, inputs_[0]);
    log_.waitFor("A runs 0");
    { const BatchFuture dropped = submit(*network, inputs_[1]); }
    EXPECT_EQ(network->pendingCount(), 1U);
    held_ = false;
    first.collect();
    EXPECT_EQ(log_.begunCount(), 1);
}

TEST_F(NetworkServiceTest, endsWithinATenthOfASecond_whenCancelledAnywhere) {
    maxPendingBatches_ = 1;
    const auto network = make(1);
    for (int run = 0; run < 40; ++run) {
        std::atomic<int> steps = 0;
        devices_[0]->isRunning = [&](int) { return ++steps < 1000; };
        std::stop_source stop;
        BatchOptions options;
        options.cancel = stop.get_token();
        BatchFuture future = submit(*network, click_, Urgency::now, options);
        while (steps < run) std::this_thread::yield();
        const Stopwatch watch;
        stop.request_stop();
        EXPECT_THROW(future.collect(), Cancelled);
        EXPECT_LT(watch.milliseconds(), kMaxCancelDelay);
    }
}

TEST_F(NetworkServiceTest, cancelsAllRequests_whenClosed) {
    auto network = make(2);
    hold(*devices_[0]);
    hold(*devices_[1]);
    // A device that finds no second batch runs its first one and holds it, so no batch may begin
    // before all are submitted.
    std::atomic<bool> all = false;
    for (ScriptedDevice* device : devices_) {
        device->onBegin = [&](int) {
            while (!all) std::this_thread::yield();
        };
    }
    std::deque<BatchFuture> batches;
    for (const NetworkInput& input : inputs_) batches.push_back(submit(*network, input));
    all = true;
    std::atomic<int> cancelled = 0;
    const auto count = [&](const std::exception_ptr& failure) {
        EXPECT_THROW(std::rethrow_exception(failure), Cancelled);
        ++cancelled;
    };
    // The devices begin four batches, or three if one device runs its only batch before the other
    // device has begun a batch.
    log_.waitUntil([&] { return log_.begunCount() >= 3; });
    network->post({Urgency::soon, [](DeviceAccess&) { ADD_FAILURE(); }, count});
    network->close();
    for (BatchFuture& future : batches) EXPECT_THROW(future.collect(), Cancelled);
    EXPECT_EQ(cancelled, 1);
    network->post({Urgency::now, [](DeviceAccess&) { ADD_FAILURE(); }, count});
    EXPECT_EQ(cancelled, 2);
    EXPECT_THROW(submit(*network, click_), Cancelled);
    EXPECT_THROW(network->run(Urgency::now, [](DeviceAccess&) {}), Cancelled);
    network.reset();
    EXPECT_TRUE(log_.ran.empty());
    EXPECT_EQ(log_.destroyed.size(), 2U);
}

TEST_F(NetworkServiceTest, doesNotRepeatATask_whenClosed) {
    std::atomic<int> calls = 0;
    std::atomic<int> ends = 0;
    {
        const auto network = make(1);
        for (int task = 0; task < 100; ++task) {
            network->post({Urgency::soon,
                           [&](DeviceAccess& access) {
                               ++calls;
                               while (!access.yieldToken.stop_requested())
                                   std::this_thread::yield();
                               throw Cancelled();
                           },
                           [&](const std::exception_ptr&) { ++ends; }});
        }
        while (calls == 0) std::this_thread::yield();
    }
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(ends, 100);
}

}  // namespace
}  // namespace threefold
