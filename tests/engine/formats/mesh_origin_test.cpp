#include "engine/formats/meshes/mesh_origin.h"

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/engine/formats/mesh_bytes.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::ply;
using test::read;
using test::TempFolder;
using testing::SizeIs;

/// A position in map coordinates (metres).
const glm::dvec3 kOnMap(448260.9612, 5411931.3304, 117.9201);

TEST(FarMesh, keepsItsShape_inEachFormat) {
    const std::vector<glm::dvec3> corners{kOnMap, kOnMap + glm::dvec3(.0011, 0, 0),
                                          kOnMap + glm::dvec3(2.5, 1.25, 0.001)};
    const auto row = [&](std::size_t i) {
        return fmt::format("{:.7f} {:.7f} {:.7f}\n", corners[i].x, corners[i].y, corners[i].z);
    };
    const std::string rows = row(0) + row(1) + row(2);
    const std::string doubles = "property double x\nproperty double y\nproperty double z\n";
    for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{
             {"a.obj", "v " + row(0) + "v " + row(1) + "v " + row(2) + "f 1 2 3\n"},
             {"b.obj",
              "v " + row(0) + "\tv " + row(1) + "v " + row(2) + "f 1 2 3 # plain no more\n"},
             {"a.ply", ply("element vertex 3\n" + doubles, rows)},
             {"a.off", "OFF\n3 0 0\n" + rows},
             {"a.xyz", rows}}) {
        SCOPED_TRACE(name);
        const LoadedMesh mesh = read(text, name);
        ASSERT_THAT(mesh.vertices, SizeIs(3));
        EXPECT_NE(mesh.origin, glm::dvec3(0.0));
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(mesh.positionOf(i)[axis], corners[i][axis], 2e-7);
    }
}

TEST(FarMesh, hasNoOrigin_whenFloatsSuffice) {
    EXPECT_EQ(read("1 1 -8\n1.5 1 -8\n1 2 -7\n", "a.xyz").origin, glm::dvec3(0.0));
    EXPECT_EQ(read("5000 0 0\n", "a.xyz").origin, glm::dvec3(0.0));
    // A single point has an origin, too, since its distances to other meshes may be small.
    EXPECT_NEAR(read("5000000.35 0 0\n", "a.xyz").positionOf(0).x, 5000000.35, 1e-7);
}

TEST(FarMesh, keepsItsShape_besideOutliers) {
    std::string rows = "0 0 0\n0 0 0\n";  // scanners write invalid points as zeros
    for (int i = 0; i < 8; ++i)
        rows +=
            fmt::format("{:.4f} {:.4f} {:.4f}\n", 5e6 + 0.01 * i, 4e5 - 0.02 * i, 100 + 0.03 * i);
    for (const std::string& text : {rows, rows + "4900000 400000 100\n"}) {
        const LoadedMesh mesh = read(text, "a.xyz");
        for (std::size_t i = 0; i < 8; ++i) {
            const glm::dvec3 found = mesh.positionOf(2 + i);
            const auto step = static_cast<double>(i);
            EXPECT_NEAR(found.x, 5e6 + 0.01 * step, 1e-6);
            EXPECT_NEAR(found.y, 4e5 - 0.02 * step, 1e-6);
            EXPECT_NEAR(found.z, 100 + 0.03 * step, 1e-6);
        }
        EXPECT_EQ(mesh.positionOf(0), glm::dvec3(0.0));
    }
}

TEST(FarMesh, hasNoOrigin_whenMostOfItsPointsAreADetailOfIt) {
    std::string rows = "-1 -1 -1\n1 1 1\n";
    for (int i = 0; i < 100; ++i) rows += fmt::format("0.9 {:.4f} 0.9\n", 0.9 + 0.001 * (i % 10));
    EXPECT_EQ(read(rows, "a.xyz").origin, glm::dvec3(0.0));
    std::string repeated = "-1 -1 -1\n1 1 1\n";
    for (int i = 0; i < 100; ++i) repeated += "0.9 0.9 0.9\n";
    EXPECT_EQ(read(repeated, "a.xyz").origin, glm::dvec3(0.0));
}

TEST(FarMesh, isWrittenWithTheDigitsOfItsPosition) {
    const TempFolder folder;
    const Mesh mesh{{{0, 0, 0}, {1.5F, 0.25F, 0}, {0, 1, 0.001F}}, {{0, 1, 2}}};
    MeshWriteOptions extras;
    extras.origin = kOnMap;
    for (const MeshFormat format :
         {MeshFormat::obj, MeshFormat::ply, MeshFormat::xyz, MeshFormat::glb}) {
        SCOPED_TRACE(std::string(meshFormatExtension(format)));
        writeMesh(folder / "far", format, mesh, extras);
        const LoadedMesh back = readMesh(folder / "far");
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(back.positionOf(i)[axis], kOnMap[axis] + double{mesh.vertices[i][axis]},
                            6e-7);
    }
}

TEST(FarMesh, movesToAnotherOrigin) {
    LoadedMesh mesh = read("1000000 0 0\n1000001 1 0\n", "a.xyz");
    const glm::dvec3 second = mesh.positionOf(1);
    moveOrigin(mesh, {999'998, 0, 0});
    EXPECT_EQ(mesh.vertices[1], glm::vec3(3, 1, 0));
    EXPECT_EQ(mesh.positionOf(1), second);
}

TEST(RelativePoints, areThoseOfAFile) {
    std::vector<glm::dvec3> points{glm::dvec3(0.0)};  // an outlier
    for (int i = 0; i < 20; ++i)
        points.push_back(kOnMap + glm::dvec3(0.11 * i, -0.013 * i * i, 0.7 * (i % 3)));
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
    const std::vector<glm::dvec3> damaged{kOnMap, {nan, 0, 0}};
    EXPECT_EQ(relativePoints(damaged).origin, glm::dvec3(0.0));
    EXPECT_TRUE(relativePoints({}).points.empty());
}

TEST(FarMesh, hasDistinctPoints_thatFloatsRoundToOne) {
    for (const double far : {300.0, 1000.0, 10'000.0}) {
        std::string rows;
        for (int i = 0; i < 50; ++i)
            rows += fmt::format("{:.9f} {:.9f} {:.9f}\n", far + 1e-7 * i, far - 2e-7 * i, far);
        for (const std::string& text : {rows, rows + "0 0 0\n"}) {
            const LoadedMesh mesh = read(text, "a.xyz");
            for (std::size_t i = 0; i < 50; ++i) {
                const auto step = static_cast<double>(i);
                EXPECT_NEAR(mesh.positionOf(i).x, far + 1e-7 * step, 1e-11);
                EXPECT_NEAR(mesh.positionOf(i).y, far - 2e-7 * step, 1e-11);
            }
        }
    }
    // Points that coincide in the file have the same origin as a single point.
    const LoadedMesh coinciding = read("5000.3 0 0\n5000.3 0 0\n", "a.xyz");
    EXPECT_EQ(coinciding.origin, glm::dvec3(0.0));
    EXPECT_EQ(coinciding.vertices[1], glm::vec3(5000.3F, 0, 0));
}

}  // namespace
}  // namespace threefold
