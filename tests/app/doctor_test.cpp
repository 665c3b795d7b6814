#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "tests/app/process.h"
#include "tests/support/models.h"

namespace threefold::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json checkNamed(const json& document, const std::string& subject) {
    for (const json& check : document.at("checks")) {
        if (check.at("subject") == subject) return check;
    }
    ADD_FAILURE() << "no check of " << subject;
    return {};
}

TEST(Doctor, succeeds_whenNothingIsMissing) {
    StartOptions options;
    options.environment = {{"THREEFOLD_RESOURCES", ""}};  // empty: the resources beside the program
    const ProcessResult result = runThreefold({"doctor", "--json"}, options);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    const json document = json::parse(result.output);
    for (const char* subject :
         {"processor", "threads", "memory", "oneDNN", "precisions", "model", "samples"}) {
        EXPECT_NE(checkNamed(document, subject).at("status"), "missing") << subject;
    }
    const std::string precisions = checkNamed(document, "precisions").at("found");
    EXPECT_THAT(precisions,
                testing::ContainsRegex("matrix products on one thread: float32 [1-9][0-9]*"));
    const std::string model = checkNamed(document, "model").at("found");
    EXPECT_THAT(model, HasSubstr(sha256(readFile(bundledModelFile()))));
    for (const json& check : document.at("checks")) {
        const bool ok = check.at("status") == "ok";
        EXPECT_EQ(check.at("remedy").get<std::string>().empty(), ok) << check;
    }
}

TEST(Doctor, namesTheRemedy_whenTheModelIsMissing) {
    const ProcessResult result = runThreefold({"doctor", "--model", "/no/such/model.safetensors"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output,
                testing::ContainsRegex("missing  model +/no/such/model.safetensors: .*\\. .*\\."));
}

TEST(Doctor, succeeds_whenThereIsNoDisplay) {
    StartOptions options;
    options.unsetVariables = {"DISPLAY", "WAYLAND_DISPLAY"};
    const ProcessResult result = runThreefold({"doctor", "--json"}, options);
    EXPECT_EQ(result.exitCode, 0);
    const json display = checkNamed(json::parse(result.output), "display");
    EXPECT_NE(display.at("status"), "ok");
    EXPECT_FALSE(display.at("remedy").get<std::string>().empty());
}

}  // namespace
}  // namespace threefold::test
