#include "engine/comparison/mesh_distances.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/order_statistics.h"

namespace threefold::test {
namespace {

/// Mesh of `count` vertices on the x-axis, in descending order if `reversed`.
Mesh line(std::size_t count, bool reversed) {
    Mesh mesh;
    for (std::size_t i = 0; i < count; ++i)
        mesh.vertices.emplace_back(static_cast<float>(reversed ? count - 1 - i : i), 0, 0);
    const auto last = static_cast<std::uint32_t>(count - 1);
    mesh.faces = reversed ? Faces{{last, last - 1, 0}} : Faces{{0, 1, last}};
    return mesh;
}

TEST(MeshDistanceAccumulator, comparesNearestVertices_whenFacesDiffer) {
    MeshDistanceAccumulator sums;
    EXPECT_EQ(sums.add(line(5, false), line(5, true)), 0);
    EXPECT_EQ(sums.distances()->vertexByVertexCount, 0U);
    EXPECT_EQ(sums.distances()->sampleCount, 1U);
}

TEST(MeshDistanceAccumulator, comparesVertexByVertex_whenOneMeshIsAPointCloud) {
    Mesh points = line(5, true);
    points.faces.clear();
    MeshDistanceAccumulator sums;
    EXPECT_EQ(sums.add(line(5, false), points), 4);
    EXPECT_EQ(sums.distances()->vertexByVertexCount, 1U);
}

TEST(MeshDistanceAccumulator, givesThePercentile_ofAllSamplesTogether) {
    std::vector<double> expected;
    MeshDistanceAccumulator sums;
    for (int sample = 0; sample < 50; ++sample) {
        const Mesh origin{Points(100, glm::vec3(0)), {}};
        Mesh other = origin;
        for (std::size_t i = 0; i < other.vertices.size(); ++i) {
            other.vertices[i].x =
                std::exp(-0.002F * static_cast<float>(100 * sample + static_cast<int>(i)));
            expected.push_back(double{other.vertices[i].x});
        }
        sums.add(origin, other);
    }
    const double p995 = *quantile(expected, 0.995);
    EXPECT_EQ(sums.distances()->p995, p995);
    EXPECT_EQ(sums.distances()->max, 1);
}

TEST(MeshDistanceAccumulator, leavesOutVerticesThatAreNotFinite_whenVertexCountsDiffer) {
    Mesh broken = line(5, false);
    broken.vertices[4].y = std::nanf("");
    MeshDistanceAccumulator sums;
    EXPECT_EQ(sums.add(line(4, false), broken), 0);
    for (glm::vec3& vertex : broken.vertices) vertex.x = std::nanf("");
    EXPECT_FALSE(sums.add(line(4, false), broken));
    EXPECT_EQ(sums.distances()->vertexByVertexCount, 0U);
}

TEST(MeshDistanceAccumulator, doesNotCountASample_whenNoDistanceIsFinite) {
    Mesh broken = line(3, false);
    for (glm::vec3& vertex : broken.vertices) vertex.x = std::nanf("");
    MeshDistanceAccumulator sums;
    sums.add(line(3, false), broken);
    sums.add(line(4, false), broken);
    sums.add(line(3, false), line(3, false));
    EXPECT_EQ(sums.distances()->sampleCount, 1U);
    EXPECT_EQ(sums.distances()->vertexByVertexCount, 1U);
}

TEST(MeshDistanceAccumulator, hasNoDistances_whenNoneIsFinite) {
    Mesh broken = line(3, false);
    for (glm::vec3& vertex : broken.vertices) vertex.x = std::nanf("");
    MeshDistanceAccumulator sums;
    EXPECT_FALSE(sums.add(line(3, false), broken));
    EXPECT_FALSE(sums.add(line(3, false), Mesh{}));
    EXPECT_FALSE(sums.distances());
}

}  // namespace
}  // namespace threefold::test
