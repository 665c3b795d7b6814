#include "cuda/backend/captured_network_cache.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include <gtest/gtest.h>

#include "cuda/backend/device_resources.h"
#include "cuda/backend/network_factory.h"
#include "tests/cuda/backend/plain_cuda.h"
#include "tests/cuda/backend/small_model.h"

namespace threefold::cuda {
namespace {

/// Cache with device resources of its own, without a plan folder.
struct OwnCache {
    explicit OwnCache(std::size_t maxBytes)
        : resources(test::smallModel(), optionsFor(maxBytes)),
          networks(resources),
          cache(resources, networks) {}

    static CudaOptions optionsFor(std::size_t maxBytes) {
        CudaOptions options;
        options.precision = Precision::float16;
        options.tuning.planFolder = "/dev/null/no-folder";
        options.tuning.maxCudaGraphBytes = maxBytes;
        return options;
    }

    DeviceResources resources;
    NetworkFactory networks;
    CapturedNetworkCache cache;
};

class CapturedNetworkCacheTest : public testing::Test {
  protected:
    static constexpr std::size_t kGraphBytes = std::size_t{1} << 20;

    CapturedNetworkCacheTest() { test::setGraphBytes(kGraphBytes); }
    ~CapturedNetworkCacheTest() override { test::setGraphBytes(0); }

    const NetworkInput input_ = test::someInput("02691156/p0001", {0, 6});
    const std::array<NetworkInput, 2> inputs_ = {input_, input_};
    const std::span<const NetworkInput> two_ = inputs_;
    const std::span<const NetworkInput> one_ = two_.first(1);
};

TEST_F(CapturedNetworkCacheTest, countsAGraph_thatANetworkCapturesLater) {
    std::size_t bothBytes = 0;  // of two networks with a graph each
    {
        OwnCache own(std::size_t{1} << 40);
        for (const auto inputs : {one_, two_})
            bothBytes += own.cache.networkFor(inputs, TimedSteps::preprocessing)->bytes();
    }
    OwnCache own(bothBytes + kGraphBytes / 2);
    own.cache.networkFor(one_, TimedSteps::preprocessing);
    const std::weak_ptr<CapturedNetwork> other =
        own.cache.networkFor(two_, TimedSteps::preprocessing);
    const std::weak_ptr<CapturedNetwork> current =
        own.cache.networkFor(one_, TimedSteps::preprocessing);
    const std::size_t before = current.lock()->bytes();
    EXPECT_FALSE(other.expired());
    EXPECT_EQ(own.cache.networkFor(one_, TimedSteps::all), current.lock());
    EXPECT_EQ(current.lock()->bytes(), before + kGraphBytes);
    EXPECT_TRUE(other.expired()) << "the cache has no room for three graphs";
}

}  // namespace
}  // namespace threefold::cuda
