// Files from real use (tests/wild). Each line of cases.txt holds a command line, its exit code and
// parts of its output; the test runs the command line, and compares the exit code and the output.
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/text.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

const std::filesystem::path kRealWorldFiles = std::filesystem::path(THREEFOLD_TEST_DATA) / "wild";

/// Text in which each run of blanks and line ends is replaced by one blank.
std::string squeezed(const std::string& text) {
    std::istringstream words(text);
    std::string all;
    for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
    return all;
}

void replaceAll(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
        text.replace(at, what.size(), by);
}

TEST(RealWorldFiles, areReadOrRefused_asTheirTableExpects) {
    const std::vector<std::byte> bytes = readFile(kRealWorldFiles / "cases.txt", kMaxContentBytes);
    std::size_t cases = 0;
    for (const std::string& line : split(asText(bytes), '\n')) {
        if (line.empty() || line.front() == '#') continue;
        SCOPED_TRACE(line);
        const std::vector<std::string> columns = split(line, '|');
        ASSERT_EQ(columns.size(), 3U);
        const TempFolder folder;
        std::vector<std::string> arguments;
        std::istringstream words(columns[0]);
        for (std::string word; words >> word;) {
            replaceAll(word, "{}", kRealWorldFiles.string());
            replaceAll(word, "OUT", (folder / "out").string());
            replaceAll(word, "SAMPLES", std::string(THREEFOLD_RESOURCES) + "/samples");
            arguments.push_back(word);
        }
        const ProcessResult result = runThreefold(arguments);
        const std::string output = squeezed(result.output + ' ' + result.errors);
        EXPECT_EQ(std::to_string(result.exitCode), trimmed(columns[1], " ")) << output;
        for (const std::string& expected : split(columns[2], ';'))
            EXPECT_THAT(output, HasSubstr(trimmed(expected, " ")));
        ++cases;
    }
    EXPECT_GT(cases, 25U);
}

TEST(RealWorldFiles, giveCameraRowsToTheirViews_whenNamesHaveNoLeadingZeros) {
    const TempFolder folder;
    const auto meshOf = [&](const char* name) {
        const ProcessResult result =
            runThreefold({"reconstruct", (kRealWorldFiles / name).string(), "--views", "0,4,8",
                          "-o", folder.path().string()});
        EXPECT_EQ(result.exitCode, 0) << result.errors;
        return readFile(folder / (std::string(name) + "_predict.obj"), kMaxContentBytes);
    };
    EXPECT_EQ(meshOf("metadata_unpadded_names"), meshOf("metadata_padded_names_right"));
}

}  // namespace
}  // namespace threefold::test
