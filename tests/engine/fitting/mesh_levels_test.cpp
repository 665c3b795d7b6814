#include "engine/fitting/mesh_levels.h"

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/numerics/conjugate_gradients.h"
#include "tests/engine/fitting/sphere.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::fitting {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Points randomPoints(std::size_t count, unsigned seed) {
    test::Random random(seed);
    Points points;
    for (std::size_t i = 0; i < count; ++i)
        points.emplace_back(random(-1, 1), random(-1, 1), random(-1, 1));
    return points;
}

TEST(MeshLevels, gathersByTheTransposeOfInterpolation) {
    const MeshLevels levels(test::sphereTemplate(2));
    ASSERT_EQ(levels.levelCount(), 3U);
    const std::size_t counts[] = {6, 18, 66};
    for (std::size_t level = 0; level < 3; ++level) {
        const Points coarse = randomPoints(counts[level], 1);
        const Points fine = randomPoints(66, 2);
        Points up = coarse;
        levels.interpolate(level, up);
        ASSERT_EQ(up.size(), 66U);
        Points down = fine;
        levels.interpolateTransposed(level, down);
        ASSERT_EQ(down.size(), counts[level]);
        EXPECT_NEAR(dotProduct(up, fine), dotProduct(coarse, down), 1e-4);
    }
}

TEST(MeshLevels, hasALaplacianThatIsZeroForCoincidingVertices_andItsTranspose) {
    const MeshLevels levels(test::sphereTemplate(1));
    Points result;
    levels.laplacian(Points(18, glm::vec3(1, 2, 3)), result);
    for (const glm::vec3& each : result) EXPECT_LT(glm::length(each), 1e-6F);
    const Points a = randomPoints(18, 3);
    const Points b = randomPoints(18, 4);
    Points there;
    Points back;
    levels.laplacian(a, there);
    levels.laplacianTransposed(b, back);
    EXPECT_NEAR(dotProduct(there, b), dotProduct(a, back), 1e-5);
}

TEST(MeshLevels, ignoresAVertex_whenNoFaceHasIt) {
    const MeshLevels levels(4, {{0, 1, 2}});
    Points result;
    levels.laplacian(Points(4, glm::vec3(5)), result);
    EXPECT_EQ(result[3], glm::vec3(0));
    EXPECT_THROW(MeshLevels(2, {{0, 1, 2}}), InputError);
}

TEST(MeshLevels, measuresCreases_andFindsFoldedFaces) {
    const MeshLevels two(4, {{0, 1, 2}, {1, 0, 3}});
    const Points flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    EXPECT_NEAR(meanCrease(two, flat), 0, 1e-9);
    EXPECT_THAT(foldedFaces(two, flat), IsEmpty());
    Points bent = flat;
    bent[3] = {0, 0, -1};
    EXPECT_NEAR(meanCrease(two, bent), 1, 1e-9);
    EXPECT_THAT(foldedFaces(two, bent), IsEmpty());
    Points folded = flat;
    folded[3] = {0, 1, 0.1F};
    EXPECT_GT(meanCrease(two, folded), 1.9);
    EXPECT_THAT(foldedFaces(two, folded), ElementsAre(0, 1));
}

TEST(ConjugateGradients, solvesASymmetricSystem) {
    const Points b = randomPoints(40, 5);
    const auto apply = [](const Points& x, Points& product) {
        product.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            product[i] = 3.0F * x[i];
            if (i > 0) product[i] -= x[i - 1];
            if (i + 1 < x.size()) product[i] -= x[i + 1];
        }
    };
    Points x(40, glm::vec3(0));
    conjugateGradients(apply, b, x, 100, 1e-6);
    Points product;
    apply(x, product);
    EXPECT_LT(test::meanDistance(product, b), 1e-3);
}

}  // namespace
}  // namespace threefold::fitting
