#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/bundled.h"
#include "tests/hostile/watched.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;

/// Whether the text has control characters that a terminal would obey: those below U+0020 except
/// tab and line feed, U+007F, and U+0080 to U+009F in UTF-8.
bool controlsTheTerminal(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        if ((byte < 0x20 && text[i] != '\n' && text[i] != '\t') || byte == 0x7F) return true;
        if (byte == 0xC2 && next >= 0x80 && next < 0xA0) return true;
    }
    return false;
}

/// Every byte from `first` to `last` that a file name may contain.
std::string bytes(int first, int last) {
    std::string text;
    for (int byte = first; byte <= last; ++byte) {
        if (byte != '/') text += static_cast<char>(byte);
    }
    return text;
}

/// File names, one with each byte and one with each control character from U+0080 to U+009F.
std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const char byte : bytes(1, 255)) all.push_back(std::string("a") + byte + "b");
    for (const char byte : bytes(0x80, 0x9F)) all.push_back(std::string("a\xC2") + byte + "b");
    return all;
}

class NameBytes : public testing::Test {
  protected:
    /// Writes a mesh file for each name, and returns the paths.
    std::vector<std::string> meshes() const {
        std::vector<std::string> files;
        for (const std::string& name : names()) {
            files.push_back((folder_ / (name + ".obj")).string());
            std::ofstream(files.back()) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        }
        return files;
    }

    void expectPrintable(const ProcessResult& result) const {
        EXPECT_FALSE(controlsTheTerminal(result.output)) << testing::PrintToString(result.output);
        EXPECT_FALSE(controlsTheTerminal(result.errors)) << testing::PrintToString(result.errors);
    }

    const TempFolder folder_;
};

TEST_F(NameBytes, doNotReachTheTerminal_whenFilesAreInspected) {
    std::vector<std::string> words = meshes();
    words.insert(words.begin(), "inspect");
    const ProcessResult result = runWithTimeout(words);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    expectPrintable(result);
}

TEST_F(NameBytes, doNotReachTheTerminal_whenFilesAreAbsent) {
    for (const std::string& bytesOfRange : {bytes(1, 63), bytes(64, 127), bytes(128, 255)}) {
        const std::string absent = (folder_ / ("a" + bytesOfRange)).string();
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"inspect", absent},
              std::vector<std::string>{"score", absent, absent},
              std::vector<std::string>{"render", absent, "-o", absent},
              std::vector<std::string>{"reconstruct", absent, "-o", absent},
              std::vector<std::string>{"eval", absent, "-o", absent, "--images", absent},
              std::vector<std::string>{"merge", absent, "-o", absent},
              std::vector<std::string>{"--config", absent, "config"},
              std::vector<std::string>{absent, absent}}) {
            const ProcessResult result = runWithTimeout(words);
            EXPECT_NE(result.exitCode, 0);
            expectPrintable(result);
        }
    }
}

TEST_F(NameBytes, doNotReachTheTerminal_whenMeshesAreScored) {
    const std::vector<std::string> files = meshes();
    for (std::size_t i = 0; i < files.size(); i += 23) {
        const ProcessResult result = runWithTimeout({"score", files[i], files[i]});
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        expectPrintable(result);
    }
}

TEST_F(NameBytes, areKept_whenMeshesAreWritten) {
    const std::string out = (folder_ / ("out" + bytes(1, 127))).string();
    const std::string names[] = {"a" + bytes(1, 127), "a" + bytes(128, 255)};
    std::vector<std::string> words = {"reconstruct", "-o", out, "--format", "obj"};
    const fs::path rendering = copySample("02691156", folder_.path()) / "rendering";
    for (const std::string& name : names) {
        const fs::path item = folder_ / "ShapeNetRendering/02691156" / name;
        fs::create_directory(item);
        fs::create_directory_symlink(rendering, item / "rendering");
        words.push_back(item.string());
    }
    const ProcessResult result = runWithTimeout(words);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    expectPrintable(result);
    EXPECT_THAT(filesIn(out),
                testing::UnorderedElementsAre("02691156_" + names[0] + "_00_predict.obj",
                                              "02691156_" + names[1] + "_00_predict.obj"));
}

TEST_F(NameBytes, giveValidJson) {
    std::vector<std::string> words = meshes();
    words.insert(words.begin(), {"inspect", "--json"});
    const ProcessResult result = runWithTimeout(words);
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_FALSE(controlsTheTerminal(result.output));
    const auto document = nlohmann::json::parse(result.output, nullptr, false);
    ASSERT_FALSE(document.is_discarded());
    EXPECT_EQ(document.size(), names().size());
}

}  // namespace
}  // namespace threefold::test
