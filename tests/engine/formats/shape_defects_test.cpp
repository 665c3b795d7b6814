// Meshes of any format with defects in their shape (ShapeDefect).
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/mesh_bytes.h"

namespace threefold {
namespace {

using test::kPlyVertices;
using test::ply;
using test::read;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct DefectiveFile {
    const char* title;
    const char* name;
    std::string text;
    std::size_t vertices;
    std::size_t faces;
    std::map<ShapeDefect, std::size_t> leftOut;
};

class DefectiveMesh : public testing::TestWithParam<DefectiveFile> {};

TEST_P(DefectiveMesh, losesItsDefectiveParts_andCountsThem) {
    const DefectiveFile& file = GetParam();
    const LoadedMesh mesh = read(file.text, file.name);
    EXPECT_THAT(mesh.vertices, SizeIs(file.vertices));
    EXPECT_THAT(mesh.faces, SizeIs(file.faces));
    EXPECT_EQ(mesh.leftOut, file.leftOut);
    EXPECT_THAT(leftOutText(mesh), HasSubstr("left out"));
    for (const glm::u32vec3& face : mesh.faces)
        for (int corner = 0; corner < 3; ++corner) EXPECT_LT(face[corner], mesh.vertices.size());
}

const std::string kFourPoints = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

INSTANTIATE_TEST_SUITE_P(
    All, DefectiveMesh,
    testing::Values(
        DefectiveFile{"objCorners",
                      "a.obj",
                      kFourPoints + "f 1 2\nf 1 2 3\nf 4\nf\nf 2/1 3/1 \n",
                      4,
                      1,
                      {{ShapeDefect::degenerateFaces, 4}}},
        DefectiveFile{"objNan",
                      "a.obj",
                      kFourPoints + "v nan 0 0\nv 0 -inf 0\nf 1 2 3\nf 1 2 5\n",
                      4,
                      1,
                      {{ShapeDefect::nonFinitePoints, 2}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"objWindowsNan",
                      "a.obj",
                      "v 1.#QNAN0 -1.#IND 0\n" + kFourPoints + "f 2 3 4\n",
                      4,
                      1,
                      {{ShapeDefect::nonFinitePoints, 1}}},
        DefectiveFile{"plyNan",
                      "a.ply",
                      ply("element vertex 4\n" + kPlyVertices +
                              "element face 2\nproperty list uchar int vertex_indices\n",
                          "nan nan nan\n0 0 0\n1 0 0\n0 1 0\n3 1 2 3\n3 0 1 2\n"),
                      3,
                      1,
                      {{ShapeDefect::nonFinitePoints, 1}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"plyCorners",
                      "a.ply",
                      ply("element vertex 3\n" + kPlyVertices +
                              "element face 2\nproperty list uchar int vertex_index\n",
                          "0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n"),
                      3,
                      1,
                      {{ShapeDefect::degenerateFaces, 1}}},
        DefectiveFile{"xyzNan",
                      "a.xyz",
                      "0 0 0\nnan nan nan\n1 1 1\n",
                      2,
                      0,
                      {{ShapeDefect::nonFinitePoints, 1}}},
        DefectiveFile{"offNan",
                      "a.off",
                      "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\nNaN 0 0\n3 0 1 3\n",
                      3,
                      0,
                      {{ShapeDefect::nonFinitePoints, 1}, {ShapeDefect::nonFiniteFaces, 1}}},
        DefectiveFile{"stlNan",
                      "a.stl",
                      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                      "vertex nan 0 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\n"
                      "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
                      3,
                      1,
                      {{ShapeDefect::nonFiniteTriangles, 1}}}),
    [](const auto& defective) { return std::string(defective.param.title); });

TEST(LeftOutText, isInTheSingular_forOnePart) {
    LoadedMesh mesh;
    EXPECT_EQ(leftOutText(mesh), "");
    mesh.leftOut = {{ShapeDefect::nonFinitePoints, 1}};
    EXPECT_EQ(leftOutText(mesh), "1 point that is not finite is left out");
    mesh.leftOut = {{ShapeDefect::degenerateFaces, 1}, {ShapeDefect::nonFinitePoints, 2}};
    EXPECT_EQ(leftOutText(mesh),
              "1 face of one or two corners and 2 points that are not finite are left out");
}

TEST(DefectiveMeshes, keepNormalsAndColoursWithTheirPoints_whenSomeAreLeftOut) {
    const LoadedMesh mesh = read("v 0 0 0 1 0 0\nv nan 0 0 0 1 0\nv 0 1 0 0 0 1\n", "a.obj");
    EXPECT_THAT(mesh.vertices, ElementsAre(glm::vec3(0), glm::vec3(0, 1, 0)));
    EXPECT_THAT(mesh.colours, ElementsAre(glm::vec3(1, 0, 0), glm::vec3(0, 0, 1)));
    EXPECT_EQ(mesh.fileIndexOf(1), 2U);
    EXPECT_EQ(read("v 0 0 0\nv 0 1 0\n", "a.obj").fileIndexOf(1), 1U);
}

TEST(DefectiveMeshes, areRefused_whenNoPointIsFinite) {
    for (const auto& [text, name] :
         std::vector<std::pair<std::string, const char*>>{{"nan nan nan\n", "a.xyz"},
                                                          {"v nan 0 0\n", "a.obj"},
                                                          {"OFF 1 0 0\ninf 0 0\n", "a.off"}})
        EXPECT_THROW(read(text, name), InputError) << text;
}

}  // namespace
}  // namespace threefold
