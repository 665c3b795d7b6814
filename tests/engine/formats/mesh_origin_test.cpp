#include "engine/formats/meshes/mesh_origin.h"

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {
namespace {

/// A position in map coordinates (metres).
const glm::dvec3 kMapPosition(448260.9612, 5411931.3304, 117.9201);

TEST(RelativePoints, areThoseOfAFile) {
    std::vector<glm::dvec3> points{glm::dvec3(0.0)};  // an outlier
    for (int i = 0; i < 20; ++i)
        points.push_back(kMapPosition + glm::dvec3(0.11 * i, -0.013 * i * i, 0.7 * (i % 3)));
    for (std::size_t count : {points.size(), points.size() - 1}) {  // with and without the outlier
        const std::span<const glm::dvec3> some = std::span(points).last(count);
        std::string rows;
        for (const glm::dvec3& point : some)
            rows += fmt::format("{} {} {}\n", point.x, point.y, point.z);
        const LoadedMesh mesh = decodeMesh(asBytes(rows), "a.xyz");
        const RelativePoints relative = relativePoints(some);
        EXPECT_NE(relative.origin, glm::dvec3(0.0));
        EXPECT_EQ(relative.origin, mesh.origin);
        EXPECT_EQ(relative.points, mesh.vertices);
    }
}

TEST(RelativePoints, haveNoOrigin_whenNearOrNotFinite) {
    const std::vector<glm::dvec3> near{{1, 1, -8}, {1.5, 1, -8}, {1, 2, -7}};
    EXPECT_EQ(relativePoints(near).origin, glm::dvec3(0.0));
    EXPECT_EQ(relativePoints(near).points, (Points{{1, 1, -8}, {1.5, 1, -8}, {1, 2, -7}}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<glm::dvec3> damaged{kMapPosition, {nan, 0, 0}};
    EXPECT_EQ(relativePoints(damaged).origin, glm::dvec3(0.0));
    EXPECT_TRUE(relativePoints({}).points.empty());
}

}  // namespace
}  // namespace threefold
