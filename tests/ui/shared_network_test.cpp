#include "ui/run/shared_network.h"

#include <atomic>
#include <future>
#include <memory>
#include <stop_token>
#include <thread>

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

TEST_F(SharedNetworkTest, throwsWhatMakingTheBackendThrew) {
    Worker failing([]() -> std::unique_ptr<Backend> {
        throw DeviceError({"model", "", "is not there", ""});
    });
    EXPECT_THROW(SharedNetwork(std::make_shared<WorkerLink>(failing), {}, [](const Backend&) {}),
                 Error);
}

}  // namespace
}  // namespace threefold::ui
