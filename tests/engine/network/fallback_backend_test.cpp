#include "engine/network/fallback_backend.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/network/device_error.h"

namespace threefold {
namespace {

/// What the stand-ins did, in order; outlives them.
struct Journal {
    std::vector<std::string> runs;  ///< "GPU 1": the backend and the number of inputs
    std::vector<std::string> ended;
    std::vector<std::string> told;
};

/// Throws what it is told to, after it has told of some progress.
class FakeBackend : public Backend {
  public:
    FakeBackend(std::string name, Journal& journal, std::function<void()> act = {})
        : name_(std::move(name)), journal_(journal), act_(std::move(act)) {
        model_.source = name_ + ".safetensors";
    }
    ~FakeBackend() override { journal_.ended.push_back(name_); }

    std::string description() const override { return name_; }
    Precision precision() const override {
        return name_ == "CPU" ? Precision::float32 : Precision::float16;
    }
    const Model& model() const override { return model_; }
    Reconstruction reconstruct(const NetworkInput& input, const RunOptions& options) override {
        return std::move(reconstructBatch({&input, 1}, options).front());
    }
    std::vector<Reconstruction> reconstructBatch(std::span<const NetworkInput> inputs,
                                                 const RunOptions& options) override {
        journal_.runs.push_back(name_ + ' ' + std::to_string(inputs.size()));
        if (options.progress) options.progress({Stage::preprocess, 0.5F});
        if (act_) act_();
        std::vector<Reconstruction> results(inputs.size());
        for (Reconstruction& result : results) {
            result.refined.assign(name_ == "CPU" ? 1 : 2, glm::vec3(0));
        }
        return results;
    }

    std::size_t mostPending() const override { return name_ == "CPU" ? 2 : 4; }
    std::size_t largestBatch() const override { return name_ == "CPU" ? 1 : 64; }

    NearestBatch nearest(std::span<const CloudPair> pairs) override {
        journal_.runs.push_back(name_ + " nearest");
        if (act_) act_();
        return Backend::nearest(pairs);
    }
    FitResult fit(const Points& start, const fitting::MeshLevels&, const Camera&,
                  std::span<const FitView>, const FitOptions&) override {
        journal_.runs.push_back(name_ + " fit");
        if (act_) act_();
        FitResult result;
        result.vertices = start;
        return result;
    }
    MatchingBatch match(std::span<const CloudPair> pairs,
                        const MatchingSchedule& schedule) override {
        journal_.runs.push_back(name_ + " match");
        if (act_) act_();
        return Backend::match(pairs, schedule);
    }

  private:
    std::string name_;
    Journal& journal_;
    std::function<void()> act_;
    Model model_;
};

[[noreturn]] void loseDevice() {
    throw DeviceLost({"GPU 0", "", "an illegal address was read", ""});
}

class FallbackBackendTest : public testing::Test {
  protected:
    /// A GPU that does `act` in each run, with a processor behind it.
    FallbackBackend backendWhich(std::function<void()> act) {
        return {std::make_unique<FakeBackend>("GPU", journal_, std::move(act)),
                [this] { return makeSpare(); },
                [this](LogLevel level, std::string_view line) {
                    EXPECT_EQ(level, LogLevel::warning);
                    journal_.told.emplace_back(line);
                }};
    }
    std::unique_ptr<Backend> makeSpare() {
        ++sparesAskedFor_;
        if (spareFails_) throw ModelError({"model", "", "is not to be had", ""});
        return std::make_unique<FakeBackend>("CPU", journal_);
    }

    Journal journal_;
    int sparesAskedFor_ = 0;
    bool spareFails_ = false;
};

TEST_F(FallbackBackendTest, staysOnTheDevice_asLongAsItLives) {
    FallbackBackend backend = backendWhich({});
    EXPECT_EQ(backend.reconstruct({}, {}).refined.size(), 2U);
    EXPECT_EQ(backend.reconstructBatch(std::vector<NetworkInput>(3), {}).size(), 3U);
    EXPECT_EQ(backend.description(), "GPU");
    EXPECT_EQ(backend.precision(), Precision::float16);
    EXPECT_EQ(backend.model().source, "GPU.safetensors");
    EXPECT_EQ(backend.mostPending(), 4U);
    EXPECT_EQ(backend.largestBatch(), 64U);
    EXPECT_EQ(sparesAskedFor_, 0);
}

TEST_F(FallbackBackendTest, doesTheLostMeshAgainOnTheSpare_andStaysThere) {
    FallbackBackend backend = backendWhich(loseDevice);
    std::vector<float> progress;
    RunOptions options;
    options.progress = [&](const Progress& step) { progress.push_back(step.done); };
    EXPECT_EQ(backend.reconstruct({}, options).refined.size(), 1U);
    EXPECT_EQ(progress.size(), 2U);
    backend.reconstruct({}, {});
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU 1", "CPU 1", "CPU 1"}));
    EXPECT_EQ(journal_.ended, std::vector<std::string>{"GPU"});
    EXPECT_EQ(sparesAskedFor_, 1);
    EXPECT_EQ(backend.description(), "CPU");
    EXPECT_EQ(backend.precision(), Precision::float32);
    EXPECT_EQ(backend.model().source, "CPU.safetensors");
    EXPECT_EQ(backend.mostPending(), 2U);
    EXPECT_EQ(backend.largestBatch(), 1U);
    ASSERT_EQ(journal_.told.size(), 1U);
    EXPECT_NE(journal_.told[0].find("going on with CPU"), std::string::npos);
    EXPECT_NE(journal_.told[0].find("illegal address"), std::string::npos);
}

TEST_F(FallbackBackendTest, doesTheWholeLostBatchAgain) {
    FallbackBackend backend = backendWhich(loseDevice);
    const std::vector<NetworkInput> inputs(4);
    EXPECT_EQ(backend.reconstructBatch(inputs, {}).size(), 4U);
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU 4", "CPU 4"}));
}

TEST_F(FallbackBackendTest, doesPendingBatchesAgain_whenTheDeviceWasLostMeanwhile) {
    FallbackBackend backend = backendWhich(loseDevice);
    const std::vector<NetworkInput> inputs(3);
    std::unique_ptr<PendingBatch> first = backend.submit(inputs, {});
    std::unique_ptr<PendingBatch> second = backend.submit(std::span(inputs).first(2), {});
    EXPECT_EQ(first->collect().size(), 3U);
    EXPECT_TRUE(journal_.ended.empty()) << "a batch is still pending on the device";
    EXPECT_EQ(second->collect().size(), 2U);
    first.reset();
    second.reset();
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU 3", "CPU 3", "CPU 2"}));
    EXPECT_EQ(journal_.ended, std::vector<std::string>{"GPU"});
    EXPECT_EQ(backend.submit(inputs, {})->collect().size(), 3U);
    EXPECT_EQ(sparesAskedFor_, 1);
}

TEST_F(FallbackBackendTest, handsTheServicesOverToo) {
    FallbackBackend backend = backendWhich(loseDevice);
    EXPECT_NO_THROW(backend.nearest({}));
    EXPECT_NO_THROW(backend.match({}, {}));
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU nearest", "CPU nearest", "CPU match"}));
    FallbackBackend other = backendWhich(loseDevice);
    EXPECT_NO_THROW(other.match({}, {}));
    EXPECT_EQ(other.description(), "CPU");
    FallbackBackend third = backendWhich(loseDevice);
    EXPECT_EQ(third.fit({glm::vec3(7)}, {1, {}}, {}, {}, {}).vertices, Points{glm::vec3(7)});
    EXPECT_EQ(third.description(), "CPU");
}

TEST_F(FallbackBackendTest, doesNotSwitch_forAnyOtherFailure) {
    int turn = 0;
    FallbackBackend backend = backendWhich([&] {
        switch (++turn) {
            case 1:
                throw OutOfDeviceMemory({"GPU 0", "", "out of memory", ""}, 10, 5);
            case 2:
                throw InputError({"view 0", "", "is empty", ""});
            case 3:
                throw Cancelled();
            case 4:
                throw DeviceError({"GPU 0", "", "not supported", ""});
            default:
                throw std::bad_alloc();
        }
    });
    EXPECT_THROW(backend.reconstruct({}, {}), OutOfDeviceMemory);
    EXPECT_THROW(backend.reconstruct({}, {}), InputError);
    EXPECT_THROW(backend.reconstruct({}, {}), Cancelled);
    EXPECT_THROW(backend.reconstruct({}, {}), DeviceError);
    EXPECT_THROW(backend.reconstruct({}, {}), std::bad_alloc);
    EXPECT_EQ(backend.description(), "GPU");
    EXPECT_TRUE(journal_.told.empty());
}

TEST_F(FallbackBackendTest, endsACancelledRun_andMakesTheSpareForTheNext) {
    std::stop_source source;
    FallbackBackend backend = backendWhich([&] {
        source.request_stop();
        loseDevice();
    });
    RunOptions options;
    options.cancel = source.get_token();
    EXPECT_THROW(backend.reconstruct({}, options), Cancelled);
    EXPECT_EQ(sparesAskedFor_, 0);
    EXPECT_EQ(backend.reconstruct({}, {}).refined.size(), 1U);
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU 1", "CPU 1"}));
    EXPECT_EQ(journal_.told.size(), 1U);
}

TEST_F(FallbackBackendTest, triesAgainToMakeTheSpare_butNeverTheLostDevice) {
    FallbackBackend backend = backendWhich(loseDevice);
    spareFails_ = true;
    EXPECT_THROW(backend.reconstruct({}, {}), ModelError);
    EXPECT_THROW(backend.reconstruct({}, {}), ModelError);
    EXPECT_EQ(backend.description(), "GPU");
    spareFails_ = false;
    EXPECT_EQ(backend.reconstruct({}, {}).refined.size(), 1U);
    EXPECT_EQ(journal_.runs, (std::vector<std::string>{"GPU 1", "CPU 1"}));
}

TEST(FallbackBackend, refusesToBeMade_withoutBothSides) {
    Journal journal;
    EXPECT_THROW(FallbackBackend(nullptr, [] { return std::unique_ptr<Backend>(); }, {}),
                 InputError);
    EXPECT_THROW(FallbackBackend(std::make_unique<FakeBackend>("GPU", journal), {}, {}),
                 InputError);
    FallbackBackend backend(std::make_unique<FakeBackend>("GPU", journal, loseDevice),
                            [] { return std::unique_ptr<Backend>(); }, {});
    EXPECT_THROW(backend.reconstruct({}, {}), DeviceError);
}

}  // namespace
}  // namespace threefold
