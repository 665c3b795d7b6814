#include "engine/network/several_backends.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/device_error.h"
#include "engine/network/fallback_backend.h"

namespace threefold {
namespace {

using testing::HasSubstr;

/// An input that can be told from others.
NetworkInput inputOf(int number) {
    NetworkInput input;
    input.images = {Image{number, 1, {}}};
    return input;
}

int numberOf(const NetworkInput& input) {
    return input.images.front().width;
}

/// What the scripted devices have done so far. Their scripts wait in it for each other; a wait that
/// nothing ends is a failure.
class Scene {
  public:
    void waitUntil(const std::function<bool()>& met) {
        constexpr std::chrono::seconds kNever{20};
        std::unique_lock lock(mutex_);
        changed_.notify_all();
        if (!changed_.wait_for(lock, kNever, met)) ADD_FAILURE() << "nobody ended this wait";
    }
    void change(const std::function<void()>& change) {
        {
            const std::scoped_lock lock(mutex_);
            change();
        }
        changed_.notify_all();
    }

    // Guarded by change() and waitUntil().
    std::map<std::string, int> submitted;         ///< batches, by the device's name
    std::map<std::string, int> done;              ///< likewise
    std::map<int, std::vector<std::string>> ran;  ///< the devices that finished each input
    std::map<std::string, int> destroyed;
    std::vector<std::string> told;

    int taken() {
        int sum = 0;
        for (const auto& [name, count] : submitted) sum += count;
        return sum;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
};

class ScriptedDevice : public Backend {
  public:
    using Script = std::function<void(int batch)>;

    ScriptedDevice(std::string name, Scene& scene) : name_(std::move(name)), scene_(scene) {
        model_.hash = "model";
    }
    ~ScriptedDevice() override {
        scene_.change([&] { ++scene_.destroyed[name_]; });
    }

    std::string description() const override { return name_; }
    Precision precision() const override { return precision_; }
    const Model& model() const override { return model_; }
    std::size_t mostPending() const override { return 2; }
    std::size_t largestBatch() const override { return largest; }
    std::optional<DeviceMemoryUse> memoryUse() const override {
        return DeviceMemoryUse{100, 20, 3};
    }

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override {
        return std::move(reconstructBatch({&input, 1}, options).front());
    }

    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override {
        const Alone alone(*this);
        if (onCall) onCall(numberOf(inputs.front()));
        return results(inputs, options);
    }

    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions& options) override {
        const Alone alone(*this);
        scene_.change([&] { ++scene_.submitted[name_]; });
        EXPECT_LT(pending_, 2) << name_;
        if (onSubmit) onSubmit(numberOf(inputs.front()));
        return std::make_unique<Pending>(*this, inputs, options);
    }

    NearestBatch nearest(std::span<const CloudPair> pairs) override {
        if (onCall) onCall(0);
        return Backend::nearest(pairs);
    }

    Script onSubmit;
    Script onCollect;
    Script onCall;
    std::size_t largest = 64;
    Precision precision_ = Precision::float16;
    Model model_;

  private:
    /// One thread at a time.
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

    class Pending final : public PendingBatch {
      public:
        Pending(ScriptedDevice& owner, std::span<const NetworkInput> inputs, RunOptions options)
            : owner_(owner), inputs_(inputs), options_(std::move(options)) {
            ++owner_.pending_;
        }
        ~Pending() override { --owner_.pending_; }
        std::vector<Reconstruction> collect() override {
            const Alone alone(owner_);
            if (owner_.onCollect) owner_.onCollect(numberOf(inputs_.front()));
            return owner_.results(inputs_, options_);
        }

      private:
        ScriptedDevice& owner_;
        std::span<const NetworkInput> inputs_;
        RunOptions options_;
    };

    std::vector<Reconstruction> results(std::span<const NetworkInput> inputs,
                                        const RunOptions& options) {
        if (options.probe) options.probe("image", {}, {});
        std::vector<Reconstruction> results;
        for (const NetworkInput& input : inputs) {
            results.emplace_back().refined = {glm::vec3(static_cast<float>(numberOf(input)))};
        }
        scene_.change([&] {
            ++scene_.done[name_];
            for (const NetworkInput& input : inputs) scene_.ran[numberOf(input)].push_back(name_);
        });
        return results;
    }

    std::string name_;
    Scene& scene_;
    std::atomic<bool> inUse_ = false;
    int pending_ = 0;
};

class SeveralBackendsTest : public testing::Test {
  protected:
    /// Devices "A", "B", …
    std::unique_ptr<SeveralBackends> make(std::size_t count) {
        std::vector<std::unique_ptr<Backend>> devices;
        devices_.clear();
        for (std::size_t i = 0; i < count; ++i) {
            auto device = std::make_unique<ScriptedDevice>(
                std::string(1, static_cast<char>('A' + i)), scene_);
            devices_.push_back(device.get());
            devices.push_back(std::move(device));
        }
        return std::make_unique<SeveralBackends>(std::move(devices), tell());
    }

    LogFunction tell() {
        return [this](LogLevel level, std::string_view line) {
            EXPECT_EQ(level, LogLevel::warning);
            scene_.change([&] { scene_.told.emplace_back(line); });
        };
    }

    /// A list, as the pipeline runs it: as many batches pending as may be, collected in order.
    /// Returns how many batches gave their own results.
    static int runList(Backend& backend, int batches, std::size_t size = 2) {
        std::vector<std::vector<NetworkInput>> inputs;
        for (int batch = 0; batch < batches; ++batch) {
            auto& of = inputs.emplace_back();
            for (std::size_t i = 0; i < size; ++i) {
                of.push_back(inputOf(batch * static_cast<int>(size) + static_cast<int>(i)));
            }
        }
        std::deque<std::pair<std::size_t, std::unique_ptr<PendingBatch>>> pending;
        std::size_t next = 0;
        int right = 0;
        while (next < inputs.size() || !pending.empty()) {
            while (next < inputs.size() && pending.size() < backend.mostPending()) {
                pending.emplace_back(next, backend.submit(inputs[next], {}));
                ++next;
            }
            const std::vector<Reconstruction> results = pending.front().second->collect();
            const std::vector<NetworkInput>& given = inputs[pending.front().first];
            right += std::ranges::equal(results, given, [](const auto& mesh, const auto& input) {
                return mesh.refined == Points{glm::vec3(static_cast<float>(numberOf(input)))};
            });
            pending.pop_front();
        }
        return right;
    }

    void expectEachOnce(int inputs) {
        EXPECT_EQ(scene_.ran.size(), static_cast<std::size_t>(inputs));
        for (const auto& [number, by] : scene_.ran) EXPECT_EQ(by.size(), 1U) << number;
    }

    Scene scene_;
    std::vector<ScriptedDevice*> devices_;
};

[[noreturn]] void loseDevice() {
    throw DeviceLost({"GPU", "", "an illegal address was read", ""});
}

TEST_F(SeveralBackendsTest, givesEachBatchItsOwnResults_andRunsEachOnce) {
    const auto backend = make(3);
    EXPECT_EQ(runList(*backend, 100), 100);
    expectEachOnce(200);
}

TEST_F(SeveralBackendsTest, keepsBothAtWork) {
    const auto backend = make(2);
    constexpr int kBatches = 20;
    // Neither ends its batch before the other has begun as many.
    const auto together = [&](const std::string& own, const std::string& other) {
        return [&, own, other](int) {
            scene_.waitUntil([&] {
                return scene_.submitted[other] > scene_.done[own] || scene_.taken() == kBatches;
            });
        };
    };
    devices_[0]->onCollect = together("A", "B");
    devices_[1]->onCollect = together("B", "A");
    EXPECT_EQ(runList(*backend, kBatches), kBatches);
    EXPECT_NEAR(scene_.done["A"], 0.5 * kBatches, 1);
    EXPECT_NEAR(scene_.done["B"], 0.5 * kBatches, 1);
}

TEST_F(SeveralBackendsTest, givesADeviceThreeTimesAsFastThreeTimesAsMany) {
    const auto backend = make(2);
    constexpr int kBatches = 80;
    const auto allTaken = [&] { return scene_.taken() == kBatches; };
    // A ends three batches for each of B's, until there are no more to take.
    devices_[0]->onCollect = [&](int) {
        scene_.waitUntil([&] { return scene_.done["B"] >= scene_.done["A"] / 3 || allTaken(); });
    };
    devices_[1]->onCollect = [&](int) {
        scene_.waitUntil(
            [&] { return scene_.done["A"] >= 3 * (scene_.done["B"] + 1) || allTaken(); });
    };
    EXPECT_EQ(runList(*backend, kBatches), kBatches);
    EXPECT_NEAR(scene_.done["B"], 0.25 * kBatches, 2);
    expectEachOnce(2 * kBatches);
}

TEST_F(SeveralBackendsTest, givesTheLastTwoBatchesToTwoDevices) {
    const auto backend = make(2);
    devices_[0]->onCollect = devices_[1]->onCollect = [&](int) {
        scene_.waitUntil([&] { return scene_.submitted.size() == 2; });
    };
    const std::vector<NetworkInput> inputs = {inputOf(0), inputOf(1)};
    auto first = backend->submit(std::span(inputs).first(1), {});
    auto second = backend->submit(std::span(inputs).last(1), {});
    first->collect();
    second->collect();
    EXPECT_EQ(scene_.done["A"], 1);
    EXPECT_EQ(scene_.done["B"], 1);
}

TEST_F(SeveralBackendsTest, losesNothingAndDoublesNothing_whenADeviceIsLost) {
    for (const bool whileCollecting : {false, true}) {
        for (int lostAt = 0; lostAt < 6; ++lostAt) {
            scene_.ran.clear();
            scene_.told.clear();
            const auto backend = make(3);
            int calls = 0;
            const auto lostThen = [&](int) {
                int call = 0;
                scene_.change([&] { call = calls++; });
                if (call >= lostAt) loseDevice();
            };
            (whileCollecting ? devices_[1]->onCollect : devices_[1]->onSubmit) = lostThen;
            // The others get no further than B until then.
            scene_.done.clear();
            for (const std::size_t other : {0, 2}) {
                const std::string name = devices_[other]->description();
                devices_[other]->onCollect = [&, name](int) {
                    scene_.waitUntil([&] { return calls > std::min(scene_.done[name], lostAt); });
                };
            }
            EXPECT_EQ(runList(*backend, 60), 60) << lostAt;
            expectEachOnce(120);
            ASSERT_EQ(scene_.told.size(), 1U) << lostAt;
            EXPECT_THAT(scene_.told[0], HasSubstr("B was lost; going on with A + C"));
            EXPECT_THAT(scene_.told[0], HasSubstr("illegal address"));
            EXPECT_EQ(backend->description(), "A + C");
            EXPECT_EQ(backend->mostPending(), 12U) << "a caller may have submitted as many";
        }
    }
}

TEST_F(SeveralBackendsTest, throwsDeviceLost_whenNoneIsLeft) {
    const auto backend = make(2);
    for (ScriptedDevice* device : devices_) device->onCollect = [](int) { loseDevice(); };
    const std::vector<NetworkInput> inputs(4, inputOf(7));
    std::vector<std::unique_ptr<PendingBatch>> pending;
    for (const NetworkInput& input : inputs) pending.push_back(backend->submit({&input, 1}, {}));
    for (const auto& batch : pending) EXPECT_THROW(batch->collect(), DeviceLost);
    EXPECT_THROW(backend->submit(inputs, {})->collect(), DeviceLost);
    EXPECT_THROW(backend->reconstruct(inputs.front(), {}), DeviceLost);
    EXPECT_TRUE(scene_.ran.empty());
    EXPECT_EQ(scene_.told.size(), 1U) << "the last one's loss is the caller's to tell";
    EXPECT_EQ(backend->description(), "A + B");
}

TEST_F(SeveralBackendsTest, handsOverToTheProcessor_whenNoneIsLeft) {
    for (int lostAt = 0; lostAt < 12; ++lostAt) {
        scene_.ran.clear();
        std::atomic<int> calls = 0;
        auto devices = make(2);
        for (ScriptedDevice* device : devices_) {
            device->onCollect = [&](int) {
                if (calls++ >= lostAt) loseDevice();
            };
        }
        FallbackBackend backend(std::move(devices),
                                [&] { return std::make_unique<ScriptedDevice>("CPU", scene_); },
                                {});
        EXPECT_EQ(runList(backend, 20), 20) << lostAt;
        EXPECT_EQ(backend.description(), "CPU");
    }
}

TEST_F(SeveralBackendsTest, passesOtherFailuresToTheirBatchAlone) {
    const auto backend = make(2);
    for (ScriptedDevice* device : devices_) {
        device->onSubmit = [](int batch) {
            if (batch == 1) throw InputError({"view 0", "", "is empty", ""});
        };
        device->onCollect = [](int batch) {
            if (batch == 2) throw OutOfDeviceMemory({"GPU", "", "is full", ""}, 10, 5);
            if (batch == 3) throw std::bad_alloc();
        };
    }
    const std::vector<NetworkInput> inputs = {inputOf(0), inputOf(1), inputOf(2), inputOf(3),
                                              inputOf(4)};
    std::vector<std::unique_ptr<PendingBatch>> pending;
    for (const NetworkInput& input : inputs) pending.push_back(backend->submit({&input, 1}, {}));
    EXPECT_EQ(pending[0]->collect().size(), 1U);
    EXPECT_THROW(pending[1]->collect(), InputError);
    EXPECT_THROW(pending[2]->collect(), OutOfDeviceMemory);
    EXPECT_THROW(pending[3]->collect(), std::bad_alloc);
    EXPECT_EQ(pending[4]->collect().size(), 1U);
    EXPECT_TRUE(scene_.told.empty());
}

TEST_F(SeveralBackendsTest, refusesMoreThanMostPending_andNothingElseChanges) {
    const auto backend = make(2);
    ASSERT_EQ(backend->mostPending(), 8U);
    const NetworkInput input = inputOf(0);
    std::vector<std::unique_ptr<PendingBatch>> pending;
    for (int i = 0; i < 8; ++i) pending.push_back(backend->submit({&input, 1}, {}));
    EXPECT_THROW(backend->submit({&input, 1}, {}), InputError);
    EXPECT_EQ(pending.front()->collect().size(), 1U);
    pending.push_back(backend->submit({&input, 1}, {}));
    EXPECT_THROW(backend->submit({&input, 1}, {}), InputError);
    for (std::size_t i = 1; i < pending.size(); ++i) EXPECT_EQ(pending[i]->collect().size(), 1U);
}

TEST_F(SeveralBackendsTest, doesNotBeginABatchThatNobodyWants) {
    const auto backend = make(1);
    bool open = false;
    devices_[0]->onCollect = [&](int) { scene_.waitUntil([&] { return open; }); };
    const std::vector<NetworkInput> inputs = {inputOf(0), inputOf(1), inputOf(2), inputOf(3)};
    std::vector<std::unique_ptr<PendingBatch>> pending;
    for (const NetworkInput& input : inputs) pending.push_back(backend->submit({&input, 1}, {}));
    scene_.waitUntil([&] { return scene_.submitted["A"] > 0; });
    pending[3].reset();  // still in the queue: the device takes two
    scene_.change([&] { open = true; });
    pending[0].reset();  // in work: waited for
    pending[1]->collect();
    pending[2]->collect();
    EXPECT_EQ(scene_.done["A"], 3);
    EXPECT_FALSE(scene_.ran.contains(3));
}

TEST_F(SeveralBackendsTest, runsOtherCallsOnAFreeDevice_inTheCallersThread) {
    const auto backend = make(2);
    bool open = false;
    for (ScriptedDevice* device : devices_) {
        device->onCollect = [&](int) { scene_.waitUntil([&] { return open; }); };
    }
    const NetworkInput busy = inputOf(1);
    auto pending = backend->submit({&busy, 1}, {});
    scene_.waitUntil([&] { return scene_.taken() == 1; });
    RunOptions options;
    std::thread::id thread;
    options.probe = [&](std::string_view, std::span<const float>, std::span<const std::size_t>) {
        thread = std::this_thread::get_id();
    };
    EXPECT_EQ(backend->reconstruct(inputOf(5), options).refined, Points{glm::vec3(5)});
    EXPECT_EQ(thread, std::this_thread::get_id());
    EXPECT_NO_THROW(backend->nearest({}));
    scene_.change([&] { open = true; });
    pending->collect();
    EXPECT_NE(scene_.ran[5], scene_.ran[1]);
}

TEST_F(SeveralBackendsTest, runsOtherCallsElsewhere_whenTheirDeviceIsLost) {
    const auto backend = make(3);
    devices_[0]->onCall = devices_[1]->onCall = [](int) { loseDevice(); };
    EXPECT_EQ(backend->reconstruct(inputOf(5), {}).refined, Points{glm::vec3(5)});
    EXPECT_EQ(scene_.ran[5], std::vector<std::string>{"C"});
    EXPECT_EQ(backend->description(), "C");
    EXPECT_EQ(runList(*backend, 5), 5);
    devices_[2]->onCall = [](int) { loseDevice(); };
    EXPECT_THROW(backend->nearest({}), DeviceLost);
}

TEST_F(SeveralBackendsTest, tellsOfAllDevices) {
    const auto backend = make(2);
    EXPECT_EQ(backend->description(), "A + B");
    EXPECT_EQ(backend->precision(), Precision::float16);
    EXPECT_EQ(backend->model().hash, "model");
    EXPECT_EQ(backend->largestBatch(), 64U);
    EXPECT_EQ(backend->memoryUse()->before, 200U);
    EXPECT_EQ(backend->memoryUse()->peak, 40U);
    EXPECT_EQ(backend->memoryUse()->peakPool, 6U);
    // A device with less memory, as of its next batch.
    devices_[1]->largest = 8;
    runList(*backend, 20);
    EXPECT_EQ(backend->largestBatch(), scene_.done["B"] > 0 ? 8U : 64U);

    std::vector<std::unique_ptr<Backend>> alike;
    for (int i = 0; i < 2; ++i) alike.push_back(std::make_unique<ScriptedDevice>("GPU", scene_));
    alike.push_back(std::make_unique<ScriptedDevice>("small GPU", scene_));
    EXPECT_EQ(SeveralBackends(std::move(alike)).description(), "2 × GPU + small GPU");
}

TEST_F(SeveralBackendsTest, refusesToBeMade_ofNoneOrOfDifferentOnes) {
    EXPECT_THROW(SeveralBackends({}), InputError);
    std::vector<std::unique_ptr<Backend>> none(2);
    EXPECT_THROW(SeveralBackends(std::move(none)), InputError);
    for (const bool otherModel : {false, true}) {
        std::vector<std::unique_ptr<Backend>> devices;
        devices.push_back(std::make_unique<ScriptedDevice>("A", scene_));
        auto other = std::make_unique<ScriptedDevice>("B", scene_);
        if (otherModel) {
            other->model_.hash = "other";
        } else {
            other->precision_ = Precision::float32;
        }
        devices.push_back(std::move(other));
        EXPECT_THROW(SeveralBackends(std::move(devices)), InputError);
    }
}

}  // namespace
}  // namespace threefold
