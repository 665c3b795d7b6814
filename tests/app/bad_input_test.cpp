#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "engine/formats/files/file_bytes.h"
#include "tests/app/bundled.h"
#include "tests/app/process.h"
#include "tests/app/refusal.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Each test damages one file or argument and checks the program's message about it.
class BadInput : public testing::Test {
  protected:
    ProcessResult reconstruct(const std::string& sample, std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"reconstruct", sample, "-o", out()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runThreefold(arguments);
    }

    std::string out() const { return (folder_ / "out").string(); }

    /// Expects an error of one line with subject and remedy, and no output folder.
    void expectRefused(const ProcessResult& result, int exitCode,
                       const std::string& subject) const {
        EXPECT_EQ(result.exitCode, exitCode) << result.errors;
        expectOneError(result.errors, subject);
        EXPECT_THAT(result.output, IsEmpty());
        EXPECT_FALSE(std::filesystem::exists(out()));
    }

    const TempFolder folder_;
};

TEST_F(BadInput, isRefused_whenTheSampleIsMissing) {
    const std::string missing = (folder_ / "nowhere").string();
    expectRefused(reconstruct(missing), 1, missing);
}

TEST_F(BadInput, isRefused_whenAnImageIsTruncated) {
    const auto sampleFolder = copySample("02691156", folder_.path());
    shorten(sampleFolder / "rendering/06.png", 1000);
    expectRefused(reconstruct(sampleFolder.string()), 1, "06.png");
}

TEST_F(BadInput, isRefused_whenAnImageIsEmpty) {
    const auto sampleFolder = copySample("02691156", folder_.path());
    shorten(sampleFolder / "rendering/07.png", 0);
    expectRefused(reconstruct(sampleFolder.string()), 1, "07.png");
}

TEST_F(BadInput, isRefused_whenTheMetadataIsDamaged) {
    const auto sampleFolder = copySample("02691156", folder_.path());
    overwrite(sampleFolder / "rendering/rendering_metadata.txt",
              "10 20 0 0.7 25\n30 twenty 0 0.7 25\n");
    const ProcessResult result = reconstruct(sampleFolder.string());
    expectRefused(result, 1, "rendering_metadata.txt");
    EXPECT_THAT(result.errors, HasSubstr("line 2"));
}

TEST_F(BadInput, isRefused_whenTheModelIsMissing) {
    const std::string missing = (folder_ / "none.safetensors").string();
    expectRefused(reconstruct(bundledSample("02691156").string(), {"--model", missing}), 1,
                  missing);
}

TEST_F(BadInput, isRefused_whenTheModelIsTruncated) {
    const auto model = folder_ / "short.safetensors";
    std::filesystem::copy_file(testModelFile(), model);
    std::filesystem::permissions(model, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    shorten(model, std::filesystem::file_size(model) / 2);
    expectRefused(reconstruct(bundledSample("02691156").string(), {"--model", model.string()}), 1,
                  "short.safetensors");
}

TEST_F(BadInput, isRefused_whenTheModelIsAnotherKindOfFile) {
    const auto model = folder_ / "text.safetensors";
    overwrite(model, "these are not weights, however long one looks at them\n");
    expectRefused(reconstruct(bundledSample("02691156").string(), {"--model", model.string()}), 1,
                  "text.safetensors");
}

TEST_F(BadInput, isRefused_whenTheOutputIsAFile) {
    overwrite(folder_ / "out", "a file in the way");
    const ProcessResult result = reconstruct(bundledSample("02691156").string());
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr(out()));
    EXPECT_THAT(result.errors, HasSubstr("Choose another folder"));
    EXPECT_THAT(filesIn(folder_.path()), ElementsAre("out"));
}

TEST_F(BadInput, isRefused_whenTheOutputCannotBeMade) {
    overwrite(folder_ / "file", "not a folder");
    const std::string below = (folder_ / "file/below").string();
    const ProcessResult result =
        runThreefold({"reconstruct", bundledSample("02691156").string(), "-o", below});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.errors, HasSubstr(below));
    EXPECT_THAT(filesIn(folder_.path()), ElementsAre("file"));
}

TEST_F(BadInput, isRefused_whenAViewIsMissing) {
    const ProcessResult result =
        reconstruct(bundledSample("02691156").string(), {"--views", "0,6,24"});
    expectRefused(result, 1, "24");
}

TEST_F(BadInput, isWrongUsage_whenTheViewsAreImpossible) {
    const std::string sample = bundledSample("02691156").string();
    for (const char* views : {"0", "0,6,6", "0,1,2,3,4,5,6,7,8", "0,-1,6"}) {
        SCOPED_TRACE(views);
        expectRefused(reconstruct(sample, {std::string("--views=") + views}), 2, "--views");
    }
}

TEST_F(BadInput, isRefused_whenAListIsEmpty) {
    overwrite(folder_ / "list.txt", "# nothing\n\n");
    expectRefused(reconstruct((folder_ / "list.txt").string()), 1, "list.txt");
}

TEST_F(BadInput, isReportedBesideTheOtherResults_whenOnlySomeSamplesAreBad) {
    const auto bad = copySample("02691156", folder_.path());
    shorten(bad / "rendering/00.png", 500);
    const ProcessResult result = reconstruct(
        bad.string(), {bundledSample("03001627").string(), "--format", "obj", "--json"});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("00.png"));
    EXPECT_THAT(filesIn(out()), ElementsAre("03001627_p0001_00_predict.obj"));
    const auto document = nlohmann::json::parse(result.output);
    EXPECT_EQ(document.at("done"), 1);
    EXPECT_EQ(document.at("failed"), 1);
    EXPECT_FALSE(document.at("samples").at(0).at("ok"));
    EXPECT_THAT(document.at("samples").at(0).at("error").get<std::string>(), HasSubstr("00.png"));
    EXPECT_TRUE(document.at("samples").at(1).at("ok"));
}

TEST_F(BadInput, isReported_whenASampleIsNamedTwice) {
    const std::string sample = bundledSample("03001627").string();
    const ProcessResult result = reconstruct(sample, {sample});
    EXPECT_EQ(result.exitCode, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("same name"));
}

TEST_F(BadInput, costsOnlyTheMeasures_whenTheTruthIsDamaged) {
    const auto sampleFolder = copySample("03001627", folder_.path());
    std::filesystem::create_directories(folder_ / "gt");
    overwrite(folder_ / "gt/03001627_p0001_00.dat", "cos\nsystem\n(S'true'\ntR.");
    const ProcessResult result = reconstruct(sampleFolder.string(), {"--json"});
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("os.system"));
    const auto document = nlohmann::json::parse(result.output);
    EXPECT_FALSE(document.at("samples").at(0).contains("measures"));
    EXPECT_THAT(filesIn(out()), testing::SizeIs(2));
}

/// Standard error of the program under a memory limit just above the need of its start. Expects
/// exit code 1.
std::string errorsWithoutMemory(const TempFolder& folder,
                                const std::vector<std::string>& arguments) {
    std::string line = "ulimit -v 1040000; exec '" THREEFOLD_PROGRAM "'";
    for (const std::string& argument : arguments) line += " '" + argument + "'";
    const std::string said = (folder / "said").string();
    const int status = std::system((line + " 2> '" + said + "'").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1);
    std::ifstream stream(said);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(WithoutMemory, namesTheFileOrTheCommand_whenMemoryRunsOut) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the address sanitizer cannot start with so little";
#endif
    const TempFolder folder;
    const std::string large = (folder / "large.obj").string();
    overwrite(large, "");
    std::filesystem::resize_file(large, kMaxContentBytes);  // sparse: occupies no disk space
    const std::string unread = "threefold: " + large +
                               ": cannot be read: Cannot allocate memory. Close other programs, or "
                               "raise the limit of `ulimit -v`.\n";
    EXPECT_EQ(errorsWithoutMemory(folder, {"inspect", large}), unread);
    EXPECT_EQ(errorsWithoutMemory(folder, {"score", large, large}), unread);
    EXPECT_EQ(errorsWithoutMemory(folder, {"convert", "--stage1", large, "--stage2", large,
                                           "--template", large, "-o", (folder / "m").string()}),
              "threefold: threefold convert: not enough memory. Close other programs, or raise the "
              "limit of `ulimit -v`.\n");
}

}  // namespace
}  // namespace threefold::test
