#include "engine/mesh_operations/mesh_operations.h"

#include <array>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/mesh.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(MeshOperations, findNearestNeighbours_inBothDirections) {
    const Points first{{0, 0, 0}, {1, 0, 0}};
    const Points second{{0, 0, 1}, {1, 0, 2}, {5, 5, 5}};
    MeshOperations operations;
    const NeighbourResults found =
        operations.nearestNeighbours(std::array{CloudPair{first, second}});
    ASSERT_THAT(found.pairs, SizeIs(1));
    EXPECT_THAT(found.pairs[0].firstToSecond.indices, ElementsAre(0, 0));
    EXPECT_THAT(found.pairs[0].firstToSecond.squaredDistances, ElementsAre(1, 2));
    EXPECT_THAT(found.pairs[0].secondToFirst.indices, ElementsAre(0, 1, 1));
    EXPECT_THAT(found.pairs[0].secondToFirst.squaredDistances, ElementsAre(1, 4, 66));
    EXPECT_THROW(operations.nearestNeighbours(std::array{CloudPair{first, {}}}), InputError);
}

TEST(MeshOperations, giveTheEarthMoversDistance) {
    const Points first{{0, 0, 0}};
    const Points second{{3, 4, 0}};
    MeshOperations operations;
    const TransportResults moved =
        operations.earthMoversDistances(std::array{CloudPair{first, second}}, {});
    ASSERT_THAT(moved.pairs, SizeIs(1));
    EXPECT_NEAR(moved.pairs[0].distance, 5, 1e-5);
    EXPECT_THROW(operations.earthMoversDistances(std::array{CloudPair{first, {}}}, {}), InputError);
}

TEST(MeshOperations, keepTheMesh_whenNothingIsFitted) {
    const Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const fitting::MeshLevels levels(corners.size(), {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
    MeshOperations operations;
    const FitResult fit = operations.fit(corners, levels, {}, {}, {});
    EXPECT_EQ(fit.vertices, corners);
    EXPECT_THAT(fit.agreements, testing::IsEmpty());
    EXPECT_THROW(operations.fit(Points{corners[0]}, levels, {}, {}, {}), InputError);
}

}  // namespace
}  // namespace threefold::test
