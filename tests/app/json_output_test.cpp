#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/meshes/mesh_writing.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// U+0085 and U+009B, DEL, ESC, a newline, a quote and a backslash.
const std::string kOdd = "n\xc2\x85\xc2\x9b\x7f\x1b[m\n\"\\é";
/// Bytes that are not UTF-8, and their replacement characters (U+FFFD) in a document.
const std::string kNotUtf8 = "o\xff\xc2";
const std::string kReplaced = "o\xef\xbf\xbd\xef\xbf\xbd";

bool anyText(const json& value, const std::string& part) {
    if (value.is_string()) return value.get<std::string>().find(part) != std::string::npos;
    return value.is_structured() && std::any_of(value.begin(), value.end(), [&](const json& below) {
               return anyText(below, part);
           });
}

/// Parses a JSON document; fails the test if it holds a control character other than line feed.
json documentOf(const std::string& text) {
    const json document = json::parse(text, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const bool isC1Control = byte == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        EXPECT_FALSE((byte < 0x20 && byte != '\n') || byte == 0x7F || isC1Control) << text;
    }
    return document;
}

/// Fixture with files and folders whose names hold control characters, to be given to every command
/// that prints JSON.
class JsonOutput : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string mesh(const std::string& name) const {
        writeMesh(folder_ / name, MeshFormat::obj,
                  {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
        return path(name);
    }
    static void expectName(const std::vector<std::string>& arguments, const std::string& name,
                           const std::string& shown) {
        const ProcessResult result = runThreefold(arguments);
        SCOPED_TRACE(arguments.front() + " " + result.errors);
        EXPECT_TRUE(anyText(documentOf(result.output), shown)) << name << result.output;
    }
    static void expectName(const std::vector<std::string>& arguments) {
        expectName(arguments, kOdd, kOdd);
    }

    TempFolder folder_;
};

TEST_F(JsonOutput, holdsAnyFileName_whenCommandsReadFiles) {
    const std::string odd = mesh(kOdd + ".obj");
    expectName({"inspect", odd, "--json"});
    expectName({"score", odd, odd, "--json"});
    expectName({"render", odd, "-o", path("samples"), "--views", "2", "--size", "64", "--json"});
    expectName({"doctor", "--model", path(kOdd), "--json"});
    overwrite(path(kOdd + ".toml"), "[network]\nthreads = 1\n");
    expectName({"config", "--config", path(kOdd + ".toml"), "--json"});
}

TEST_F(JsonOutput, replacesBytes_thatAreNotUtf8) {
    const std::string odd = mesh(kNotUtf8 + ".obj");
    expectName({"inspect", odd, "--json"}, kNotUtf8, kReplaced);
    expectName({"score", odd, odd, "--json"}, kNotUtf8, kReplaced);
    expectName({"render", odd, "-o", path("samples"), "--views", "2", "--size", "64", "--json"},
               kNotUtf8, kReplaced);
    expectName({"doctor", "--model", path(kNotUtf8), "--json"}, kNotUtf8, kReplaced);
}

TEST_F(JsonOutput, holdsAnyFileName_whenCommandsReconstruct) {
    const fs::path sample = copySample("02691156", folder_ / kOdd);
    expectName({"reconstruct", sample.string(), "-o", path("out" + kOdd), "--json"});
    expectName({"eval", sample.string(), "-o", path("eval"), "--json"});
    expectName({"merge", path("eval"), "-o", path("merged" + kOdd), "--json"});
}

TEST_F(JsonOutput, holdsAnyFileName_inTheLinesOfABenchmark) {
    const fs::path sample = copySample("02691156", folder_.path());
    fs::rename(sample.parent_path(), sample.parent_path().parent_path() / kOdd);
    fs::create_directory(folder_ / "gt");
    fs::copy_file(fs::path(THREEFOLD_RESOURCES) / "samples/gt/02691156_p0001_00.dat",
                  folder_ / "gt" / (kOdd + "_p0001_00.dat"));
    const ProcessResult result =
        runThreefold({"bench", "views", "--samples", path("ShapeNetRendering"), "--json-lines"});
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    std::istringstream lines(result.output);
    bool named = false;
    for (std::string line; std::getline(lines, line);)
        named = anyText(documentOf(line), kOdd) || named;
    EXPECT_TRUE(named) << result.output;
}

}  // namespace
}  // namespace threefold::test
