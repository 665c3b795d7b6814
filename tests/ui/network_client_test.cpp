#include "ui/run/network_client.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "engine/sample/view_candidates.h"
#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

using namespace std::chrono_literals;

// Collects the signals of NetworkClient, on the network's thread. Must outlive the NetworkClient,
// which signals until its destructor returns.
class Listener {
  public:
    void listenTo(NetworkClient& client) {
        const auto direct = Qt::DirectConnection;
        QObject::connect(
            &client, &NetworkClient::finished, &client,
            [this](quint64 id, const ResultRef& result) { note(id, "finished", result); }, direct);
        QObject::connect(
            &client, &NetworkClient::cancelled, &client,
            [this](quint64 id) { note(id, "cancelled"); }, direct);
        QObject::connect(
            &client, &NetworkClient::failed, &client,
            [this](quint64 id, const ErrorReport& report) {
                note(id, "failed: " + report.problem);
            },
            direct);
        QObject::connect(
            &client, &NetworkClient::progressed, &client,
            [this](quint64, const Progress& progress) {
                const std::scoped_lock lock(mutex_);
                steps_.push_back(progress.step);
                changed_.notify_all();
            },
            direct);
        QObject::connect(
            &client, &NetworkClient::networkReady, &client,
            [this](const NetworkDescription& info) {
                const std::scoped_lock lock(mutex_);
                info_ = info;
            },
            direct);
        QObject::connect(
            &client, &NetworkClient::deviceReplaced, &client,
            [this](const ErrorReport& report) {
                const std::scoped_lock lock(mutex_);
                takeovers_.push_back(report.subject + ": " + report.problem);
            },
            direct);
    }

    // Waits up to 30 s for the end of request `id`. Returns "finished", "cancelled" or "failed: …",
    // or "nothing" if the request has not ended.
    std::string endOf(NetworkClient::Id id) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, 30s, [&] { return ends_.count(id) > 0; });
        return ends_.count(id) > 0 ? ends_[id] : "nothing";
    }
    bool waitForStep(RunStep step) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, 30s, [&] {
            return std::find(steps_.begin(), steps_.end(), step) != steps_.end();
        });
    }
    std::vector<NetworkClient::Id> order() {
        const std::scoped_lock lock(mutex_);
        return order_;
    }
    std::vector<RunStep> steps() {
        const std::scoped_lock lock(mutex_);
        return steps_;
    }
    std::vector<std::string> takeovers() {
        const std::scoped_lock lock(mutex_);
        return takeovers_;
    }
    NetworkDescription info() {
        const std::scoped_lock lock(mutex_);
        return info_;
    }
    ResultRef result() {
        const std::scoped_lock lock(mutex_);
        return result_;
    }

  private:
    void note(NetworkClient::Id id, const std::string& end, ResultRef result = nullptr) {
        const std::scoped_lock lock(mutex_);
        ends_[id] += end;  // appended, so that tests see a second end
        order_.push_back(id);
        if (result) result_ = std::move(result);
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<NetworkClient::Id, std::string> ends_;
    std::vector<NetworkClient::Id> order_;
    std::vector<RunStep> steps_;
    std::vector<std::string> takeovers_;
    NetworkDescription info_;
    ResultRef result_;
};

struct Bench {
    Bench() { listener.listenTo(client); }

    std::shared_ptr<test::FakeBehaviour> behaviour = std::make_shared<test::FakeBehaviour>();
    Listener listener;
    NetworkClient client{[b = behaviour] { return test::fakeDevices(b); }};
};

Request open(const std::filesystem::path& location, const std::vector<int>& views = {}) {
    return {location, views};
}

TEST(NetworkClient, findsReconstructsAndMeasures_aSample) {
    Bench bench;
    const auto id = bench.client.post(open(test::bundledSampleFolder()));
    ASSERT_EQ(bench.listener.endOf(id), "finished");
    const ResultRef result = bench.listener.result();
    EXPECT_EQ(result->views, suggestedViews(*result->sample));
    EXPECT_NE(result->views, kPublishedViews);
    EXPECT_TRUE(result->evaluation());
    EXPECT_EQ(result->reconstruction.network.timings.front().step, RunStep::load);
    EXPECT_EQ(bench.listener.info().modelName, "fake.safetensors");
    EXPECT_EQ(bench.listener.steps().front(), RunStep::load);
}

TEST(NetworkClient, opensTheSample_whenGivenItsTruthFile) {
    Bench bench;
    const auto id = bench.client.post(
        open(std::filesystem::path(THREEFOLD_RESOURCES) / "samples/gt/03001627_p0001_00.dat"));
    ASSERT_EQ(bench.listener.endOf(id), "finished");
    EXPECT_EQ(bench.listener.result()->sample->category, "03001627");
    EXPECT_TRUE(bench.listener.result()->evaluation());
}

TEST(NetworkClient, servesTheNewestRequest_andEndsEachOnceInOrder) {
    Bench bench;
    bench.behaviour->stageMilliseconds = 2000;
    const auto first = bench.client.post(open(test::bundledSampleFolder()));
    ASSERT_TRUE(bench.listener.waitForStep(RunStep::preprocess));
    const auto second = bench.client.post(open(test::bundledSampleFolder()));
    const auto third = bench.client.post(open(test::bundledSampleFolder()));
    bench.behaviour->stageMilliseconds = 1;
    const auto last = bench.client.post(open(test::bundledSampleFolder("03001627")));
    EXPECT_EQ(bench.listener.endOf(last), "finished");
    EXPECT_EQ(bench.listener.endOf(first), "cancelled");
    EXPECT_EQ(bench.listener.endOf(second), "cancelled");
    EXPECT_EQ(bench.listener.endOf(third), "cancelled");
    EXPECT_EQ(bench.listener.order(), (std::vector<NetworkClient::Id>{first, second, third, last}));
    EXPECT_EQ(bench.behaviour->completed, 1);
    EXPECT_EQ(bench.listener.result()->sample->category, "03001627");
}

TEST(NetworkClient, servesANewRequest_afterCancelling) {
    Bench bench;
    bench.behaviour->stageMilliseconds = 100000;
    const auto id = bench.client.post(open(test::bundledSampleFolder()));
    ASSERT_TRUE(bench.listener.waitForStep(RunStep::preprocess));
    bench.client.cancel();
    EXPECT_EQ(bench.listener.endOf(id), "cancelled");
    bench.behaviour->stageMilliseconds = 1;
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
}

TEST(NetworkClient, endsCleanly_whenDestroyedWhileRunning) {
    auto behaviour = std::make_shared<test::FakeBehaviour>();
    behaviour->stageMilliseconds = 100000;
    Listener listener;
    {
        NetworkClient client(
            [behaviour] { return oneDevice(std::make_unique<test::FakeBackend>(behaviour)); });
        listener.listenTo(client);
        client.post(open(test::bundledSampleFolder()));
        ASSERT_TRUE(listener.waitForStep(RunStep::preprocess));
    }
    EXPECT_EQ(listener.endOf(1), "cancelled");
    EXPECT_EQ(behaviour->completed, 0);
}

TEST(NetworkClient, servesANewRequest_afterReportingAFailure) {
    Bench bench;
    const auto missing = bench.client.post(open("/nonexistent/item"));
    EXPECT_EQ(bench.listener.endOf(missing).rfind("failed: ", 0), 0U);
    bench.behaviour->failNext = true;
    const auto failing = bench.client.post(open(test::bundledSampleFolder()));
    EXPECT_EQ(bench.listener.endOf(failing), "failed: FakeBackend was told to fail");
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
}

TEST(NetworkClient, reportsAViewThatDoesNotExist) {
    Bench bench;
    const auto id = bench.client.post(open(test::bundledSampleFolder(), {0, 99}));
    EXPECT_EQ(bench.listener.endOf(id),
              "failed: does not exist: the sample has 24 views, counted from 0");
    EXPECT_EQ(bench.behaviour->runs, 0);
}

TEST(NetworkClient, reportsABrokenView) {
    const threefold::test::TempFolder folder;
    Bench bench;
    const auto sample = test::sampleWithBrokenView(folder, 6);
    const auto id = bench.client.post(open(sample, kPublishedViews));
    EXPECT_EQ(bench.listener.endOf(id).rfind("failed: ", 0), 0U);
    EXPECT_EQ(bench.behaviour->runs, 0);
    // Without requested views, readable views are chosen.
    const auto other = bench.client.post(open(sample));
    EXPECT_EQ(bench.listener.endOf(other), "finished");
}

TEST(NetworkClient, reportsTheFallbackOnce_whenTheDeviceIsLost) {
    Bench bench;
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
    EXPECT_TRUE(bench.listener.takeovers().empty());
    bench.behaviour->lost = true;
    for (int run = 0; run < 2; ++run) {
        EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
                  "finished");
    }
    EXPECT_EQ(
        bench.listener.takeovers(),
        std::vector<std::string>{"Fake · no threads: was lost; Spare · no threads has taken over"});
    EXPECT_EQ(bench.listener.info().description, "Spare · no threads");
}

TEST(NetworkClient, retriesTheBackend_whenItCouldNotBeMade) {
    auto behaviour = std::make_shared<test::FakeBehaviour>();
    int attempts = 0;
    Listener listener;
    NetworkClient client([&attempts, behaviour] {
        if (++attempts == 1) throw ModelError({"m.safetensors", "", "is missing", ""});
        return oneDevice(std::make_unique<test::FakeBackend>(behaviour));
    });
    listener.listenTo(client);
    EXPECT_EQ(listener.endOf(client.post(open(test::bundledSampleFolder()))), "failed: is missing");
    EXPECT_EQ(listener.endOf(client.post(open(test::bundledSampleFolder()))), "finished");
}

TEST(NetworkClient, changesTheBackend_andKeepsItWhenTheNextFails) {
    Bench bench;
    auto other = std::make_shared<test::FakeBehaviour>();
    std::promise<void> refused;
    QObject::connect(
        &bench.client, &NetworkClient::networkRejected, &bench.client,
        [&](const ErrorReport& report) {
            EXPECT_EQ(report.problem, "is missing");
            refused.set_value();
        },
        Qt::DirectConnection);
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
    const int before = bench.behaviour->runs;
    bench.client.useNetwork(
        [other] { return oneDevice(std::make_unique<test::FakeBackend>(other)); });
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
    EXPECT_EQ(other->completed, 1);
    bench.client.useNetwork([]() -> NetworkDevices {
        throw ModelError({"m.safetensors", "", "is missing", ""});
    });
    refused.get_future().wait();
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
    EXPECT_EQ(other->completed, 2);
    EXPECT_EQ(bench.behaviour->runs, before);
}

TEST(NetworkClient, interruptsTheBackgroundTaskForARequest_andRepeatsIt) {
    Bench bench;
    std::atomic<int> calls = 0;
    std::atomic<bool> done = false;
    bench.client.postBackground({[&](Backend&, const std::stop_token& yield) {
                                     if (++calls > 1) {
                                         done = true;
                                         return;
                                     }
                                     while (!yield.stop_requested()) std::this_thread::yield();
                                     throw Cancelled();
                                 },
                                 [](const ErrorReport&) { ADD_FAILURE(); }});
    while (calls == 0) std::this_thread::yield();
    EXPECT_EQ(bench.client.queueDepth(), 1U);
    EXPECT_EQ(bench.listener.endOf(bench.client.post(open(test::bundledSampleFolder()))),
              "finished");
    while (!done) std::this_thread::yield();
    EXPECT_EQ(calls, 2);
}

TEST(NetworkClient, passesFailures_toTheBackgroundTask) {
    Bench bench;
    std::promise<std::string> problem;
    bench.client.postBackground(
        {[](Backend&, const std::stop_token&) {
             throw InputError({"item", "", "is bad", ""});
         },
         [&](const ErrorReport& report) { problem.set_value(report.problem); }});
    EXPECT_EQ(problem.get_future().get(), "is bad");
}

TEST(NetworkClient, dropsTheBackgroundTask_whenDestroyed) {
    std::atomic<int> calls = 0;
    {
        Bench bench;
        for (int task = 0; task < 100; ++task) {
            bench.client.postBackground({[&](Backend&, const std::stop_token& yield) {
                                             ++calls;
                                             while (!yield.stop_requested()) {
                                                 std::this_thread::yield();
                                             }
                                             throw Cancelled();
                                         },
                                         [](const ErrorReport&) { ADD_FAILURE(); }});
        }
        while (calls == 0) std::this_thread::yield();
    }
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace threefold::ui
