#include "engine/views/ray.h"

#include <array>
#include <span>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Triangulate, isTheIntersectionOfRays) {
    const std::array rays{Ray{{1, 2, 0}, {0, 0, 1}}, Ray{{0, 2, 3}, {1, 0, 0}}};
    const auto point = triangulate(rays);
    ASSERT_TRUE(point);
    EXPECT_LT(glm::length(*point - glm::dvec3(1, 2, 3)), 1e-12);
    EXPECT_FALSE(triangulate(std::span(rays).first(1)));
    EXPECT_FALSE(triangulate({}));
    const std::array parallel{Ray{{0, 0, 0}, {0, 0, 1}}, Ray{{1, 0, 0}, {0, 0, 1}}};
    EXPECT_FALSE(triangulate(parallel));
}

}  // namespace
}  // namespace threefold
