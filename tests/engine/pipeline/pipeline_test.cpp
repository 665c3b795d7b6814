#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/devices/device_error.h"
#include "engine/error.h"
#include "tests/engine/evaluation/fake_backend.h"
#include "tests/support/borrowed_device.h"

namespace threefold::test {
namespace {

/// Back end that runs batches asynchronously, as a GPU does, and records its calls. A sample's
/// number is the first byte of its image.
class OverlappingBackend : public FakeBackend {
  public:
    void begin(std::span<const NetworkInput> inputs, const BatchOptions& options) override {
        const int first = inputs.front().images.front().rgba.front();
        journal.push_back("submit " + std::to_string(first));
        if (onSubmit) onSubmit(first);
        wereStepsTimed.push_back(options.wantTimings);
        begun_.push_back({inputs, options, std::to_string(first)});
        mostBegun = std::max(mostBegun, begun_.size());
    }

    std::vector<Reconstruction> finish() override {
        const Begun oldest = std::move(begun_.front());
        begun_.pop_front();
        journal.push_back("collect " + oldest.name);
        std::vector<Reconstruction> results;
        for (const NetworkInput& input : oldest.inputs) {
            if (onReconstruct) onReconstruct(input.images.front().rgba.front());
            results.push_back(compute(input, oldest.options));
        }
        return results;
    }

    std::size_t maxBatchSize() const override { return 8; }
    std::size_t maxUnfinishedBatches() const override { return kMaxUnfinishedBatches; }

    std::vector<std::string> journal;
    std::function<void(int first)> onSubmit;
    std::function<void(int sample)> onReconstruct;
    std::size_t mostBegun = 0;
    std::vector<bool> wereStepsTimed;  ///< for each batch
    std::size_t begun() const { return begun_.size(); }

  private:
    struct Begun {
        std::span<const NetworkInput> inputs;
        BatchOptions options;
        std::string name;
    };

    std::deque<Begun> begun_;
};

constexpr double kNever = 20'000;  ///< milliseconds; longer than any test waits

class PipelineTest : public testing::Test {
  protected:
    /// Runs `count` samples and checks that each is stored at most once. The network refuses the
    /// samples in `refused`.
    std::vector<FinishedSample> run(std::size_t count, std::size_t batch,
                                    const std::set<std::size_t>& refused = {}) {
        std::vector<FinishedSample> stored(count);
        PipelineCallbacks parts;
        parts.load = [&](std::size_t position, SampleRecord& record) {
            record.listedName = std::to_string(position);
            if (onLoad_) onLoad_(position);
            const auto first = refused.contains(position) ? FakeBackend::kRefused : position;
            LoadedSample loaded;
            loaded.input.images = {{1, 1, std::vector<std::uint8_t>(4, first)}};
            loaded.input.cameras = {Camera::fromRow({0, 0, 0, 1, 25})};
            return loaded;
        };
        parts.finish = [&](const ComputedSample& computed, SampleRecord& record,
                           PipelineStepTimer& timer) {
            const auto step = timer.step(PipelineStep::measure);
            if (onMeasure_) onMeasure_(record);
            if (onFinish_) onFinish_(computed.position);
        };
        parts.store = [&](std::span<const FinishedSample> samples) {
            for (const FinishedSample& each : samples) {
                if (onStore_) onStore_(each.position);
                EXPECT_EQ(stored.at(each.position).record.listedName, "") << "stored twice";
                stored[each.position] = each;
                ++storedCount_;
            }
        };
        parts.onBatchCollected = check_;
        options_.batch = batch;
        options_.cancel = cancel_.get_token();
        NetworkOn network(backend_);
        runPipeline(network, count, parts, options_, &report_);
        return stored;
    }

    OverlappingBackend backend_;
    PipelineOptions options_;
    PipelineReport report_;
    std::function<void()> check_;
    std::function<void(std::size_t position)> onLoad_;
    std::function<void(SampleRecord& record)> onMeasure_;
    std::function<void(std::size_t position)> onFinish_;
    std::function<void(std::size_t position)> onStore_;
    std::stop_source cancel_;
    std::size_t storedCount_ = 0;
};

TEST_F(PipelineTest, timesTheRunSteps_ofEveryNthBatch) {
    options_.timedBatchInterval = 3;
    run(7, 1);
    EXPECT_EQ(backend_.wereStepsTimed,
              (std::vector<bool>{true, false, false, true, false, false, true}));
    backend_.wereStepsTimed.clear();
    options_.warmUpRuns = 2;
    run(2, 1);
    EXPECT_EQ(backend_.wereStepsTimed, (std::vector<bool>{true, false, true, false}));
    backend_.wereStepsTimed.clear();
    options_.timedBatchInterval = 0;
    run(2, 1);
    EXPECT_EQ(backend_.wereStepsTimed, std::vector<bool>(4, false));
}

TEST_F(PipelineTest, warmsUpBatchesWithStepTimesAndWithout_whenOneRunIsAsked) {
    options_.warmUpRuns = 1;
    options_.timedBatchInterval = 3;
    run(2, 1);
    EXPECT_EQ(backend_.wereStepsTimed, (std::vector<bool>{true, false, true, false}));
    backend_.wereStepsTimed.clear();
    options_.timedBatchInterval = 1;
    run(2, 1);
    EXPECT_EQ(backend_.wereStepsTimed, std::vector<bool>(3, true));
}

TEST_F(PipelineTest, beginsTheNextBatch_beforeItWaitsForTheOneBefore) {
    constexpr std::size_t kCount = 8;
    backend_.onReconstruct = [](int) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    };
    for (const FinishedSample& each : run(kCount, 1))
        EXPECT_TRUE(each.record.succeeded()) << each.record.error;
    const auto position = [&](const std::string& line) {
        return std::ranges::find(backend_.journal, line) - backend_.journal.begin();
    };
    // From batch 4 on, the loader is ahead.
    for (std::size_t batch = 4; batch + 1 < kCount; ++batch)
        EXPECT_LT(position("submit " + std::to_string(batch + 1)),
                  position("collect " + std::to_string(batch)));
    EXPECT_EQ(backend_.mostBegun, kMaxUnfinishedBatches);
    EXPECT_EQ(backend_.journal.size(), 2 * kCount);
}

TEST_F(PipelineTest, retriesSamplesSingly_whenTheirBatchIsRefused) {
    backend_.onSubmit = [refused = false](int first) mutable {
        if (first == 2 && !std::exchange(refused, true))
            throw InputError({"batch", "", "is refused", ""});
    };
    options_.maxWaitMilliseconds = kNever;
    for (const FinishedSample& each : run(6, 2))
        EXPECT_TRUE(each.record.succeeded()) << each.record.error;
}

TEST_F(PipelineTest, dropsPendingBatches_whenCancelled) {
    backend_.onSubmit = [&](int first) {
        if (first == 2) cancel_.request_stop();
    };
    EXPECT_THROW(run(20, 1), Cancelled);
    EXPECT_EQ(backend_.begun(), 0U);
    EXPECT_LE(storedCount_, 2U);
}

TEST_F(PipelineTest, dropsPendingBatches_whenTheBackendFails) {
    backend_.onSubmit = [](int first) {
        if (first == 3) throw DeviceError({"GPU", "", "fails", ""});
    };
    EXPECT_THROW(run(20, 1), DeviceError);
    EXPECT_EQ(backend_.begun(), 0U);
    EXPECT_LE(storedCount_, 3U);
}

/// The modes that `bench pipeline` compares.
class PipelineInEveryMode : public PipelineTest, public testing::WithParamInterface<const char*> {
  protected:
    void SetUp() override {
        options_.isSequential = GetParam() == std::string("simple");
        if (GetParam() == std::string("overlapped")) options_.loaders = options_.finishers = 1;
        options_.usesGpu = true;
    }
};

TEST_P(PipelineInEveryMode, storesEachSampleOnce) {
    for (const std::size_t count : {0, 1, 7, 200}) {
        for (const std::size_t batch : {0, 1, 3}) {
            storedCount_ = 0;
            for (const FinishedSample& each : run(count, batch))
                EXPECT_TRUE(each.record.succeeded()) << each.record.error;
            EXPECT_EQ(storedCount_, count);
            EXPECT_EQ(report_.samples, count);
            EXPECT_EQ(report_.failed, 0U);
            for (const PipelineStep step : {PipelineStep::load, PipelineStep::network,
                                            PipelineStep::measure, PipelineStep::store})
                EXPECT_EQ(report_.of(step).samples, count) << pipelineStepName(step);
        }
    }
}

TEST_P(PipelineInEveryMode, failsOnlyOneSample_whenAnyStepFails) {
    onLoad_ = [](std::size_t position) {
        if (position == 2) throw FormatError({"2", "", "is damaged", ""});
        if (position == 3) throw std::bad_alloc();
    };
    onFinish_ = [](std::size_t position) {
        if (position == 4) throw InputError({"4", "", "cannot be measured", ""});
        if (position == 5) throw std::bad_alloc();
    };
    const std::vector<FinishedSample> samples = run(9, 3, {1, 8});
    const std::set<std::size_t> failing{1, 2, 3, 4, 5, 8};
    for (const FinishedSample& each : samples)
        EXPECT_EQ(each.record.succeeded(), !failing.contains(each.position))
            << each.position << each.record.error;
    EXPECT_EQ(storedCount_, 9U);
    EXPECT_EQ(report_.failed, failing.size());
    EXPECT_EQ(samples[5].record.error,
              "5: not enough memory. Use fewer views, or a smaller batch.");
}

TEST_P(PipelineInEveryMode, clearsResultsOfASample_whenFinishFailsAfterMeasuring) {
    onMeasure_ = [](SampleRecord& record) {
        record.scores.emplace_back();
        record.distances.add("coarse", {});
        record.silhouettes.emplace_back();
        record.fit.emplace();
        throw InputError({"mesh", "", "a coordinate is not finite", ""});
    };
    const std::vector<FinishedSample> samples = run(1, 1);
    const SampleRecord& record = samples.front().record;
    EXPECT_FALSE(record.succeeded());
    EXPECT_TRUE(record.scores.empty());
    EXPECT_TRUE(record.distances.empty());
    EXPECT_TRUE(record.silhouettes.empty());
    EXPECT_FALSE(record.fit.has_value());
}

TEST_P(PipelineInEveryMode, endsWithTheFailure_whenItConcernsTheRun) {
    const auto failsWith = [&](const char* what) {
        try {
            run(50, 2);
            return std::string("nothing");
        } catch (const IoError& error) {
            EXPECT_LT(storedCount_, 50U) << what;
            return error.report().subject;
        }
    };
    onFinish_ = [](std::size_t position) {
        if (position == 9) throw IoError({"mesh", "", "the disk is full", ""});
    };
    EXPECT_EQ(failsWith("finish"), "mesh");
    storedCount_ = 0;
    onFinish_ = {};
    onStore_ = [](std::size_t position) {
        if (position == 9) throw IoError({"journal", "", "the disk is full", ""});
    };
    EXPECT_EQ(failsWith("store"), "journal");
}

TEST_P(PipelineInEveryMode, losesOneSample_whenTheNetworkHasNoMemoryForIt) {
    backend_.onReconstruct = [](int sample) {
        if (sample == 4) throw std::bad_alloc();
    };
    for (const FinishedSample& each : run(9, 3))
        EXPECT_EQ(each.record.succeeded(), each.position != 4);
    EXPECT_EQ(storedCount_, 9U);
}

TEST_P(PipelineInEveryMode, endsWithADevicesLoss_andStoresComputedSamples) {
    backend_.onReconstruct = [](int sample) {
        if (sample == 20) throw DeviceLost({"GPU 0", "", "fell off the bus", ""});
    };
    EXPECT_THROW(run(60, 2), DeviceLost);
    EXPECT_LE(storedCount_, 20U);
}

TEST_P(PipelineInEveryMode, endsWithADevicesLoss_whenFoundAfterABatch) {
    options_.spans = true;
    int calls = 0;
    check_ = [&] {
        if (++calls == 5)
            throw DeviceError({"GPU 0", "", "was lost, and another device took over", ""});
    };
    EXPECT_THROW(run(60, 1), DeviceError);
    EXPECT_LE(storedCount_, 4U);
    EXPECT_LT(report_.samples, 60U) << "the report of a run that failed";
}

TEST_P(PipelineInEveryMode, endsTheRun_whenOnBatchCollectedThrows) {
    for (const std::size_t batch : {1, 2}) {
        storedCount_ = 0;
        check_ = [] { throw InputError({"backend", "", "is another one", ""}); };
        EXPECT_THROW(run(6, batch), InputError) << batch;
        EXPECT_EQ(storedCount_, 0U) << batch;
    }
}

TEST_P(PipelineInEveryMode, storesComputedSamples_whenCancelled) {
    onFinish_ = [&](std::size_t position) {
        if (position == 5) cancel_.request_stop();
    };
    EXPECT_THROW(run(300, 2), Cancelled);
    EXPECT_GE(storedCount_, 6U);
    EXPECT_LT(storedCount_, 300U);
}

TEST_P(PipelineInEveryMode, ends_whenCancelledWhileNothingIsLoaded) {
    onLoad_ = [&](std::size_t position) {
        if (position == 4) cancel_.request_stop();
    };
    EXPECT_THROW(run(300, 64), Cancelled);
}

TEST_P(PipelineInEveryMode, recordsTheSpansOfEachThread_whenAsked) {
    options_.spans = true;
    run(20, 2);
    std::map<std::string, std::size_t> names;
    for (const Span& span : report_.spans) ++names[span.name];
    EXPECT_EQ(names["load"], 20U);
    EXPECT_EQ(names["measure"], 20U);
    EXPECT_GE(names["network"], 10U);
}

INSTANTIATE_TEST_SUITE_P(Modes, PipelineInEveryMode,
                         testing::Values("simple", "overlapped", "full"),
                         [](const auto& mode) { return std::string(mode.param); });

TEST_F(PipelineTest, findsTheBatchsSize_whenNoneIsGiven) {
    // A batch of eight samples takes the same time as a batch of one, and longer than loading any
    // sample. The thread that collects a batch advances the clock, so that no batch includes
    // another's time.
    std::atomic<double> clock = 0;
    options_.clock = [&] { return clock.load(); };
    options_.maxWaitMilliseconds = kNever;
    check_ = [&] { clock += kNever; };
    run(1000, 0);
    std::map<std::size_t, std::size_t> samples;  // by the size of their batch
    for (const BatchTime& batch : report_.batches) samples[batch.size] += batch.size;
    EXPECT_EQ(samples.rbegin()->first, 8U);
    EXPECT_GT(samples[8], 500U);
    EXPECT_EQ(storedCount_, 1000U);
}

/// Sample n + 1 is loaded only after sample n has been stored.
TEST_F(PipelineTest, submitsAnIncompleteBatch_whenNoMoreSamplesArrive) {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t stored = 0;
    options_.maxWaitMilliseconds = 0;
    onLoad_ = [&](std::size_t position) {
        std::unique_lock lock(mutex);
        EXPECT_TRUE(changed.wait_for(lock, std::chrono::duration<double, std::milli>(kNever), [&] {
            return stored >= position;
        })) << position;
    };
    onStore_ = [&](std::size_t /*position*/) {
        const std::scoped_lock lock(mutex);
        ++stored;
        changed.notify_all();
    };
    for (const FinishedSample& each : run(5, 4))
        EXPECT_TRUE(each.record.succeeded()) << each.record.error;
    ASSERT_EQ(report_.batches.size(), 5U);
    for (const BatchTime& batch : report_.batches) EXPECT_EQ(batch.size, 1U);
}

TEST_F(PipelineTest, fillsItsBatches_whenSamplesArriveInTime) {
    options_.maxWaitMilliseconds = kNever;
    onLoad_ = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
    run(10, 4);
    std::vector<std::size_t> sizes;
    for (const BatchTime& batch : report_.batches) sizes.push_back(batch.size);
    EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
}

TEST_F(PipelineTest, loadsAhead_onlyAsFarAsMemoryAllows) {
    // A sample has 4 bytes; the first plan is made after some samples.
    options_.memoryBytes = 4;
    options_.usesGpu = true;
    onFinish_ = [](std::size_t /*position*/) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    run(400, 8);
    EXPECT_EQ(report_.loadedCapacity, 1U);
}

}  // namespace
}  // namespace threefold::test
