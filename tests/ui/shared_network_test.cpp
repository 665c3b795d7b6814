#include "ui/run/shared_network.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

class SharedNetworkTest : public testing::Test {
  protected:
    SharedNetworkTest()
        : worker_(std::make_unique<Worker>(
              [behaviour = behaviour_] { return std::make_unique<test::FakeBackend>(behaviour); })),
          link_(std::make_shared<WorkerLink>(*worker_)) {}

    static NetworkInput input() {
        NetworkInput input;
        input.images.resize(3);
        input.cameras.resize(3);
        return input;
    }
    static void waitUntil(const std::function<bool()>& done) {
        while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    std::shared_ptr<test::FakeBehaviour> behaviour_ = std::make_shared<test::FakeBehaviour>();
    std::unique_ptr<Worker> worker_;
    std::shared_ptr<WorkerLink> link_;
};

TEST_F(SharedNetworkTest, isTheWorkersBackend) {
    std::string seen;
    SharedNetwork network(link_, {}, [&](const Backend& backend) { seen = backend.description(); });
    EXPECT_EQ(seen, "Fake · no threads");
    EXPECT_EQ(network.description(), seen);
    EXPECT_EQ(network.model().hash, "0123456789abcdef");
    EXPECT_FALSE(network.reconstruct(input(), {}).refined.empty());
    const std::vector<NetworkInput> two{input(), input()};
    EXPECT_EQ(network.reconstructBatch(two, {}).size(), 2U);
    EXPECT_EQ(network.depth(), 0U);
    behaviour_->lost = true;
    network.reconstruct(input(), {});
    EXPECT_EQ(network.description(), "Spare · no threads");
}

TEST_F(SharedNetworkTest, throwsWhatTheBackendThrows_inItsType) {
    SharedNetwork network(link_, {}, [](const Backend&) {});
    behaviour_->failNext = true;
    EXPECT_THROW(network.reconstruct(input(), {}), InputError);
    EXPECT_FALSE(network.reconstruct(input(), {}).refined.empty());
}

TEST_F(SharedNetworkTest, isDoneAgain_afterARequestThatCameMeanwhile) {
    SharedNetwork network(link_, {}, [](const Backend&) {});
    behaviour_->stageMilliseconds = 30;
    auto result = std::async([&] { return network.reconstruct(input(), {}); });
    waitUntil([&] { return behaviour_->runs == 1; });
    EXPECT_EQ(network.depth(), 1U);
    worker_->post({test::bundledSample(), {}, {0, 6, 7}});
    EXPECT_FALSE(result.get().refined.empty());
    EXPECT_EQ(behaviour_->runs, 3);
    EXPECT_EQ(behaviour_->completed, 2);
    EXPECT_GT(network.waited(), 0);
}

TEST_F(SharedNetworkTest, isNotInterrupted_whereTheListIsOwedItsTurn) {
    Worker worker([this] { return std::make_unique<test::FakeBackend>(behaviour_); }, {},
                  {.patience = {}});
    SharedNetwork network(std::make_shared<WorkerLink>(worker), {}, [](const Backend&) {});
    behaviour_->stageMilliseconds = 30;
    auto result = std::async([&] { return network.reconstruct(input(), {}); });
    waitUntil([&] { return behaviour_->runs == 1; });
    worker.post({test::bundledSample(), {}, {0, 6, 7}});
    EXPECT_FALSE(result.get().refined.empty());
    waitUntil([&] { return behaviour_->completed == 2; });
    EXPECT_EQ(behaviour_->runs, 2);
}

TEST_F(SharedNetworkTest, endsAtOnce_whenItIsCancelled) {
    SharedNetwork network(link_, {}, [](const Backend&) {});
    behaviour_->stageMilliseconds = 1000;
    std::stop_source stop;
    RunOptions options;
    options.cancel = stop.get_token();
    auto result = std::async([&] { return network.reconstruct(input(), options); });
    waitUntil([&] { return behaviour_->runs == 1; });
    stop.request_stop();
    EXPECT_THROW(result.get(), Cancelled);
    EXPECT_EQ(behaviour_->completed, 0);
    EXPECT_THROW(network.reconstruct(input(), options), Cancelled);
    EXPECT_EQ(behaviour_->runs, 1);
}

TEST_F(SharedNetworkTest, endsWithTheWorker_whetherItRunsOrWaits) {
    SharedNetwork running(link_, {}, [](const Backend&) {});
    SharedNetwork waiting(link_, {}, [](const Backend&) {});
    behaviour_->stageMilliseconds = 1000;
    auto first = std::async([&] { return running.reconstruct(input(), {}); });
    waitUntil([&] { return behaviour_->runs == 1; });
    auto second = std::async([&] { return waiting.reconstruct(input(), {}); });
    waitUntil([&] { return worker_->queueDepth() == 2; });
    worker_.reset();
    EXPECT_THROW(first.get(), Cancelled);
    EXPECT_THROW(second.get(), Cancelled);
    link_->cut();
    EXPECT_THROW(running.reconstruct(input(), {}), Cancelled);
}

TEST_F(SharedNetworkTest, computesNothing_forWhatNobodyCollects) {
    SharedNetwork network(link_, {}, [](const Backend&) {});
    std::stop_source stop;
    RunOptions options;
    options.cancel = stop.get_token();
    network.submit(std::vector{input(), input()}, {});
    auto cancelled = network.submit(std::vector{input()}, options);
    EXPECT_EQ(network.depth(), 1U);
    stop.request_stop();
    EXPECT_THROW(cancelled->collect(), Cancelled);
    cancelled.reset();
    waitUntil([&] { return worker_->queueDepth() == 0; });
    EXPECT_EQ(behaviour_->runs, 0);
    EXPECT_EQ(network.depth(), 0U);
}

/// Computes batches as a device does: they begin as they are submitted, and cannot be taken back.
class DeviceBackend : public test::FakeBackend {
  public:
    struct Journal {
        void note(const std::string& what) {
            const std::scoped_lock lock(mutex);
            lines.push_back(what);
        }
        std::vector<std::string> read() {
            const std::scoped_lock lock(mutex);
            return lines;
        }
        std::mutex mutex;
        std::vector<std::string> lines;
        std::atomic<bool> held = false;  ///< no batch ends
    };

    DeviceBackend(std::shared_ptr<test::FakeBehaviour> behaviour, std::shared_ptr<Journal> journal)
        : FakeBackend(std::move(behaviour)), journal_(std::move(journal)) {}

    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override {
        journal_->note("click");
        return FakeBackend::reconstruct(input, options);
    }
    std::size_t largestBatch() const override { return 4; }
    std::unique_ptr<PendingBatch> submit(std::span<const NetworkInput> inputs,
                                         const RunOptions&) override {
        std::string name;
        for (const NetworkInput& input : inputs) {
            // The first image's width names the sample; 0: the device refuses it.
            name += std::to_string(input.images.front().width);
        }
        journal_->note("submit " + name);
        if (name.find('0') != std::string::npos) throw InputError({"sample", "", "is bad", ""});
        return std::make_unique<Pending>(*this, inputs, name);
    }

  private:
    class Pending : public PendingBatch {
      public:
        Pending(DeviceBackend& owner, std::span<const NetworkInput> inputs, std::string name)
            : owner_(owner), inputs_(inputs), name_(std::move(name)) {}
        std::vector<Reconstruction> collect() override {
            while (owner_.journal_->held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            owner_.journal_->note("collect " + name_);
            std::vector<Reconstruction> results;
            for (const NetworkInput& input : inputs_) {
                // So that a result tells whose it is.
                results.emplace_back().wallMilliseconds = input.images.front().width;
            }
            return results;
        }

      private:
        DeviceBackend& owner_;
        std::span<const NetworkInput> inputs_;
        std::string name_;
    };

    std::shared_ptr<Journal> journal_;
};

class SharedDeviceTest : public SharedNetworkTest {
  protected:
    static NetworkInput named(int name, std::size_t views = 3) {
        NetworkInput input;
        input.images.resize(views);
        input.cameras.resize(views);
        input.images.front().width = name;
        return input;
    }
    static std::vector<int> namesOf(const std::vector<Reconstruction>& results) {
        std::vector<int> names;
        for (const Reconstruction& result : results)
            names.push_back(static_cast<int>(result.wallMilliseconds));
        return names;
    }
    bool told(const std::string& line) {
        const auto lines = journal_->read();
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    }

    std::shared_ptr<DeviceBackend::Journal> journal_ = std::make_shared<DeviceBackend::Journal>();
    BatchRules rules_{.timeOut = std::chrono::hours(1)};  // nothing here is left to the clock
    Worker device_{
        [this] { return std::make_unique<DeviceBackend>(behaviour_, journal_); }, {}, rules_};
    SharedNetwork network_{std::make_shared<WorkerLink>(device_), {}, [](const Backend&) {}};
    SharedNetwork other_{std::make_shared<WorkerLink>(device_), {}, [](const Backend&) {}};
};

TEST_F(SharedDeviceTest, submitsTheNextBatch_beforeItCollectsTheOneBefore) {
    const std::vector<NetworkInput> first{named(1), named(2)};
    const std::vector<NetworkInput> second{named(3), named(4)};
    EXPECT_EQ(network_.mostPending(), 2U);
    EXPECT_EQ(network_.largestBatch(), 4U);
    auto one = network_.submit(first, {});
    auto two = network_.submit(second, {});
    EXPECT_THAT(namesOf(one->collect()), testing::ElementsAre(1, 2));
    auto three = network_.submit(first, {});
    EXPECT_THAT(namesOf(two->collect()), testing::ElementsAre(3, 4));
    EXPECT_THAT(namesOf(three->collect()), testing::ElementsAre(1, 2));
    EXPECT_THAT(journal_->read(), testing::ElementsAre("submit 12", "submit 34", "collect 12",
                                                       "submit 12", "collect 34", "collect 12"));
}

TEST_F(SharedDeviceTest, beginsAClick_beforeAnyFurtherBatch) {
    const std::vector<NetworkInput> inputs{named(1), named(2)};
    auto one = network_.submit(inputs, {});
    waitUntil([&] { return told("submit 12"); });
    journal_->held = true;
    auto first = std::async([&] { return one->collect(); });
    const Worker::Id click = device_.post({test::bundledSample(), {}, {0, 6, 7}});
    EXPECT_EQ(click, 1U);
    const std::vector<NetworkInput> later{named(3), named(4)};
    auto two = network_.submit(later, {});
    auto three = network_.submit(later, {});
    journal_->held = false;
    EXPECT_EQ(first.get().size(), 2U);
    EXPECT_EQ(two->collect().size(), 2U);
    EXPECT_EQ(three->collect().size(), 2U);
    const auto lines = journal_->read();
    const auto clicked = std::find(lines.begin(), lines.end(), "click");
    const auto next = std::find(lines.begin(), lines.end(), "submit 34");
    EXPECT_LT(clicked - lines.begin(), next - lines.begin());
}

TEST_F(SharedDeviceTest, computesTogether_whatHasEqualNumbersOfViews) {
    const std::vector<NetworkInput> mixed{named(1, 3), named(2, 5), named(3, 3), named(4, 5)};
    auto one = network_.submit(mixed, {});
    auto two = network_.submit(std::vector{named(5, 3), named(6, 3), named(7, 5), named(8, 5)}, {});
    EXPECT_THAT(namesOf(one->collect()), testing::ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(namesOf(two->collect()), testing::ElementsAre(5, 6, 7, 8));
    EXPECT_TRUE(told("submit 1356"));
    EXPECT_TRUE(told("submit 2478"));
}

TEST_F(SharedDeviceTest, failsOnlyTheCallWhoseSampleIsBad_whenTwoListsShareABatch) {
    // The batch of four is not full until both lists have given it two.
    journal_->held = true;
    const std::vector<NetworkInput> four{named(1), named(2), named(3), named(4)};
    auto before = network_.submit(four, {});
    auto held = std::async([&] { return before->collect(); });
    waitUntil([&] { return told("submit 1234"); });
    auto bad = network_.submit(std::vector{named(5, 5), named(0, 7), named(6, 7), named(7, 5)}, {});
    auto good = other_.submit(std::vector{named(8, 5), named(9, 7), named(1, 7), named(2, 5)}, {});
    journal_->held = false;
    EXPECT_EQ(held.get().size(), 4U);
    EXPECT_THROW(bad->collect(), InputError);
    EXPECT_THAT(namesOf(good->collect()), testing::ElementsAre(8, 9, 1, 2));
    EXPECT_TRUE(told("submit 5782"));
    EXPECT_TRUE(told("submit 0691"));  // refused
    EXPECT_TRUE(told("submit 9"));
    EXPECT_TRUE(told("submit 1"));
}

TEST_F(SharedNetworkTest, throwsWhatMakingTheBackendThrew) {
    Worker failing([]() -> std::unique_ptr<Backend> {
        throw DeviceError({"model", "", "is not there", ""});
    });
    EXPECT_THROW(SharedNetwork(std::make_shared<WorkerLink>(failing), {}, [](const Backend&) {}),
                 Error);
}

}  // namespace
}  // namespace threefold::ui
