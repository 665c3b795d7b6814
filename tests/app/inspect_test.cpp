#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/tensors/safetensors.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/exif_bytes.h"
#include "tests/support/models.h"
#include "tests/support/npz_writer.h"
#include "tests/support/pickle_writer.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::string golden(const char* name) {
    return std::string(THREEFOLD_TEST_DATA) + "/golden/" + name;
}

TEST(Inspect, listsCamerasAndAssumptions_whenCamerasAreMatrices) {
    const TempFolder folder;
    writeDiscScene(folder.path());
    const ProcessResult result =
        runThreefold({"inspect", (folder / "transforms.json").string(), folder.path().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    for (const char* words : {"100 × 100 pixels, focal length 120", "3 of 3 views",
                              "Up is (0, 0, 1)", "1 unit of the photographs' world"}) {
        const auto first = result.output.find(words);
        ASSERT_NE(first, std::string::npos) << words;
        // The words occur twice: for the file and for the folder.
        EXPECT_NE(result.output.find(words, first + 1), std::string::npos) << words;
    }
}

/// Writes eight photographs of a ball; in photograph 3, half of the ball is cut away.
void writeSpoiltScene(const std::filesystem::path& folder) {
    writeDiscScene(folder, 8);
    Image image = readImage(folder / "images" / "3.png");
    for (int y = 0; y < image.height; ++y)
        for (int x = image.width / 2; x < image.width; ++x)
            for (int channel = 0; channel < 3; ++channel)
                image.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + channel)] = 255;
    writePng(folder / "images" / "3.png", image);
}

TEST(Inspect, namesTheMaskThatContradictsTheOthers) {
    const TempFolder folder;
    writeDiscScene(folder / "right", 8);
    writeSpoiltScene(folder / "spoilt");
    EXPECT_THAT(runThreefold({"inspect", (folder / "right").string()}).output,
                testing::Not(HasSubstr("doubtful")));
    const ProcessResult result = runThreefold({"inspect", (folder / "spoilt").string()});
    EXPECT_THAT(result.output, HasSubstr("doubtful mask 03"));
    EXPECT_THAT(result.output, HasSubstr("3.png: "));
    const ProcessResult cut =
        runThreefold({"cutout", (folder / "spoilt" / "images").string(), "--json"});
    EXPECT_EQ(cut.exitCode, 0);
    EXPECT_THAT(cut.errors, HasSubstr("3.png: "));
    EXPECT_THAT(cut.errors, testing::Not(HasSubstr("2.png")));
    EXPECT_THAT(nlohmann::json::parse(cut.output)[3].value("doubt", ""), HasSubstr("3.png"));
}

TEST(Inspect, warnsOfTheObjectsPlacement_whenAMaskContradictsTheOthers) {
    const TempFolder folder;
    writeSpoiltScene(folder.path());
    EXPECT_THAT(runThreefold({"inspect", folder.path().string()}).output,
                HasSubstr("the object's centre and size"));
}

TEST(Inspect, countsAViewAsUnusable_whenItsMaskHasAnotherAspectRatio) {
    const TempFolder folder;
    writeDiscScene(folder.path(), 8);
    std::filesystem::create_directories(folder / "masks");
    writePng(folder / "masks/0.png", {10, 20, std::vector<std::uint8_t>(800, 255)});
    const ProcessResult result = runThreefold({"inspect", folder.path().string()});
    EXPECT_THAT(result.output, HasSubstr("cannot be used: its mask"));
    EXPECT_THAT(result.output, HasSubstr("has 10 × 20 pixels, but the photograph has 100 × 100"));
    EXPECT_THAT(result.output, HasSubstr("7 of 8 views"));
}

TEST(Inspect, tellsHowAListLooks_whenATextIsNeitherListNorCameras) {
    const TempFolder folder;
    for (const std::string text : {"", "\n\n", "'02691156_none_00.dat'\n"}) {
        writeFileAtomically(folder / "list.txt", text);
        const ProcessResult result = runThreefold({"inspect", (folder / "list.txt").string()});
        EXPECT_EQ(result.exitCode, 1) << text;
        EXPECT_THAT(result.errors, HasSubstr("A list of samples is UTF-8")) << text;
    }
}

TEST(Inspect, namesEachKind_whenGivenOneOfEach) {
    const TempFolder folder;
    const std::string rendering = (bundledSample("02691156") / "rendering").string();
    const std::string pickle = (folder / "template.dat").string();
    writeFileAtomically(pickle, std::string_view(pickle::pickled(pickle::dict(
                                    {{"coord", pickle::array<float>("f4", {1, 2, 3}, {1, 3})},
                                     {"name", pickle::text("ellipsoid")}}))));
    const ProcessResult result =
        runThreefold({"inspect", rendering + "/00.png", rendering + "/rendering_metadata.txt",
                      bundledSample("02691156").string(), golden("plane_each.npz"),
                      testModelFile().string(), pickle, "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json documents = json::parse(result.output);
    std::vector<std::string> formats;
    for (const json& document : documents) formats.push_back(document.at("format"));
    EXPECT_THAT(formats, testing::ElementsAre("image", "rendering metadata", "sample", "npz",
                                              "safetensors", "pickle"));
    EXPECT_EQ(documents[0].at("arrays").size(), 4U);
    EXPECT_EQ(documents[1].at("facts").at("views"), "24");
    EXPECT_EQ(documents[2].at("facts").at("name"), "02691156_p0001_00");
    EXPECT_EQ(documents[5].at("arrays")[0].at("name"), "coord");
    EXPECT_EQ(documents[5].at("arrays")[0].at("mean"), 2.0);
}

TEST(Inspect, keepsEntriesOfTheFileApartFromFacts_whenTheirNamesAreEqual) {
    const TempFolder folder;
    const std::string tensors = (folder / "a.safetensors").string();
    writeSafetensors(tensors, {.arrays = {{"x", makeArray(std::vector<float>{1, 2}, {2})}},
                               .metadata = {{"SHA-256", "deadbeef"}, {"tensors", "99"}}});
    const std::string list = (folder / "list.txt").string();
    writeFileAtomically(list, std::string_view("samples_a_00.dat\nsamples_b_00.dat\n"));
    const std::string twice = (folder / "twice.pkl").string();
    writeFileAtomically(
        twice,
        std::string_view(pickle::pickled(pickle::dict(
            {{"a", pickle::dict({{"b", pickle::integer(1)}})}, {"a.b", pickle::integer(2)}}))));
    const ProcessResult result = runThreefold({"inspect", tensors, list, twice, "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json documents = json::parse(result.output);
    const auto entry = [](const char* name, const char* value) {
        return json{{"name", name}, {"value", value}};
    };
    EXPECT_EQ(documents[0].at("facts").at("tensors"), "1");
    EXPECT_NE(documents[0].at("facts").at("SHA-256"), "deadbeef");
    EXPECT_THAT(
        documents[0].at("entries"),
        testing::UnorderedElementsAre(entry("SHA-256", "deadbeef"), entry("tensors", "99")));
    EXPECT_EQ(documents[1].at("facts").at("samples"), "2");
    EXPECT_THAT(documents[1].at("entries"), testing::ElementsAre(entry("samples", "2")));
    EXPECT_THAT(documents[2].at("entries"),
                testing::IsSupersetOf({entry("a.b", "1"), entry("a.b", "2")}));
}

TEST(Inspect, printsNamesTypesShapesAndRanges_whenGivenAnNpz) {
    const ProcessResult result = runThreefold({"inspect", golden("plane_each.npz")});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("plane_each.npz: npz\n"));
    EXPECT_THAT(result.output,
                testing::ContainsRegex(R"(refined_2 +f32 +\[2466, 3\] +-?[0-9.]+ )"));
    EXPECT_THAT(result.output, testing::ContainsRegex(R"(camera +f32 +\[3, 5\] )"));
}

std::string checkpoint(const char* name) {
    return std::string(THREEFOLD_TEST_DATA) + "/engine/formats/data/weights/" + name;
}

TEST(Inspect, showsACheckpoint_whenGivenItsIndexPrefixOrData) {
    for (const char* name : {"two_shards.index", "two_shards", "two_shards.data-00000-of-00002"}) {
        const ProcessResult result = runThreefold({"inspect", checkpoint(name)});
        ASSERT_EQ(result.exitCode, 0) << result.errors;
        EXPECT_THAT(result.output, HasSubstr(": TensorFlow checkpoint\n"));
        EXPECT_THAT(result.output, testing::ContainsRegex("published names +5 weights of stage 1"));
        EXPECT_THAT(result.output,
                    testing::ContainsRegex("data file +two_shards.data-00001-of-00002"));
        EXPECT_THAT(result.output,
                    testing::ContainsRegex(R"(conv2d_1/W +f32 +\[1, 1, 2, 3\] +-1 … -0.375)"));
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(note +string +\[\])"));
    }
    const ProcessResult sliced = runThreefold({"inspect", checkpoint("sliced.index")});
    EXPECT_THAT(sliced.output, testing::ContainsRegex(R"(part +f32 in 2 slices +\[4, 3\])"));
}

TEST(Inspect, showsTheIndex_whenADataFileIsMissing) {
    const TempFolder folder;
    std::filesystem::copy_file(checkpoint("two_shards.index"), folder / "model.index");
    const ProcessResult result = runThreefold({"inspect", (folder / "model.index").string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("model.data-00000-of-00002, missing"),
                                     HasSubstr("meshnetmvp2m/cnn/conv2d_1/b")));
}

TEST(Inspect, showsAPyTorchArchive) {
    const ProcessResult result = runThreefold({"inspect", checkpoint("training.pt")});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr(": PyTorch archive\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex(R"(model.0.weight +f32 +\[3, 2\])"));
    const ProcessResult old = runThreefold({"inspect", checkpoint("old.pth")});
    EXPECT_EQ(old.exitCode, 1);
    EXPECT_THAT(old.errors, HasSubstr("before version 1.6"));
}

TEST(Inspect, listsHowFarEachBlockMoves_whenGivenAModel) {
    const ProcessResult result = runThreefold({"inspect", bundledModelFile().string()});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, testing::ContainsRegex("block 1 moves vertices by 0\\.00[1-9]"));
    EXPECT_THAT(result.output, testing::Not(HasSubstr("moves nothing")));
}

TEST(Inspect, countsTheSamples_whenGivenATestList) {
    const TempFolder folder;
    overwrite(folder / "test.txt", "a_1_00.dat\nb_1_00.dat\nb_2_00.dat\n");
    const ProcessResult result = runThreefold({"inspect", (folder / "test.txt").string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("test.txt: test list\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex("samples +3\n +a +1\n +b +2\n"));
}

TEST(Inspect, countsPathsAndReportsMissingPaths_whenAListHoldsFolders) {
    const TempFolder folder;
    std::filesystem::create_directories(folder / "mug");
    overwrite(folder / "mine.txt",
              bundledSample("02691156").string() + "\nmug\ncup\na_1_00.dat\nmug\n");
    const ProcessResult result = runThreefold({"inspect", (folder / "mine.txt").string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("mine.txt: test list\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex("samples +5\n +paths +4\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex("not found +1: line 3 'cup'\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex("named again +1: line 5 'mug'\n"));
    EXPECT_THAT(result.output, testing::ContainsRegex(" a +1\n"));
}

TEST(Inspect, countsAndNamesTheViewsWithoutAnImage) {
    const TempFolder folder;
    const std::filesystem::path sampleFolder = copySample("02691156", folder.path());
    std::filesystem::remove(sampleFolder / "rendering/00.png");
    std::filesystem::remove(sampleFolder / "rendering/07.png");
    const ProcessResult result = runThreefold({"inspect", sampleFolder.string(), "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json facts = json::parse(result.output).at(0).at("facts");
    EXPECT_EQ(facts.at("views"), "24");
    EXPECT_EQ(facts.at("missing"), "2 of 24 images are missing: view 0, view 7");
    EXPECT_EQ(facts.at("first image"), "137 × 137 pixels");
}

TEST(Inspect, listsTheExifDataOfAPhotograph) {
    const TempFolder folder;
    const std::string file = (folder / "photo.png").string();
    writePng(file, {40, 30, std::vector<std::uint8_t>(4 * 40 * 30, 200)});
    const ProcessResult plain = runThreefold({"inspect", file, "--json"});
    EXPECT_FALSE(json::parse(plain.output).at(0).at("facts").contains("orientation"));
    const std::string png(asText(readFile(file)));
    overwrite(file, test::pngWithExif(png, test::exifBytes(6, {{0xA405, 26}})));
    const ProcessResult result = runThreefold({"inspect", file, "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json facts = json::parse(result.output).at(0).at("facts");
    EXPECT_EQ(facts.at("size"), "30 × 40 pixels");
    EXPECT_EQ(facts.at("orientation"), "6 (EXIF): stored as 40 × 30 pixels, rotated when read");
    EXPECT_EQ(facts.at("focal length"), "26 mm, 35 mm equivalent (EXIF): 30 pixels unless cropped");
}

TEST(Inspect, leavesRangesOut_whenThereAreManyValues) {
    const TempFolder folder;
    const std::string file = (folder / "zeros.npy").string();
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (9000000,), }";
    header.append(117 - header.size(), ' ');
    overwrite(file, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n");
    std::filesystem::resize_file(file, 128 + 36'000'000);
    const ProcessResult result = runThreefold({"inspect", file});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("left out, there are 36 MB of values; --ranges looks"));
    EXPECT_THAT(result.output, HasSubstr("f32  [9000000]\n"));
    EXPECT_THAT(runThreefold({"inspect", file, "--ranges"}).output, HasSubstr("0 … 0, mean 0"));
    EXPECT_EQ(runThreefold({"inspect", file, "--ranges", "--no-ranges"}).exitCode, 2);
}

TEST(Inspect, givesTheMean_whenTheSumIsBeyondDoubles) {
    const TempFolder folder;
    const double values[2] = {1e308, 1e308};
    const std::string_view bytes(reinterpret_cast<const char*>(values), sizeof values);
    overwrite(folder / "huge.npy", npy("'<f8'", {2}, bytes));
    EXPECT_THAT(runThreefold({"inspect", (folder / "huge.npy").string()}).output,
                HasSubstr("1e+308 … 1e+308, mean 1e+308"));
}

TEST(Inspect, leavesRangesOut_whenAsked) {
    const ProcessResult result = runThreefold({"inspect", testModelFile().string(), "--no-ranges"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.output, AllOf(HasSubstr("stage1.cnn.conv1.weight"), HasSubstr("SHA-256")));
    EXPECT_THAT(result.output, testing::Not(HasSubstr(", mean ")));
}

TEST(Inspect, continues_whenAFileIsOfNoKnownKind) {
    const TempFolder folder;
    overwrite(folder / "nonsense.bin", "\x01\x02 nothing that anybody reads");
    const ProcessResult result =
        runThreefold({"inspect", (folder / "nonsense.bin").string(), (folder / "none").string(),
                      golden("plane_each.npz"), "--no-ranges"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors,
                AllOf(HasSubstr("nonsense.bin"), HasSubstr("none: there is no such")));
    EXPECT_THAT(result.output, HasSubstr("refined_2"));
}

TEST(Inspect, hasAnEntryForEachFile_readableOrNot) {
    const ProcessResult result =
        runThreefold({"inspect", "--json", "none.obj", golden("plane_each.npz")});
    EXPECT_EQ(result.exitCode, 1);
    const json documents = json::parse(result.output);
    ASSERT_EQ(documents.size(), 2U);
    EXPECT_EQ(documents[0]["file"], "none.obj");
    EXPECT_THAT(documents[0]["error"].get<std::string>(), HasSubstr("none.obj"));
    EXPECT_FALSE(documents[1].contains("error"));
}

TEST(Inspect, listsArraysOfTextObjectsAndRecords_withAndWithoutRanges) {
    const TempFolder folder;
    const Array points = makeArray(std::vector<float>{1, 2, 3}, {1, 3});
    overwrite(folder / "a.npz", zipped({{"names.npy", npy("'<U1'", {2}, "a\0\0\0b\0\0\0")},
                                        {"objects.npy", npy("'|O'", {2}, "pickled")},
                                        {"points.npy", npy(points)},
                                        {"rows.npy", npy("[('a', '<f4')]", {1}, "abcd")}}));
    overwrite(folder / "a.npy", npy("'|S3'", {1}, "abc"));
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{}, {"--no-ranges"}}) {
        std::vector<std::string> command = {"inspect", (folder / "a.npz").string(),
                                            (folder / "a.npy").string()};
        command.insert(command.end(), more.begin(), more.end());
        const ProcessResult result = runThreefold(command);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(names +text <U1 +\[2\])"));
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(objects +objects +\[2\])"));
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(points +f32 +\[1, 3\])"));
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(rows +records +\[1\])"));
        EXPECT_THAT(result.output, testing::ContainsRegex(R"(array +text \|S3 +\[1\])"));
    }
}

TEST(Inspect, namesTheKindOfAFile_whenThatKindIsNotRead) {
    const std::string zeros(64, '\0');
    struct Foreign {
        const char* name;
        std::string bytes;
        const char* kind;
        const char* remedy;
    };
    const TempFolder folder;
    for (const auto& [name, bytes, kind, remedy] : std::vector<Foreign>{
             {"a.gif", "GIF89a\1" + zeros, "is a GIF image", "Convert it to PNG or JPEG."},
             {"a.tif", "II*" + zeros, "is a TIFF image", "Convert it to PNG or JPEG."},
             {"a.bmp", "BMxx" + std::string(10, '\0') + "(" + zeros, "is a BMP image",
              "Convert it to PNG or JPEG."},
             {"a.obj", "Kaydara FBX Binary  ", "is an FBX scene", "as OBJ, PLY"},
             {"a.yaml", "Images:\n  - a.png\n", "is a YAML file", "transforms.json"},
             {"a.gz", "\x1f\x8b\x08", "is packed with gzip", "Unpack it"},
             {"a.zip", zipped({{"a.png", "x"}, {"b.png", "y"}}),
              "is a zip archive without arrays, of 2 files", "Unpack it"},
             {"a.docx", zipped({{"[Content_Types].xml", "x"}}), "is an Office document",
              "Save its pictures"}}) {
        overwrite(folder / name, bytes);
        const ProcessResult result = runThreefold({"inspect", (folder / name).string()});
        EXPECT_EQ(result.exitCode, 1) << name;
        EXPECT_THAT(result.errors, AllOf(HasSubstr(name), HasSubstr(kind), HasSubstr(remedy),
                                         testing::Not(HasSubstr("damaged"))));
        EXPECT_EQ(result.output, "") << name;
    }
}

TEST(Inspect, doesNotReportATextFileAsADamagedPickle) {
    const TempFolder folder;
    overwrite(folder / "notes.md", "Images of chairs\nand more of them\n");
    overwrite(folder / "list.csv", "Index,Name\n1,chair\n");
    for (const char* name : {"notes.md", "list.csv"}) {
        const ProcessResult result = runThreefold({"inspect", (folder / name).string()});
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors, AllOf(HasSubstr("is in no format that Threefold reads"),
                                         testing::Not(HasSubstr("damaged"))));
    }
    // A pickle of protocol 0 is ASCII text; this one is recognised, and reported as damaged.
    overwrite(folder / "cut.pkl", "(lp0\nI1\naI");
    EXPECT_THAT(runThreefold({"inspect", (folder / "cut.pkl").string()}).errors,
                HasSubstr("damaged"));
}

TEST(Inspect, refusesAnEmptyText) {
    const TempFolder folder;
    for (const char* text : {"", "\n \n", "# nothing\n"}) {
        overwrite(folder / "list.txt", text);
        const ProcessResult result = runThreefold({"inspect", (folder / "list.txt").string()});
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.errors,
                    HasSubstr("list.txt: is empty: it names neither samples nor cameras"));
    }
}

TEST(Inspect, reportsALoopOfLinks) {
    const TempFolder folder;
    std::filesystem::create_symlink("self.obj", folder / "self.obj");
    const ProcessResult result = runThreefold({"inspect", (folder / "self.obj").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr("self.obj: is a link in a loop of links"));
}

TEST(Inspect, namesTheCallable_whenAPickleWouldRunOne) {
    const TempFolder folder;
    overwrite(folder / "evil.dat", "cos\nsystem\n(S'true'\ntR.");
    const ProcessResult result = runThreefold({"inspect", (folder / "evil.dat").string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, AllOf(HasSubstr("evil.dat"), HasSubstr("os.system")));
}

TEST(Inspect, staysShort_whenAPickleNamesOneValueManyTimes) {
    // Each list holds the previous list ten times: 10^4 lists in a file of a hundred bytes.
    std::string bytes = "\x80\x02]q";
    bytes += '\0';
    for (char level = 1; level <= 4; ++level) {
        bytes += "](";
        for (int i = 0; i < 10; ++i) bytes += std::string("h") + static_cast<char>(level - 1);
        bytes += std::string("eq") + level;
    }
    const TempFolder folder;
    overwrite(folder / "many.dat", bytes + '.');
    const ProcessResult result = runThreefold({"inspect", (folder / "many.dat").string()});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_LT(result.output.size(), 200000U);
    EXPECT_THAT(result.output, HasSubstr("left out"));
}

TEST(Inspect, listsTheFormatsThatTheDocumentsList) {
    const ProcessResult result = runThreefold({"inspect", "--formats", "--json"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    const json formats = json::parse(result.output);
    const std::vector<std::byte> bytes = readFile(
        std::filesystem::path(THREEFOLD_TEST_DATA) / "../docs/OWN_DATA.md", kMaxContentBytes);
    const std::string page(asText(bytes));
    const std::string text = runThreefold({"inspect", "--formats"}).output;
    EXPECT_GE(formats["cameras"].size(), 5U);
    for (const json& format : formats["cameras"]) {
        EXPECT_THAT(text, HasSubstr(format["name"].get<std::string>()));
        for (const std::string file : format["files"])
            EXPECT_THAT(page, HasSubstr("`" + file + "`"));
    }
    for (const json& format : formats["meshes"])
        EXPECT_THAT(text, HasSubstr(format["name"].get<std::string>()));
    EXPECT_EQ(runThreefold({"inspect"}).exitCode, 2);
}

}  // namespace
}  // namespace threefold::test
