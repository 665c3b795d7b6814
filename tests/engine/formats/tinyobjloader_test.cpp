// Tests of content that tinyobjloader, used alone, misreads or does not read. The tests would fail
// if tinyobjloader got their texts unchanged.

#include <link.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/referenced_files.h"
#include "engine/formats/meshes/materials.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/obj_statements.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LoadedMesh objOf(std::string_view text) {
    return decodeMesh(asBytes(text), "a.obj");
}

std::string objError(std::string_view text) {
    try {
        objOf(text);
    } catch (const FormatError& error) {
        return error.what();
    }
    return "was read";
}

TexturedMesh objWithLook(std::string_view text) {
    return decodeTexturedMesh(asBytes(text), "a.obj", {}, ReferencedFilesOnDisk());
}

void saveText(const std::filesystem::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
}

TEST(Tinyobjloader, readsMeshes_asASharedLibrary) {
    bool isThere = false;
    dl_iterate_phdr(
        [](dl_phdr_info* library, std::size_t, void* found) {
            if (std::string_view(library->dlpi_name).find("libtinyobjloader") !=
                std::string_view::npos)
                *static_cast<bool*>(found) = true;
            return 0;
        },
        &isThere);
    EXPECT_TRUE(isThere);
}

// --- Numbers: tinyobjloader sums them digit by digit, with rounding errors.

/// The float nearest to the text's number, which every reader must return.
float floatOf(std::string_view text) {
    float value = std::numeric_limits<float>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void expectFloatsOf(const std::vector<std::string>& numbers) {
    std::string text;
    for (const std::string& number : numbers) text += fmt::format("v {} 0 0\n", number);
    const LoadedMesh mesh = objOf(text);
    ASSERT_EQ(mesh.vertices.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        ASSERT_EQ(mesh.vertices[i].x, floatOf(numbers[i])) << numbers[i];
}

TEST(ObjNumbers, areTheNearestFloats_inAnyNotation) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> digits(-1, 1);
    std::uniform_real_distribution<double> exponent(-30, 30);
    std::vector<std::string> numbers;
    for (int i = 0; i < 2000; ++i) {
        const double value = digits(random) * std::pow(10, exponent(random) / 6);
        for (const char* format : {"{:.6f}", "{:.9g}", "{:.17g}", "{:.8e}"})
            numbers.push_back(fmt::format(fmt::runtime(format), value));
        numbers.push_back(fmt::format("{:.12e}", digits(random) * std::pow(10, exponent(random))));
    }
    expectFloatsOf(numbers);
}

TEST(ObjNumbers, areTheNearestFloats_halfWayBetweenTwo) {
    std::mt19937 random(2);
    std::uniform_real_distribution<float> values(-9e6F, 9e6F);
    std::vector<std::string> numbers{"16777217", "16777219", "33554434.5"};
    for (int i = 0; i < 2000; ++i) {
        const float value = values(random);
        const double middle = (double{value} + std::nextafter(value, 1e9F)) / 2;
        numbers.push_back(fmt::format("{:.8f}", middle));
        numbers.push_back(fmt::format("{}", middle / 3));
        numbers.push_back(
            fmt::format("{}", (double{value / 7} + std::nextafter(value / 7, 0.0F)) / 2));
    }
    expectFloatsOf(numbers);
}

TEST(ObjNumbers, areTheNearestFloats_whenDigitsAreMany) {
    const std::string zeros(400, '0');
    expectFloatsOf({"1" + zeros + "e-400", "0." + zeros + "1e401", "0" + zeros + "1.5",
                    "3." + zeros + "1", "0e" + std::string(30, '9'), "1e-40", "1.17549435e-38",
                    "0.1000000014901161193847656250000000001",
                    "1e0000000000000000000000000000002"});
    EXPECT_EQ(objOf("v 1e-2147483649 -1e-999 1e-99\n").vertices[0], glm::vec3(0));
    EXPECT_THAT(objError("v 0 0 0\nv 1e99999999999 0 0\n"),
                HasSubstr("line 2: '1e99999999999' is b"));
    EXPECT_THAT(objError("v 0 0 340282357e30\n"), HasSubstr("is beyond the range of numbers"));
    EXPECT_THAT(objError("v 1.5x 0 0\n"), HasSubstr("line 1: '1.5x' is not a number"));
}

TEST(ObjNumbers, areTheNearestFloats_asColoursAndCoordinates) {
    // 3e-22 above the midpoint between two floats.
    const std::string above = "0.100000005215406417847";
    const std::string midpoint = "0.1000000052154064178466796875";
    for (const std::string& number : {above, midpoint}) {
        SCOPED_TRACE(number);
        const TexturedMesh mesh = objWithLook(
            fmt::format("v 0 0 0 0.3 {0} 0.7\nv 1 0 0 1.0 0 {0} 0\nv 1 1 0 0 0 {0}\nvt 0 {0} 1\n"
                        "vt {0}\nvt 0.5 0.5\nf 1/1 2/2 3/3\n",
                        number));
        EXPECT_EQ(mesh.mesh.colours.at(0).y, floatOf(number));
        EXPECT_EQ(mesh.mesh.colours.at(1).y, floatOf(number));
        EXPECT_EQ(mesh.mesh.colours.at(2).z, floatOf(number));
        EXPECT_THAT(mesh.appearance.textureCoordinates,
                    ElementsAre(glm::vec2(0, floatOf(number)), glm::vec2(floatOf(number), 0),
                                glm::vec2(0.5F)));
    }
}

TEST(NearestFloat, isGiven_unlessAmbiguous) {
    EXPECT_EQ(nearestFloat(0.5), 0.5F);
    EXPECT_EQ(nearestFloat(0), 0.0F);
    EXPECT_TRUE(std::signbit(nearestFloat(-0.0).value()));
    EXPECT_EQ(nearestFloat(1 + 0x1p-24), std::nullopt);  // the midpoint between two floats
    EXPECT_EQ(nearestFloat(1 + 0x1p-24 + 0x1p-43), std::nullopt);
    EXPECT_EQ(nearestFloat(1 + 0x1p-24 + 0x1p-41), 1 + 0x1p-23F);
    EXPECT_EQ(nearestFloat(1 + 0x1p-24 - 0x1p-41), 1.0F);
    EXPECT_EQ(nearestFloat(1e-39), std::nullopt);
}

TEST(PlainNumber, isReadAlike_byBothParsers) {
    for (const char* plain : {"1", "-1", "+1", ".5", "5.", "-.5", "1e5", "1E+00", "1e-05",
                              "2.5e+005", "-0.12345678901234567", "1e-99"})
        EXPECT_TRUE(isPlainNumber(plain)) << plain;
    for (const char* other : {"", "-", ".", "1e", "e5", "+-1", "1.5x", "0,5", "nan", "inf", "0x1p3",
                              "1e10", "1e-100", "1 ", "1.2.3", "1234567890123456789012345"})
        EXPECT_FALSE(isPlainNumber(other)) << other;
}

// --- Lines and words

TEST(ObjStatements, arePlain_whenNothingNeedsToChange) {
    const auto kindOf = [](const std::string& line) {
        const PlainStatement statement = plainStatement(line.c_str());
        const char* const end = line.c_str() + line.find('\n') + 1;
        EXPECT_EQ(statement.end, statement.kind == ObjStatement::none ? nullptr : end) << line;
        return statement.kind;
    };
    EXPECT_EQ(kindOf(" \t\r\nx\n"), ObjStatement::blank);
    EXPECT_EQ(kindOf("v 1 2 3\n"), ObjStatement::vertex);
    EXPECT_EQ(kindOf("\tv\t1  2 3 1.0 \r\n"), ObjStatement::vertex);
    EXPECT_EQ(kindOf("v 1 2 3 .1 .2 .3\n"), ObjStatement::colouredVertex);
    EXPECT_EQ(kindOf("vn 0 0 1\n"), ObjStatement::normal);
    EXPECT_EQ(kindOf("vt .5\n"), ObjStatement::coordinate);
    EXPECT_EQ(kindOf("f 1 2/2 3//3 -4/4/4\n"), ObjStatement::face);
    for (const char* other :
         {"v 1 2\n3\n", "v 1 2 3 0 0 0 0 0\n", "v 1 2 3#4\n", "v 1 2 3\r4\n", "v1 2 3\n",
          "vn 0 0\n", "vt\n", "f 1 2\n", "f 1/ 2 3\n", "f 1 2 3\\\n", "f 1 2 3 #\n",
          "f 1 2 1234567890\n", "f 1 2 +3\n", "fo 1 2 3\n", "vp 1 2\n", "# a\n", "usemtl a\n"})
        EXPECT_EQ(kindOf(other), ObjStatement::none) << other;
}

TEST(ObjLines, doNotEnd_atACarriageReturnInside) {
    EXPECT_EQ(objOf("v 1 2\r3\nv 4 5 6\n# v\rv 7 8 9\no a\rv 7 8 9\n").vertices,
              (Points{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_THAT(objWithLook("mtllib a\rv\t7\t8\t9\nusemtl a\rv 7 8 9\nv 1 2 3\n").mesh.vertices,
                ElementsAre(glm::vec3(1, 2, 3)));
}

TEST(ObjFaces, doNotReadNumbers_ofTheNextCorner) {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n";
    const auto coordinates = [&](const char* face) {
        return objWithLook(points + "f 1/1 2/2 3/3\n" + face).appearance.textureCoordinates;
    };
    const glm::vec2 none(0);
    EXPECT_THAT(coordinates("f 3/ 2/ 1/3\n"),
                ElementsAre(none, glm::vec2(1, 0), glm::vec2(0, 1), none, none, glm::vec2(0, 1)));
    EXPECT_THAT(coordinates("f 3/3/ 2/2/ 1/2/\n"),
                ElementsAre(none, glm::vec2(1, 0), glm::vec2(0, 1), glm::vec2(0, 1),
                            glm::vec2(1, 0), glm::vec2(1, 0)));
    const LoadedMesh mesh =
        objOf("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\nf 3// 2// 1//\n");
    // If a corner named a normal whose index differs from its vertex's index, the reader would drop
    // all normals.
    EXPECT_EQ(mesh.normals.size(), 3U);
}

TEST(ObjFaces, mayHaveMoreThan255Corners) {
    std::string text;
    std::string face = "f";
    for (int i = 0; i < 300; ++i) {
        const double angle = i * 0.02;
        text += fmt::format("v {:.6f} {:.6f} 0\n", std::cos(angle), std::sin(angle));
        face += fmt::format(" {}", i + 1);
    }
    EXPECT_EQ(objOf(text + face + "\n").faces.size(), 298U);
}

TEST(ObjErrors, areTheFirstOfTheFile_orTheLargestIndexBeyondTheVertices) {
    // Words are checked before tinyobjloader reads them, indices afterwards.
    EXPECT_THAT(objError("v 0 0 0\nf 0 1 1\nv x 0 0\n"),
                HasSubstr("line 2: a face names the vertex 0"));
    EXPECT_THAT(objError("v 0 0 0\nv x 0 0\nf 0 1 1\n"), HasSubstr("line 2: 'x' is not a number"));
    EXPECT_THAT(
        objError("v 0 0 0\n\nf 1 \\\n 1 \\\n -9\nf 0 1 1\n"),
        HasSubstr(
            "line 5: a face names the vertex -9, but the number of vertices before the face is 1"));
    EXPECT_THAT(objError("v 0 0 0\nf 1 1 7\nf 1 1 \\\n 9\nf 1 9 1\n"),
                HasSubstr("line 4: a face names the vertex 9, but the number of vertices is 1"));
    std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    while (text.size() < 200'000) text += "f 1 2 3\n";  // more than one block of text
    const auto lines = std::ranges::count(text, '\n');
    EXPECT_THAT(objError(text + "f 1 2 0\n"), HasSubstr(fmt::format("line {}: a face", lines + 1)));
    EXPECT_THAT(objError(text + "f 1 2 x\n"), HasSubstr(fmt::format("line {}: 'x' is", lines + 1)));
}

TEST(ObjColours, areRead_fromTheLinesOfVertices) {
    const LoadedMesh mesh = objOf(
        "v 0 0 0 1 .5 0\nv 1 0 0 .25 1 .5 0\nv 0 1 0 1 .5 0 #\nvt 9 9 9\nv 1 1 0 +1 .5 \\\n0\nf 1 "
        "2 3 4\n");
    EXPECT_THAT(mesh.colours, ElementsAre(glm::vec3(1, .5, 0), glm::vec3(1, .5, 0),
                                          glm::vec3(1, .5, 0), glm::vec3(1, .5, 0)));
    EXPECT_EQ(mesh.vertices.size(), 4U);
    EXPECT_THAT(mesh.unreadContent, ElementsAre(testing::Pair("texture coordinates", 1U)));
    EXPECT_THAT(objOf("v 0 0 0 1 1 1\nv 0 0 0 1 1\n").colours, IsEmpty());
}

// --- Names

TEST(ObjNames, keepBlanksHashesAndBackslashes) {
    const TempFolder folder;
    std::filesystem::create_directory(folder / "sub");
    saveText(folder / "sub/my #1 library.mtl", "newmtl Material #25\nKd 1 0 0\nnewmtl\nKd 0 1 0\n");
    saveText(
        folder / "a.obj",
        "mtllib sub\\my #1 library.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl  Material\t#25 \nf 1 2 "
        "3\n"
        "usemtl\nf 1 2 3\nusemtl Material #25\nf 1 2 3\n");
    const TexturedMesh mesh = readTexturedMesh(folder / "a.obj");
    EXPECT_THAT(mesh.appearance.missing, IsEmpty());
    ASSERT_EQ(mesh.appearance.materialOfFace.size(), 3U);
    EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace[0]).colour,
              glm::vec3(1, 0, 0));
    EXPECT_EQ(mesh.appearance.materialOfFace[1], kNoMaterial);
    EXPECT_EQ(mesh.appearance.materialOfFace[2], mesh.appearance.materialOfFace[0]);
}

TEST(ObjNames, doNotEndAtNulBytes) {
    const auto text = [](std::string words) {
        std::ranges::replace(words, '@', '\0');
        return words;
    };
    const TempFolder folder;
    saveText(folder / "a.mtl",
             text("newmtl red@1\nKd 1 0 0\nnewmtl red@2\nKd .5 0 0\nmap_Kd a.png@b\n"));
    writePng(folder / "a.png", {1, 1, {9, 8, 7, 255}});
    saveText(folder / "a.obj", text("mtllib a.mtl\nmtllib a.mtl@b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                    "usemtl red@1\nf 1 2 3\nusemtl red@2\nf 1 2 3\n"));
    const TexturedMesh mesh = readTexturedMesh(folder / "a.obj");
    EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace.at(0)).colour,
              glm::vec3(1, 0, 0));
    EXPECT_EQ(mesh.appearance.materials.at(mesh.appearance.materialOfFace.at(1)).colour,
              glm::vec3(.5, 0, 0));
    EXPECT_THAT(mesh.appearance.textures, IsEmpty());  // "a.png\0b" must not be read as a.png
    EXPECT_THAT(mesh.appearance.missing, ElementsAre(HasSubstr("a.mtl\xef\xbf\xbd"
                                                               "b.mtl"),
                                                     HasSubstr("a.png\xef\xbf\xbd"
                                                               "b")));
}

// --- Libraries

NamedMaterial materialOf(const std::string& statements) {
    return parseMaterials("newmtl before\nKd 0 0 1\nd .1\nnewmtl a b\n" + statements).at("a b");
}

TEST(MtlOptions, doNotReadAFileName_asANumber) {
    for (const char* options :
         {"-s 2", "-s 2 2", "-s 2 2 2", "-S 2 -t 1", "-mm 0 -s 2", "-bm 1 -s 2", "-cc on -s 2",
          "-colorspace sRGB -s 2", "-texres 8 -s 2 -type sphere"}) {
        SCOPED_TRACE(options);
        const NamedTexture texture = materialOf(fmt::format("map_Kd {} a b.png", options)).texture;
        EXPECT_EQ(texture.file, "a b.png");
        EXPECT_EQ(texture.scale.x, 2);
    }
    EXPECT_EQ(materialOf("map_Kd -s 2 7.png\n").texture.file, "7.png");
}

TEST(MtlOptions, areThoseOfTheLastTexture) {
    const NamedMaterial material = materialOf(
        "map_Kd -clamp on -s 2 2 2 a.png\nmap_Kd -o 1 0 0 b.png\nmap_Kd -clamp on\n"
        "map_d -clamp On -imfchan G a.png\nmap_d -imfchan r\nmap_d -clamp Off -imfchan Matte "
        "c.png\n");
    EXPECT_EQ(material.texture.file, "b.png");
    EXPECT_EQ(material.texture.scale, glm::vec2(1));
    EXPECT_EQ(material.texture.offset, glm::vec2(1, 0));
    EXPECT_FALSE(material.texture.isClamped);
    EXPECT_EQ(material.opacityTexture.file, "c.png");
    EXPECT_EQ(material.opacityTexture.channel, 'm');
    EXPECT_FALSE(material.opacityTexture.isClamped);
    EXPECT_EQ(materialOf("map_d -clamp on\n").opacityTexture.file, "");
    EXPECT_EQ(materialOf("map_d a.png\n").opacityTexture.channel, '\0');
}

TEST(MtlColours, areWhite_whenNoneIsWritten) {
    EXPECT_EQ(materialOf("").diffuse, glm::vec3(1));
    EXPECT_EQ(materialOf("map_Kd a.png\n").diffuse, glm::vec3(1));
    EXPECT_EQ(materialOf("Kd spectral a.rfl\nKd xyz 1 1 1\n").diffuse, glm::vec3(1));
}

TEST(MtlColours, areZero_whenNotNumbers) {
    EXPECT_EQ(materialOf("Kd .5\n").diffuse, glm::vec3(.5F));
    EXPECT_EQ(materialOf("Kd\n").diffuse, glm::vec3(0));
    EXPECT_EQ(materialOf("Kd .5x 1e400 .25\n").diffuse, glm::vec3(0, 0, .25F));
    EXPECT_EQ(materialOf("Kd nan +.5 0e999\n").diffuse, glm::vec3(0, .5F, 0));
    EXPECT_EQ(materialOf("Kd 0." + std::string(400, '0') + "5e400 1 1\n").diffuse,
              glm::vec3(.5F, 1, 1));
    EXPECT_EQ(materialOf("\fKD\v.5 \r.25 0\r\n").diffuse, glm::vec3(.5F, .25F, 0));
}

TEST(MtlOpacities, areAbsent_whenNotNumbers) {
    EXPECT_EQ(materialOf("d -halo .5\n").opacity, .5F);
    EXPECT_EQ(materialOf("d x\nd\n").opacity, 1);
    EXPECT_EQ(materialOf("d .25\nTr .5\n").opacity, .25F);
    EXPECT_EQ(materialOf("Tr .5\nTr 1\n").opacity, .5F);
    EXPECT_EQ(materialOf("Tr 2\nTr +2\n").opacity, 1);
    EXPECT_EQ(materialOf("d 1e400\n").opacity, 1);
}

TEST(MtlNames, beginAMaterial_evenWhenEmpty) {
    const auto materials =
        parseMaterials("newmtl a\nKd 1 0 0\nnewmtl\nKd 0 1 0\nnewmtl  \nKd 0 0 1\n");
    EXPECT_EQ(materials.at("a").diffuse, glm::vec3(1, 0, 0));
    EXPECT_EQ(materials.at("").diffuse, glm::vec3(0, 0, 1));
}

TEST(MtlLines, doNotEnd_atACarriageReturnInside) {
    const NamedMaterial material = materialOf("map_Kd a\rKd .5 .5 .5\nKd .25\r.5 1\nd\r.5\r\n");
    EXPECT_EQ(material.texture.file, "a Kd .5 .5 .5");
    EXPECT_EQ(material.diffuse, glm::vec3(.25F, .5F, 1));
    EXPECT_EQ(material.opacity, .5F);
}

TEST(MtlStatements, areLeftOut_whenUnused) {
    std::string text = "newmtl a\nKd 1 0 0\n";
    for (int i = 0; i < 1000; ++i) text += fmt::format("unknown{} {}\nKa 1 1 1\nmap_Kd2 x\n", i, i);
    EXPECT_EQ(parseMaterials(text).at("a").diffuse, glm::vec3(1, 0, 0));
    EXPECT_EQ(parseMaterials(text).at("a").texture.file, "");
}

}  // namespace
}  // namespace threefold::test
