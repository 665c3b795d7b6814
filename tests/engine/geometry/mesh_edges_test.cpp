#include "engine/geometry/mesh_edges.h"

#include <cstdint>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/geometry/vertex_sets.h"
#include "engine/mesh.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;

using Edge = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<Edge> edgesOf(const Faces& faces) {
    std::vector<Edge> edges;
    for (const MeshEdge& edge : meshEdges(faces))
        edges.emplace_back(edge.low, edge.high, edge.faceCount);
    return edges;
}

TEST(MeshEdges, countTheFacesOfEachEdge_inAnyDirection) {
    EXPECT_THAT(edgesOf({{0, 1, 2}, {2, 1, 3}, {1, 2, 4}}),
                ElementsAre(Edge(0, 1, 1), Edge(0, 2, 1), Edge(1, 2, 3), Edge(1, 3, 1),
                            Edge(1, 4, 1), Edge(2, 3, 1), Edge(2, 4, 1)));
    EXPECT_TRUE(edgesOf({}).empty());
}

TEST(MeshEdges, keepTheIndices_whenTheseAreHigh) {
    constexpr std::uint32_t kHigh = 0xFFFFFFFF;
    EXPECT_THAT(
        edgesOf({{kHigh, 0, kHigh - 1}}),
        ElementsAre(Edge(0U, kHigh - 1, 1U), Edge(0U, kHigh, 1U), Edge(kHigh - 1, kHigh, 1U)));
}

TEST(VertexSets, haveOneRoot_whenJoined) {
    VertexSets sets(6);
    EXPECT_NE(sets.rootOf(0), sets.rootOf(1));
    sets.join(0, 1);
    sets.join(2, 3);
    EXPECT_NE(sets.rootOf(1), sets.rootOf(3));
    sets.join(1, 3);
    for (const std::uint32_t vertex : {0U, 1U, 2U}) EXPECT_EQ(sets.rootOf(vertex), sets.rootOf(3));
    EXPECT_EQ(sets.rootOf(5), 5U);
}

}  // namespace
}  // namespace threefold::test
