#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/engine/formats/mesh_bytes.h"

namespace threefold {
namespace {

using test::read;
using testing::ElementsAre;
using testing::SizeIs;

TEST(OffFile, isRead_inEachDialect) {
    struct Dialect {
        const char* title;
        const char* text;
        bool colours;
        bool normals;
    };
    const std::string rows = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    for (const auto& [title, text, colours, normals] : std::vector<Dialect>{
             {"plain", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false, false},
             {"glued", "OFF4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false, false},
             {"noEdges", "off\n# a comment\n4 1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 255 0 0\n",
              false, false},
             {"coff",
              "COFF\n4 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n1 1 0 255 0 0 255\n"
              "0 1 0 255 0 0 255\n4 0 1 2 3\n",
              true, false},
             {"bytesWithPoints",
              "COFF\n4 1 0\n0 0 0 255.0 0.0 0.0\n1 0 0 255.0 0.0 0.0\n1 1 0 255.0 0.0 0.0\n"
              "0 1 0 255.0 0.0 0.0\n4 0 1 2 3\n",
              true, false},
             {"countsOnLines", "OFF\n4\n1\n5\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", false,
              false},
             {"countsOnLinesWithoutEdges", "OFF\n4\n1\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
              false, false},
             {"fractions",
              "COFF\n4 1 0\n0 0 0 1.0 0.0 0.0\n1 0 0 1.0 0.0 0.0\n1 1 0 1.0 0.0 0.0\n"
              "0 1 0 1.0 0.0 0.0\n4 0 1 2 3\n",
              true, false},
             {"zerosAndOnes",
              "COFF\n4 1 0\n0 0 0 1 0 0\n1 0 0 1 0 0\n1 1 0 1 0 0\n0 1 0 1 0 0\n4 0 1 2 3\n", true,
              false},
             {"textured",
              "STCOFF\n4 1 0\n0 0 0 255 0 0 255 0.5 0.5\n1 0 0 255 0 0 255 0.5 0.5\n"
              "1 1 0 255 0 0 255 0.5 0.5\n0 1 0 255 0 0 255 0.5 0.5\n4 0 1 2 3\n",
              true, false},
             {"normals",
              "NOFF\n4 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n"
              "4 0 1 2 3\n",
              false, true}}) {
        SCOPED_TRACE(title);
        const LoadedMesh mesh = read(text, "a.off");
        EXPECT_EQ(mesh.format, MeshFormat::off);
        EXPECT_THAT(mesh.vertices, SizeIs(4));
        EXPECT_THAT(mesh.faces, ElementsAre(glm::u32vec3(0, 1, 2), glm::u32vec3(0, 2, 3)));
        EXPECT_EQ(mesh.normals.size(), normals ? 4U : 0U);
        ASSERT_EQ(mesh.colours.size(), colours ? 4U : 0U);
        if (colours) {
            EXPECT_EQ(mesh.colours[0], glm::vec3(1, 0, 0));
        }
    }
    const LoadedMesh further =
        read("OFF\n3 1 0\n0 0 0 1 2\n1 0 0 1 2\n1 1 0 1 2\n3 0 1 2\n", "a.off");
    EXPECT_EQ(further.unreadContent.at("numbers behind vertices"), 3U);
    EXPECT_THROW(read("OFF\n4000000000 1 0\n0 0 0\n", "a.off"), FormatError);
    EXPECT_THROW(read("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "a.off"), FormatError);
    EXPECT_THROW(read("OFF BINARY\n1 1 0\n", "a.off"), FormatError);
    const std::string whole = "OFF\n4 1 0\n" + rows;
    for (std::size_t length = 0; length + 1 < whole.size(); ++length) try {
            read(whole.substr(0, length), "a.off");
        } catch (const Error&) {
            // expected: any error of Threefold's own
        }
}

}  // namespace
}  // namespace threefold
