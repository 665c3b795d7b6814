#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/engine/formats/mesh_bytes.h"

namespace threefold {
namespace {

using test::read;
using testing::ElementsAre;
using testing::SizeIs;

TEST(StlFile, joinsEqualCorners) {
    const std::string text =
        "solid a name\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
        "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\n"
        "vertex 0 1 -0\nendloop\nendfacet\nendsolid a name\n";
    const LoadedMesh mesh = read(text, "a.stl");
    EXPECT_THAT(mesh.vertices, SizeIs(4));
    EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(1, 3, 2)));
}

TEST(StlFile, isRecognisedByItsLength_whenItBeginsLikeText) {
    std::string file = encodeMesh(MeshFormat::stl, test::tetrahedron());
    file.replace(0, 5, "solid");
    EXPECT_THAT(read(file, "a.dat").faces, SizeIs(4));
}

TEST(StlFile, isRead_withAnyCapitalsAndLineEnds) {
    for (const char* text :
         {"SOLID a\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 0\n"
          "ENDLOOP\nENDFACET\nENDSOLID a\n",
          "Solid a\nFacet Normal 0 0 1\nOuter Loop\nVertex 0 0 0\nVertex 1 0 0\nVertex 0 1 0\n"
          "End Loop\nEnd Facet\nEnd Solid a\n"}) {
        const LoadedMesh mesh = read(text, "a.stl");
        EXPECT_EQ(mesh.format, MeshFormat::stl);
        EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2)));
    }
}

}  // namespace
}  // namespace threefold
