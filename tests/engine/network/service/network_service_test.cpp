#include "engine/network/service/network_service.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <future>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/profile/stopwatch.h"
#include "tests/support/scripted_device.h"

namespace threefold {
namespace {

using test::inputOf;
using test::loseDevice;
using test::numberOf;
using test::Scene;
using test::ScriptedDevice;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Milliseconds within which what was cancelled ends.
constexpr double kAtOnce = 100;

class NetworkServiceTest : public testing::Test {
  protected:
    /// Devices "A", "B", …; a spare "CPU", where one is wanted.
    NetworkDevices devices(std::size_t count, bool spare = false) {
        NetworkDevices made;
        devices_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            auto device = std::make_unique<ScriptedDevice>(
                std::string(1, static_cast<char>('A' + i)), scene_);
            device->most = most_;
            devices_.push_back(device.get());
            made.devices.push_back(std::move(device));
        }
        if (spare) made.spare = [this] { return makeSpare(); };
        return made;
    }
    std::unique_ptr<NetworkService> make(std::size_t count, bool spare = false) {
        return std::make_unique<NetworkService>(devices(count, spare), options());
    }
    NetworkServiceOptions options() {
        NetworkServiceOptions options;
        options.listener.log = [this](LogLevel level, std::string_view line) {
            if (level == LogLevel::warning) scene_.change([&] { scene_.told.emplace_back(line); });
        };
        options.listener.takenOver = [this](const std::string& before, const NetworkInfo& now) {
            scene_.note(before + " > " + now.description);
        };
        return options;
    }
    std::unique_ptr<Backend> makeSpare() {
        ++sparesAskedFor_;
        if (onSpare_) onSpare_();
        auto spare = std::make_unique<ScriptedDevice>("CPU", scene_);
        spare->most = 1;
        spare->largest = 1;
        spare->precision_ = Precision::float32;
        return spare;
    }
    /// The device works on that batch, and may be cancelled, until this is called.
    void hold(ScriptedDevice& device) {
        device.goesOn = [this](int batch) { return held_ && batch < 100; };
    }

    /// A list, as the pipeline runs it: as many batches submitted as may be, collected in order.
    /// Returns how many batches gave their own results.
    static int runList(NetworkService& network, int batches, std::size_t size = 2) {
        std::vector<std::vector<NetworkInput>> inputs;
        for (int batch = 0; batch < batches; ++batch) {
            auto& of = inputs.emplace_back();
            for (std::size_t i = 0; i < size; ++i)
                of.push_back(inputOf(batch * static_cast<int>(size) + static_cast<int>(i)));
        }
        std::deque<std::pair<std::size_t, Ticket>> pending;
        std::size_t next = 0;
        int right = 0;
        while (next < inputs.size() || !pending.empty()) {
            while (next < inputs.size() && pending.size() < network.info().mostPending) {
                pending.emplace_back(next, network.submit(inputs[next], Urgency::list));
                ++next;
            }
            const NetworkResult result = pending.front().second.collect();
            const std::vector<NetworkInput>& given = inputs[pending.front().first];
            right += std::ranges::equal(result.meshes, given, [](const auto& mesh, const auto& in) {
                return mesh.refined == Points{glm::vec3(static_cast<float>(numberOf(in)))};
            });
            pending.pop_front();
        }
        return right;
    }
    static Ticket submit(NetworkService& network, const NetworkInput& input,
                         Urgency urgency = Urgency::list, const RunOptions& options = {}) {
        return network.submit({&input, 1}, urgency, options);
    }
    static std::size_t place(const std::vector<std::string>& lines, const std::string& line) {
        return static_cast<std::size_t>(std::ranges::find(lines, line) - lines.begin());
    }

    void expectEachOnce(int inputs) {
        EXPECT_EQ(scene_.ran.size(), static_cast<std::size_t>(inputs));
        for (const auto& [number, by] : scene_.ran) EXPECT_EQ(by.size(), 1U) << number;
    }

    Scene scene_;
    std::vector<ScriptedDevice*> devices_;
    std::size_t most_ = 2;  ///< batches that a device begins
    std::atomic<bool> held_ = true;
    std::atomic<int> sparesAskedFor_ = 0;
    std::function<void()> onSpare_;
    const std::vector<NetworkInput> inputs_ = {inputOf(0), inputOf(1), inputOf(2),
                                               inputOf(3), inputOf(4), inputOf(5)};
    const NetworkInput click_ = inputOf(100);
};

// ---- one device

TEST_F(NetworkServiceTest, computesABatch_andSaysHowLongItsDeviceTook) {
    const auto network = make(1);
    devices_[0]->onFinish = [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    const NetworkResult result = network->submit(inputs_, Urgency::list).collect();
    EXPECT_EQ(result.meshes.size(), inputs_.size());
    EXPECT_GE(result.milliseconds, 5.0);
    EXPECT_EQ(network->depth(), 0U);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "A");
    EXPECT_EQ(info.precision, Precision::float16);
    EXPECT_EQ(info.model->hash, "model");
    EXPECT_EQ(info.mostPending, 4U);
    EXPECT_EQ(info.largestBatch, 64U);
    EXPECT_EQ(info.memoryUse->peak, 20U);
}

TEST_F(NetworkServiceTest, doesNotCountTheWaitForOthers_asABatchsTime) {
    most_ = 1;
    const auto network = make(1);
    devices_[0]->onFinish = [](int batch) {
        std::this_thread::sleep_for(std::chrono::milliseconds(batch == 0 ? 200 : 0));
    };
    Ticket first = submit(*network, inputs_[0]);
    Ticket second = submit(*network, inputs_[1]);
    EXPECT_GE(first.collect().milliseconds, 200.0);
    EXPECT_LT(second.collect().milliseconds, 150.0);
}

TEST_F(NetworkServiceTest, beginsTheNextBatch_beforeItFinishesTheOneBefore) {
    const auto network = make(1);
    std::atomic<bool> all = false;
    devices_[0]->onBegin = [&](int batch) {
        while (batch == 0 && !all) std::this_thread::yield();
    };
    std::deque<Ticket> tickets;
    for (int i = 0; i < 3; ++i) tickets.push_back(submit(*network, inputs_[i]));
    all = true;
    for (Ticket& ticket : tickets) EXPECT_EQ(ticket.collect().meshes.size(), 1U);
    EXPECT_THAT(scene_.lines,
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
    std::deque<Ticket> tickets;
    for (const NetworkInput& input : inputs_) tickets.push_back(submit(*network, input));
    EXPECT_EQ(tickets[0].collect().meshes.size(), 1U);
    EXPECT_THROW(tickets[1].collect(), InputError);
    EXPECT_THROW(tickets[2].collect(), OutOfDeviceMemory);
    EXPECT_THROW(tickets[3].collect(), std::bad_alloc);
    EXPECT_THROW(tickets[4].collect(), DeviceError);
    EXPECT_EQ(tickets[5].collect().meshes.size(), 1U);
    EXPECT_TRUE(scene_.told.empty());
    EXPECT_EQ(network->info().description, "A + B");
}

TEST_F(NetworkServiceTest, refusesToBeMade_ofNoneOrOfDifferentOnes) {
    EXPECT_THROW(NetworkService{NetworkDevices{}}, DeviceError);
    EXPECT_THROW(NetworkService{NetworkDevices(std::unique_ptr<Backend>())}, DeviceError);
    for (const bool otherModel : {false, true}) {
        NetworkDevices two = devices(2);
        if (otherModel) {
            devices_[1]->model_.hash = "other";
        } else {
            devices_[1]->precision_ = Precision::float32;
        }
        EXPECT_THROW(NetworkService{std::move(two)}, InputError);
    }
}

// ---- who computes next

TEST_F(NetworkServiceTest, interruptsAList_forAClick_andBeginsItAgain) {
    most_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    Ticket list = submit(*network, inputs_[0]);
    Ticket next = submit(*network, inputs_[1]);
    scene_.waitFor("A runs 0");
    const Stopwatch watch;
    submit(*network, click_, Urgency::now).collect();
    EXPECT_LT(watch.milliseconds(), kAtOnce);
    held_ = false;
    EXPECT_EQ(list.collect().meshes.size(), 1U);
    EXPECT_EQ(next.collect().meshes.size(), 1U);
    EXPECT_LT(place(scene_.lines, "A ends 100"), place(scene_.lines, "A ends 0"));
    EXPECT_LT(place(scene_.lines, "A ends 0"), place(scene_.lines, "A begins 1"));
}

TEST_F(NetworkServiceTest, usesWhatADeviceHasBegun_whereItCannotBeInterrupted) {
    const auto network = make(1);
    std::atomic<bool> clicked = false;
    devices_[0]->onFinish = [&](int batch) {
        while (batch == 0 && !clicked) std::this_thread::yield();
    };
    std::deque<Ticket> tickets;
    for (int i = 0; i < 4; ++i) tickets.push_back(submit(*network, inputs_[i]));
    scene_.waitFor("A runs 0");
    Ticket click = submit(*network, click_, Urgency::now);
    clicked = true;
    click.collect();
    for (Ticket& ticket : tickets) ticket.collect();
    EXPECT_EQ(scene_.ran[0].size(), 1U);
    EXPECT_LT(place(scene_.lines, "A begins 100"), place(scene_.lines, "A begins 2"));
}

TEST_F(NetworkServiceTest, doesNotInterrupt_whatIsOwedItsTurn) {
    NetworkServiceOptions impatient = options();
    impatient.patience = {};
    NetworkService network(devices(1), std::move(impatient));
    hold(*devices_[0]);
    Ticket list = submit(network, inputs_[0]);
    scene_.waitFor("A runs 0");
    Ticket click = submit(network, click_, Urgency::now);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    held_ = false;
    click.collect();
    list.collect();
    EXPECT_LT(place(scene_.lines, "A ends 0"), place(scene_.lines, "A ends 100"));
    EXPECT_EQ(std::ranges::count(scene_.lines, "A runs 0"), 1);
}

TEST_F(NetworkServiceTest, letsAListLive_whileSomebodyClicksAllTheTime) {
    NetworkServiceOptions impatient = options();
    impatient.patience = std::chrono::milliseconds(20);
    most_ = 1;
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

TEST_F(NetworkServiceTest, doesNotInterruptAList_whereADeviceIsIdle) {
    const auto network = make(2);
    hold(*devices_[0]);
    hold(*devices_[1]);
    Ticket list = submit(*network, inputs_[0]);
    scene_.waitUntil([&] { return scene_.taken() == 1; });
    submit(*network, click_, Urgency::now).collect();
    held_ = false;
    list.collect();
    EXPECT_EQ(scene_.taken(), 2);
}

TEST_F(NetworkServiceTest, putsWhatFollowsAClickBeforeLists_andDoesNotInterruptThem) {
    most_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    Ticket list = submit(*network, inputs_[0]);
    Ticket next = submit(*network, inputs_[1]);
    scene_.waitFor("A runs 0");
    Ticket soon = submit(*network, inputs_[2], Urgency::soon);
    held_ = false;
    for (Ticket* ticket : {&list, &next, &soon}) ticket->collect();
    EXPECT_EQ(std::ranges::count(scene_.lines, "A runs 0"), 1);
    EXPECT_LT(place(scene_.lines, "A ends 0"), place(scene_.lines, "A begins 2"));
    EXPECT_LT(place(scene_.lines, "A ends 2"), place(scene_.lines, "A begins 1"));
}

TEST_F(NetworkServiceTest, givesATaskItsDeviceAlone_andReturnsItsValue) {
    const auto network = make(1);
    std::deque<Ticket> tickets;
    for (const NetworkInput& input : inputs_) tickets.push_back(submit(*network, input));
    EXPECT_EQ(network->on([](Backend& device) {
        return device.fit({glm::vec3(7)}, {1, {}}, {}, {}, {}).vertices;
    }),
              Points{glm::vec3(7)});
    for (Ticket& ticket : tickets) ticket.collect();
    EXPECT_THROW(network->on([](Backend&) -> int {
        throw InputError({"item", "", "is bad", ""});
    }),
                 InputError);
}

TEST_F(NetworkServiceTest, letsATaskYieldToAClick_andCallsItAgain) {
    const auto network = make(1);
    std::atomic<int> calls = 0;
    std::promise<void> done;
    network->post({Urgency::soon,
                   [&](DeviceTurn& turn) {
                       turn.device();
                       if (++calls > 1) return done.set_value();
                       while (!turn.yield().stop_requested()) std::this_thread::yield();
                       throw Cancelled();
                   },
                   [](const std::exception_ptr&) { ADD_FAILURE(); }});
    while (calls == 0) std::this_thread::yield();
    EXPECT_EQ(network->depth(), 1U);
    submit(*network, click_, Urgency::now).collect();
    done.get_future().wait();
    EXPECT_EQ(calls, 2);
}

TEST_F(NetworkServiceTest, runsTasksThatAreNow_oneAtATimeInTheirOrder) {
    const auto network = make(3);
    std::atomic<int> running = 0;
    std::vector<int> order;
    for (int i = 0; i < 20; ++i) {
        network->post({Urgency::now, [&, i](DeviceTurn&) {
                           EXPECT_EQ(++running, 1);
                           order.push_back(i);
                           std::this_thread::yield();
                           --running;
                       }});
    }
    network->run(Urgency::now, [](DeviceTurn&) {});
    EXPECT_EQ(order.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(order));
}

// ---- cancelled

TEST_F(NetworkServiceTest, endsWhatIsCancelled_whereverItIs) {
    const auto network = make(1);
    hold(*devices_[0]);
    std::stop_source running;
    std::stop_source begun;
    std::stop_source waiting;
    const auto with = [](const std::stop_source& stop) {
        RunOptions options;
        options.cancel = stop.get_token();
        return options;
    };
    Ticket first = submit(*network, inputs_[0], Urgency::list, with(running));
    Ticket second = submit(*network, inputs_[1], Urgency::list, with(begun));
    Ticket third = submit(*network, inputs_[2], Urgency::list, with(waiting));
    Ticket last = submit(*network, inputs_[3]);
    scene_.waitFor("A runs 0");
    for (const auto& [stop, ticket] :
         {std::pair(&waiting, &third), std::pair(&running, &first), std::pair(&begun, &second)}) {
        const Stopwatch watch;
        stop->request_stop();
        EXPECT_THROW(ticket->collect(), Cancelled);
        EXPECT_LT(watch.milliseconds(), kAtOnce);
    }
    held_ = false;
    EXPECT_EQ(last.collect().meshes.size(), 1U);
    EXPECT_EQ(scene_.ran.size(), 1U);
    EXPECT_EQ(place(scene_.lines, "A begins 2"), scene_.lines.size()) << "it was never begun";
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, with(running)), Cancelled);
    EXPECT_EQ(network->depth(), 0U);
}

TEST_F(NetworkServiceTest, doesNotBeginWhatNobodyWants) {
    most_ = 1;
    const auto network = make(1);
    hold(*devices_[0]);
    Ticket first = submit(*network, inputs_[0]);
    scene_.waitFor("A runs 0");
    { const Ticket dropped = submit(*network, inputs_[1]); }
    {
        Ticket ticket = submit(*network, inputs_[2]);
        ticket.cancel();
        EXPECT_THROW(ticket.collect(), Cancelled);
    }
    EXPECT_EQ(network->depth(), 1U);
    held_ = false;
    first.collect();
    EXPECT_EQ(scene_.taken(), 1);
}

TEST_F(NetworkServiceTest, endsFortyRunsWithinATenthOfASecond_whereverTheyAreCancelled) {
    most_ = 1;
    const auto network = make(1);
    for (int run = 0; run < 40; ++run) {
        std::atomic<int> steps = 0;
        devices_[0]->goesOn = [&](int) { return ++steps < 1000; };
        std::stop_source stop;
        RunOptions options;
        options.cancel = stop.get_token();
        Ticket ticket = submit(*network, click_, Urgency::now, options);
        while (steps < run) std::this_thread::yield();
        const Stopwatch watch;
        stop.request_stop();
        EXPECT_THROW(ticket.collect(), Cancelled);
        EXPECT_LT(watch.milliseconds(), kAtOnce);
    }
}

TEST_F(NetworkServiceTest, cancelsAllThatRunsOrWaits_whenItIsClosed) {
    auto network = make(2);
    hold(*devices_[0]);
    hold(*devices_[1]);
    std::deque<Ticket> tickets;
    for (const NetworkInput& input : inputs_) tickets.push_back(submit(*network, input));
    std::atomic<int> cancelled = 0;
    const auto count = [&](const std::exception_ptr& failure) {
        EXPECT_THROW(std::rethrow_exception(failure), Cancelled);
        ++cancelled;
    };
    // Four, but where a device finished its only batch before the other had begun one.
    scene_.waitUntil([&] { return scene_.taken() >= 3; });
    network->post({Urgency::soon, [](DeviceTurn&) { ADD_FAILURE(); }, count});
    network->close();
    for (Ticket& ticket : tickets) EXPECT_THROW(ticket.collect(), Cancelled);
    EXPECT_EQ(cancelled, 1);
    network->post({Urgency::now, [](DeviceTurn&) { ADD_FAILURE(); }, count});
    EXPECT_EQ(cancelled, 2);
    EXPECT_THROW(submit(*network, click_), Cancelled);
    EXPECT_THROW(network->run(Urgency::now, [](DeviceTurn&) {}), Cancelled);
    network.reset();
    EXPECT_TRUE(scene_.ran.empty());
    EXPECT_EQ(scene_.destroyed.size(), 2U);
}

TEST_F(NetworkServiceTest, doesNotCallATaskAgain_thatItsEndInterrupted) {
    std::atomic<int> calls = 0;
    std::atomic<int> ends = 0;
    {
        const auto network = make(1);
        for (int task = 0; task < 100; ++task) {
            network->post({Urgency::soon,
                           [&](DeviceTurn& turn) {
                               ++calls;
                               while (!turn.yield().stop_requested()) std::this_thread::yield();
                               throw Cancelled();
                           },
                           [&](const std::exception_ptr&) { ++ends; }});
        }
        while (calls == 0) std::this_thread::yield();
    }
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(ends, 100);
}

// ---- several devices

TEST_F(NetworkServiceTest, givesEachBatchItsOwnResults_andRunsEachOnce) {
    const auto network = make(3);
    EXPECT_EQ(runList(*network, 100), 100);
    expectEachOnce(200);
}

TEST_F(NetworkServiceTest, keepsBothAtWork) {
    const auto network = make(2);
    constexpr int kBatches = 20;
    // Neither ends its batch before the other has begun as many.
    const auto together = [&](const std::string& own, const std::string& other) {
        return [&, own, other](int) {
            scene_.waitUntil([&] {
                return scene_.begun[other] > scene_.done[own] || scene_.taken() == kBatches;
            });
        };
    };
    devices_[0]->onFinish = together("A", "B");
    devices_[1]->onFinish = together("B", "A");
    EXPECT_EQ(runList(*network, kBatches), kBatches);
    EXPECT_NEAR(scene_.done["A"], 0.5 * kBatches, 1);
    EXPECT_NEAR(scene_.done["B"], 0.5 * kBatches, 1);
}

TEST_F(NetworkServiceTest, givesADeviceThreeTimesAsFastThreeTimesAsMany) {
    const auto network = make(2);
    constexpr int kBatches = 80;
    const auto allTaken = [&] { return scene_.taken() == kBatches; };
    // A ends three batches for each of B's, until there are no more to take.
    devices_[0]->onFinish = [&](int) {
        scene_.waitUntil([&] { return scene_.done["B"] >= scene_.done["A"] / 3 || allTaken(); });
    };
    devices_[1]->onFinish = [&](int) {
        scene_.waitUntil(
            [&] { return scene_.done["A"] >= 3 * (scene_.done["B"] + 1) || allTaken(); });
    };
    EXPECT_EQ(runList(*network, kBatches), kBatches);
    EXPECT_NEAR(scene_.done["B"], 0.25 * kBatches, 2);
    expectEachOnce(2 * kBatches);
}

TEST_F(NetworkServiceTest, givesTheLastTwoBatchesToTwoDevices) {
    const auto network = make(2);
    devices_[0]->onFinish = devices_[1]->onFinish = [&](int) {
        scene_.waitUntil([&] { return scene_.begun.size() == 2; });
    };
    Ticket first = submit(*network, inputs_[0]);
    Ticket second = submit(*network, inputs_[1]);
    first.collect();
    second.collect();
    EXPECT_EQ(scene_.done["A"], 1);
    EXPECT_EQ(scene_.done["B"], 1);
}

TEST_F(NetworkServiceTest, tellsOfAllDevices) {
    const auto network = make(2);
    devices_[1]->largest = 8;
    runList(*network, 20);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "A + B");
    EXPECT_EQ(info.mostPending, 8U);
    EXPECT_EQ(info.largestBatch, scene_.done["B"] > 0 ? 8U : 64U);
    EXPECT_EQ(info.memoryUse->before, 200U);
    EXPECT_EQ(info.memoryUse->peak, 40U);
    EXPECT_EQ(info.memoryUse->peakPool, 6U);
    NetworkDevices alike;
    for (const char* name : {"GPU", "GPU", "small GPU"})
        alike.devices.push_back(std::make_unique<ScriptedDevice>(name, scene_));
    EXPECT_EQ(NetworkService(std::move(alike)).info().description, "2 × GPU + small GPU");
}

// ---- lost devices

TEST_F(NetworkServiceTest, losesNothingAndDoublesNothing_whenADeviceIsLost) {
    for (const bool whileFinishing : {false, true}) {
        for (int lostAt = 0; lostAt < 6; ++lostAt) {
            scene_.ran.clear();
            scene_.told.clear();
            const auto network = make(3);
            int calls = 0;
            const auto lostThen = [&](int) {
                int call = 0;
                scene_.change([&] { call = calls++; });
                if (call >= lostAt) loseDevice();
            };
            (whileFinishing ? devices_[1]->onFinish : devices_[1]->onBegin) = lostThen;
            // The others get no further than B until then.
            scene_.done.clear();
            for (const std::size_t other : {0, 2}) {
                const std::string name = devices_[other]->description();
                devices_[other]->onFinish = [&, name](int) {
                    scene_.waitUntil([&] { return calls > std::min(scene_.done[name], lostAt); });
                };
            }
            EXPECT_EQ(runList(*network, 60), 60) << lostAt;
            expectEachOnce(120);
            ASSERT_EQ(scene_.told.size(), 1U) << lostAt;
            EXPECT_THAT(scene_.told[0], HasSubstr("B was lost; going on with A + C"));
            EXPECT_THAT(scene_.told[0], HasSubstr("illegal address"));
            EXPECT_EQ(network->info().description, "A + C");
            EXPECT_EQ(network->info().mostPending, 12U) << "a caller may have submitted as many";
        }
    }
}

TEST_F(NetworkServiceTest, throwsDeviceLost_whenNoneIsLeft) {
    const auto network = make(2);
    for (ScriptedDevice* device : devices_) device->onFinish = [](int) { loseDevice(); };
    std::deque<Ticket> tickets;
    for (const NetworkInput& input : inputs_) tickets.push_back(submit(*network, input));
    for (Ticket& ticket : tickets) EXPECT_THROW(ticket.collect(), DeviceLost);
    EXPECT_THROW(submit(*network, click_, Urgency::now).collect(), DeviceLost);
    EXPECT_THROW(network->on([](Backend& device) { return device.nearest({}); }), DeviceLost);
    EXPECT_TRUE(scene_.ran.empty());
    EXPECT_EQ(scene_.told.size(), 1U) << "the last one's loss is the caller's to tell";
}

TEST_F(NetworkServiceTest, handsOverToTheSpare_whenNoneIsLeft) {
    for (int lostAt = 0; lostAt < 12; ++lostAt) {
        scene_.ran.clear();
        std::atomic<int> calls = 0;
        sparesAskedFor_ = 0;
        const auto network = make(2, true);
        for (ScriptedDevice* device : devices_) {
            device->onFinish = [&](int) {
                if (calls++ >= lostAt) loseDevice();
            };
        }
        EXPECT_EQ(runList(*network, 20), 20) << lostAt;
        EXPECT_EQ(network->info().description, "CPU");
        EXPECT_EQ(sparesAskedFor_, 1);
    }
}

TEST_F(NetworkServiceTest, doesAllThatWasBegunAgainOnTheSpare_tellsOnce_andStaysThere) {
    const auto network = make(1, true);
    std::atomic<bool> all = false;
    devices_[0]->onBegin = [&](int) {
        while (!all) std::this_thread::yield();
    };
    devices_[0]->onFinish = [](int) { loseDevice(); };
    std::vector<float> progress;
    RunOptions options;
    options.progress = [&](const Progress& step) { progress.push_back(step.done); };
    Ticket first = network->submit(inputs_, Urgency::list, options);
    Ticket second = submit(*network, inputs_[1]);
    Ticket third = submit(*network, inputs_[2]);
    all = true;
    EXPECT_EQ(first.collect().meshes.size(), inputs_.size());
    EXPECT_EQ(progress.size(), 2U);
    second.collect();
    third.collect();
    submit(*network, inputs_[3]).collect();
    EXPECT_THAT(scene_.ran[1], ElementsAre("CPU", "CPU"));
    EXPECT_EQ(scene_.destroyed["A"], 1);
    EXPECT_EQ(sparesAskedFor_, 1);
    ASSERT_EQ(scene_.told.size(), 1U);
    EXPECT_THAT(scene_.told[0], HasSubstr("The GPU was lost; going on with CPU"));
    EXPECT_THAT(scene_.told[0], HasSubstr("illegal address"));
    EXPECT_EQ(std::ranges::count(scene_.lines, "A > CPU"), 1);
    const NetworkInfo info = network->info();
    EXPECT_EQ(info.description, "CPU");
    EXPECT_EQ(info.precision, Precision::float32);
    EXPECT_EQ(info.mostPending, 2U);
    EXPECT_EQ(info.largestBatch, 1U);
}

TEST_F(NetworkServiceTest, doesWhatIsNoBatchElsewhere_whenItsDeviceIsLost) {
    for (const bool spare : {false, true}) {
        const auto network = make(3, spare);
        devices_[0]->onCall = devices_[1]->onCall = [](int) { loseDevice(); };
        if (spare) devices_[2]->onCall = [](int) { loseDevice(); };
        EXPECT_EQ(network->on([](Backend& device) {
            return device.fit({glm::vec3(7)}, {1, {}}, {}, {}, {}).vertices;
        }),
                  Points{glm::vec3(7)});
        EXPECT_NO_THROW(network->on([](Backend& device) { return device.nearest({}); }));
        EXPECT_NO_THROW(network->on([](Backend& device) { return device.match({}, {}); }));
        EXPECT_EQ(runList(*network, 5), 5);
    }
}

TEST_F(NetworkServiceTest, endsACancelledRunOfALostDevice_andMakesTheSpareForTheNext) {
    const auto network = make(1, true);
    std::stop_source stop;
    devices_[0]->onFinish = [&](int) {
        stop.request_stop();
        loseDevice();
    };
    RunOptions options;
    options.cancel = stop.get_token();
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, options).collect(), Cancelled);
    EXPECT_EQ(sparesAskedFor_, 0);
    EXPECT_EQ(submit(*network, inputs_[1]).collect().meshes.size(), 1U);
    EXPECT_EQ(scene_.told.size(), 1U);
}

TEST_F(NetworkServiceTest, endsARun_thatIsCancelledWhileTheSpareIsMade) {
    const auto network = make(1, true);
    devices_[0]->onBegin = [](int) { loseDevice(); };
    std::stop_source stop;
    onSpare_ = [&] { stop.request_stop(); };
    RunOptions options;
    options.cancel = stop.get_token();
    EXPECT_THROW(submit(*network, inputs_[0], Urgency::now, options).collect(), Cancelled);
    EXPECT_EQ(submit(*network, inputs_[1]).collect().meshes.size(), 1U);
    EXPECT_EQ(sparesAskedFor_, 1);
    EXPECT_FALSE(scene_.ran.contains(0));
}

TEST_F(NetworkServiceTest, triesAgainToMakeTheSpare_butNeverTheLostDevice) {
    const auto network = make(1, true);
    devices_[0]->onBegin = [](int) { loseDevice(); };
    onSpare_ = [] { throw ModelError({"model", "", "is not to be had", ""}); };
    EXPECT_THROW(submit(*network, inputs_[0]).collect(), ModelError);
    EXPECT_THROW(network->on([](Backend& device) { return device.nearest({}); }), ModelError);
    EXPECT_EQ(network->info().description, "A");
    onSpare_ = {};
    EXPECT_EQ(submit(*network, inputs_[0]).collect().meshes.size(), 1U);
    EXPECT_EQ(scene_.begun["A"], 1);
    EXPECT_EQ(sparesAskedFor_, 3);
}

TEST_F(NetworkServiceTest, failsWithTheLoss_whenTheSpareIsLostToo) {
    NetworkDevices two = devices(1);
    two.spare = [this] {
        auto spare = std::make_unique<ScriptedDevice>("B", scene_);
        spare->onFinish = [](int) { loseDevice(); };
        return spare;
    };
    devices_[0]->onFinish = [](int) { loseDevice(); };
    NetworkService network(std::move(two));
    EXPECT_THROW(submit(network, inputs_[0]).collect(), DeviceLost);
    EXPECT_THROW(submit(network, inputs_[0]).collect(), DeviceLost);
}

TEST_F(NetworkServiceTest, losesNothing_whenManyAskAndCancelWhileDevicesAreLost) {
    std::atomic<int> begun = 0;
    const auto network = make(3, true);
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        devices_[i]->onBegin = [&, lostAt = 40 * static_cast<int>(i + 1)](int) {
            if (++begun > lostAt) loseDevice();
        };
        devices_[i]->goesOn = [random = std::mt19937(7)](int) mutable { return random() % 4 > 0; };
    }
    std::atomic<int> ended = 0;
    const auto ask = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < 100; ++i) {
            const auto urgency = static_cast<Urgency>(random() % 3);
            const NetworkInput input = inputOf(i);
            if (random() % 8 == 0) {
                network->run(urgency, [&](DeviceTurn& turn) {
                    if (turn.yield().stop_requested()) throw Cancelled();
                    turn.device().nearest({});
                });
                ++ended;
                continue;
            }
            Ticket ticket = submit(*network, input, urgency);
            if (random() % 4 == 0) ticket.cancel();
            try {
                EXPECT_EQ(ticket.collect().meshes.front().refined,
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
    EXPECT_EQ(network->depth(), 0U);
    EXPECT_EQ(network->info().description, "CPU");
}

// ---- opening

TEST_F(NetworkServiceTest, opensItsDevices_withTheFirstRequestThatNeedsThem_andTriesAgain) {
    int attempts = 0;
    NetworkServiceOptions with = options();
    std::vector<std::string> opened;
    with.listener.opened = [&](const NetworkInfo& info) { opened.push_back(info.description); };
    NetworkService network(
        [&] {
            if (++attempts == 1) throw ModelError({"m.safetensors", "", "is missing", ""});
            return devices(2);
        },
        std::move(with));
    network.run(Urgency::now, [](DeviceTurn&) {});
    EXPECT_EQ(attempts, 0);
    EXPECT_THROW(submit(network, inputs_[0]).collect(), ModelError);
    EXPECT_EQ(runList(network, 20), 20);
    EXPECT_EQ(network.info().description, "A + B");
    EXPECT_EQ(attempts, 2);
    EXPECT_THAT(opened, ElementsAre("A + B"));
}

TEST_F(NetworkServiceTest, takesOtherDevices_andKeepsTheseWhereTheOthersCannotBeMade) {
    const auto network = make(2);
    const std::string before = network->info().description;
    std::promise<bool> refused;
    std::deque<Ticket> tickets;
    for (const NetworkInput& input : inputs_) tickets.push_back(submit(*network, input));
    network->replaceDevices(
        []() -> NetworkDevices {
            throw ModelError({"m.safetensors", "", "is missing", ""});
        },
        [&](const std::exception_ptr& failure) { refused.set_value(failure != nullptr); });
    EXPECT_TRUE(refused.get_future().get());
    EXPECT_EQ(network->info().description, before);
    for (const std::size_t count : {1, 3}) {
        std::promise<bool> taken;
        network->replaceDevices(
            [&, count] {
                NetworkDevices others;
                for (std::size_t i = 0; i < count; ++i)
                    others.devices.push_back(std::make_unique<ScriptedDevice>("N", scene_));
                return others;
            },
            [&](const std::exception_ptr& failure) { taken.set_value(failure == nullptr); });
        EXPECT_TRUE(taken.get_future().get());
        EXPECT_EQ(network->info().description, count == 1 ? "N" : "3 × N");
        scene_.change([&] { scene_.ran.clear(); });
        EXPECT_EQ(runList(*network, 20), 20);
    }
    for (Ticket& ticket : tickets) ticket.collect();
    EXPECT_EQ(scene_.destroyed["A"] + scene_.destroyed["B"], 2);
}

}  // namespace
}  // namespace threefold
