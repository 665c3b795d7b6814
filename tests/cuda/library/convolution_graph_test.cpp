#include "cuda/library/convolution_graph.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "cuda/library/convolution_shape.h"
#include "engine/error.h"
#include "engine/model/architecture.h"
#include "tests/cuda/library/described_gpu.h"

namespace threefold::cuda::library {
namespace {

// Compute capability 9.0 comes first, because cuDNN caches properties of the first device that a
// process describes to it. A device of 7.5, which has no TF32 tensor cores, must not be the first.
constexpr int kCapabilities[] = {900, 750, 800, 860, 890, 1000, 1200};

std::vector<ConvolutionShape> allShapes(Precision precision, int images) {
    std::vector<ConvolutionShape> shapes;
    int side = 224;
    for (const ConvolutionSpec& spec : kCnnLayers) {
        shapes.push_back({images, side, std::max(spec.inChannels, 8), spec.outChannels,
                          spec.kernelSize, spec.stride, precision});
        side = shapes.back().outputSide();
    }
    return shapes;
}

/// Disables leak checking: cuDNN frees its engines' memory only at exit, and some of the allocating
/// libraries are unloaded by then, so that no suppression could name them.
class ConvolutionGraphs : public testing::Test {
#if defined(__SANITIZE_ADDRESS__)
    __lsan::ScopedDisabler leaksOfTheLibrary_;
#endif
};

TEST_F(ConvolutionGraphs, isAccepted_forEachLayerOfTheNetwork) {
    const std::string gpu = describedGpu(900);
    for (const Precision precision : kAllPrecisions) {
        for (const ConvolutionShape& shape : allShapes(precision, 6)) {
            for (const FilterLayout layout : {FilterLayout::original, FilterLayout::widened}) {
                EXPECT_NO_THROW(ConvolutionGraph(nullptr, shape, layout, gpu)) << shape.name();
            }
        }
    }
}

bool supports(int capability, Precision precision) {
    const bool onEveryGpu = precision == Precision::float16 || precision == Precision::float32;
    return onEveryGpu || capability >= 800;
}

// Without a GPU, cuDNN proposes only engines that need no compilation.
TEST_F(ConvolutionGraphs, hasReadyMadeEngines_forEachLayerOfTheNetwork) {
    for (const int capability : kCapabilities) {
        const std::string gpu = describedGpu(capability);
        for (const Precision precision :
             {Precision::tfloat32, Precision::float16, Precision::bfloat16}) {
            if (!supports(capability, precision)) continue;
            for (const ConvolutionShape& shape : allShapes(precision, 3)) {
                const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, gpu);
                const std::vector<EngineChoice> proposals = graph.proposals();
                ASSERT_FALSE(proposals.empty()) << capability << ' ' << shape.name();
                EXPECT_NO_THROW(graph.plan(proposals.front())) << capability << ' ' << shape.name();
            }
        }
    }
}

// For the last layers, cuDNN's first proposals use no workspace; the split-K engines are proposed
// later.
TEST_F(ConvolutionGraphs, hasMoreReadyMadeEnginesThanTheFirstFew_whenImagesAreSmall) {
    const ConvolutionShape shape{3, 7, 512, 512, 3, 1, Precision::float16};
    const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, describedGpu(900));
    const std::vector<EngineChoice> proposals = graph.proposals();
    std::size_t timed = 0;
    for (std::size_t place = 0; place < proposals.size(); ++place) {
        EXPECT_FALSE(proposals[place].compiled) << "there is no GPU to compile for";
        if (isWorthTiming(proposals[place], place, timed, 0)) ++timed;
    }
    EXPECT_EQ(timed, proposals.size());
    EXPECT_GT(timed, 20U);
}

TEST(WorthTiming, isEveryReadyMadeEngine_andCompiledOnesOfTheFirstFew) {
    const EngineChoice ready{1, {}, false};
    const EngineChoice compiled{2, {}, true};
    EXPECT_TRUE(isWorthTiming(ready, 40, 12, 1500));
    EXPECT_TRUE(isWorthTiming(compiled, 5, 3, 900));
    EXPECT_FALSE(isWorthTiming(compiled, 6, 3, 900));
    EXPECT_TRUE(isWorthTiming(compiled, 30, 0, 900)) << "no engine has worked yet";
    EXPECT_FALSE(isWorthTiming(ready, 40, 12, 2500)) << "the time limit has passed";
    EXPECT_TRUE(isWorthTiming(ready, 40, 0, 1e6))
        << "without a working engine the network cannot run";
}

TEST_F(ConvolutionGraphs, hasStrictEngine_whenPrecisionIsFloat32) {
    for (const int capability : kCapabilities) {
        const std::string gpu = describedGpu(capability);
        for (const ConvolutionShape& shape : allShapes(Precision::float32, 3)) {
            const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, gpu);
            const std::vector<EngineChoice> proposals = graph.proposals();
            ASSERT_FALSE(proposals.empty()) << capability << ' ' << shape.name();
            EXPECT_NO_THROW(graph.plan(proposals.back())) << capability << ' ' << shape.name();
        }
    }
}

TEST_F(ConvolutionGraphs, proposesFewerEngines_whenNothingMayBeRounded) {
    const std::string gpu = describedGpu(900);
    ConvolutionShape shape{3, 56, 64, 64, 3, 1, Precision::tfloat32};
    const std::size_t rounding =
        ConvolutionGraph(nullptr, shape, FilterLayout::original, gpu).proposals().size();
    shape.precision = Precision::float32;
    const std::size_t strict =
        ConvolutionGraph(nullptr, shape, FilterLayout::original, gpu).proposals().size();
    EXPECT_LT(strict, rounding);
    EXPECT_GT(strict, 0U);
}

TEST_F(ConvolutionGraphs, restoresPlan_fromItsOwnDescription) {
    const ConvolutionShape shape{3, 28, 128, 256, 5, 2, Precision::float32};
    const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, describedGpu(900));
    for (const EngineChoice& choice : graph.proposals()) {
        const DnnDescriptor plan = graph.plan(choice);
        const std::string json = planJson(plan);
        const StoredEngine stored =
            storedEngineFrom(toText(StoredEngine{FilterLayout::original, json})).value();
        const DnnDescriptor restored = graph.restore(stored.json);
        EXPECT_EQ(workspaceBytes(restored), workspaceBytes(plan));
        EXPECT_EQ(planJson(restored), json);
        EXPECT_TRUE(std::none_of(json.begin(), json.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < ' '; }));
    }
}

TEST_F(ConvolutionGraphs, refusesDescription_whenItIsNoPlan) {
    const ConvolutionShape shape{3, 28, 128, 128, 3, 1, Precision::float32};
    const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, describedGpu(900));
    EXPECT_THROW(graph.restore("{}"), DeviceError);
    EXPECT_THROW(graph.restore("{\"cudnnVersion\":1}"), DeviceError);
    EXPECT_THROW(graph.restore("{"), DeviceError);
}

TEST_F(ConvolutionGraphs, refusesPlan_whenThereIsNoSuchEngine) {
    const ConvolutionShape shape{3, 28, 128, 128, 3, 1, Precision::float32};
    const ConvolutionGraph graph(nullptr, shape, FilterLayout::original, describedGpu(900));
    EXPECT_THROW(graph.plan({100000, {}}), DeviceError);
    EXPECT_THROW(graph.plan({-1, {}}), DeviceError);
}

TEST_F(ConvolutionGraphs, packsPointersOfRun) {
    float value = 0;
    EXPECT_NO_THROW(variantPack(&value, &value, &value, &value, nullptr));
}

}  // namespace
}  // namespace threefold::cuda::library
