#include "engine/network/graph_block.h"

#include <algorithm>
#include <cstddef>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

TEST(GraphBlock, appendsTheMeansOfEachEdgesEnds_whenUnpooled) {
    TemplateLevel level;
    level.vertexCount = 3;
    level.unpoolEdges = {{0, 2}, {1, 2}};
    const Points points = GraphBlock::unpool(Points{{0, 0, 0}, {2, 0, 0}, {0, 4, 8}}, level);
    EXPECT_EQ(points, (Points{{0, 0, 0}, {2, 0, 0}, {0, 4, 8}, {0, 2, 4}, {1, 2, 4}}));

    std::vector<float> hidden(3 * kHiddenWidth);
    for (std::size_t i = 0; i < kHiddenWidth; ++i)
        hidden[2 * kHiddenWidth + i] = static_cast<float>(2 * i);
    const std::vector<float> unpooled = GraphBlock::unpool(hidden, level);
    ASSERT_EQ(unpooled.size(), 5 * kHiddenWidth);
    for (std::size_t i = 0; i < kHiddenWidth; ++i) {
        EXPECT_EQ(unpooled[3 * kHiddenWidth + i], static_cast<float>(i));
        EXPECT_EQ(unpooled[4 * kHiddenWidth + i], static_cast<float>(i));
    }
}

/// The first graph block of the test model, on constant maps of one view.
class FirstGraphBlock : public testing::Test {
  protected:
    GraphBlock::Output run(int threads, const std::stop_token& cancel = {}) {
        fractions_.clear();
        return GraphBlock(*testModel(), 0, threads, kernels_)
            .run(testModel()->templateMesh.vertices, {}, pooling_, cancel,
                 [this](float fraction) { fractions_.push_back(fraction); });
    }

    std::vector<float> fractions_;

  private:
    static constexpr std::size_t kSide = 7;
    static constexpr std::size_t kChannels = (kStage1FeatureWidth - 3) / 3;

    const simd::NetworkKernels& kernels_ = *simd::runnableNetworkKernels().front();
    const std::vector<float> map_ = std::vector<float>(kSide * kSide * kChannels, 0.5F);
    const FeaturePooling pooling_{projectionsFrom(std::vector<Camera>(1)),
                                  {{map_.data(), kSide, kChannels}},
                                  SamplerKind::bilinearPerView,
                                  kernels_};
};

TEST_F(FirstGraphBlock, givesTheSame_withAnyNumberOfThreads) {
    const GraphBlock::Output one = run(1);
    const GraphBlock::Output three = run(3);
    const std::size_t vertices = testModel()->templateMesh.vertices.size();
    EXPECT_EQ(one.points.size(), vertices);
    EXPECT_EQ(one.hidden.size(), vertices * kHiddenWidth);
    EXPECT_EQ(one.points, three.points);
    EXPECT_EQ(one.hidden, three.hidden);
}

TEST_F(FirstGraphBlock, reportsRisingProgressToItsEnd) {
    run(1);
    EXPECT_GT(fractions_.size(), kGraphBlockLayerCounts[0] / 2);
    EXPECT_TRUE(std::ranges::is_sorted(fractions_));
    EXPECT_EQ(fractions_.back(), 1.0F);
}

TEST_F(FirstGraphBlock, ends_whenCancelled) {
    std::stop_source cancel;
    cancel.request_stop();
    EXPECT_THROW(run(1, cancel.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::test
