#include "engine/silhouettes/object_box.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "tests/engine/board/scene.h"

namespace threefold::test {
namespace {

TEST(ObjectBox, isTheBoxOfTheBall) {
    std::vector<PosedMask> masks;
    for (const Pose& camera : BoardScene::cameras(5)) {
        const Image drawn = BoardScene::mask(camera);
        Mask mask{drawn.width, drawn.height, {}};
        for (std::size_t i = 0; i < drawn.rgba.size(); i += 4)
            mask.inside.push_back(drawn.rgba[i] > 127 ? 1 : 0);
        masks.push_back({camera, BoardScene::lens(), std::move(mask)});
    }
    const auto box = objectBox(masks, true);
    ASSERT_TRUE(box);
    EXPECT_LT(glm::length(box->centre() - glm::dvec3(0, 0, BoardScene::kRadius)), 3);
    EXPECT_NEAR(box->diagonal() / (2 * std::sqrt(3) * BoardScene::kRadius), 1, 0.07);
    EXPECT_EQ(box->min.z, 0);
    EXPECT_FALSE(objectBox(std::span(masks).first(1), true));
}

}  // namespace
}  // namespace threefold::test
