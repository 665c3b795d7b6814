#include "tests/hostile/whole_files.h"

#include <gmock/gmock.h>

#include "tests/engine/evaluation/masked_reports.h"

namespace threefold::test {

CompleteFiles::Words CompleteFiles::reconstruct(const std::string& out) const {
    return {"reconstruct", data_.list().string(),
            "--images",    (data_.root() / "ShapeNetRendering").string(),
            "--format",    "obj,xyz,ply,glb,stl",
            "--stage",     "all",
            "-o",          (folder_ / out).string()};
}

CompleteFiles::Words CompleteFiles::eval(const std::string& out, const char* start) const {
    return {"eval", data_.list().string(), "--warmup", "0", start, "-o", (folder_ / out).string()};
}

void CompleteFiles::runUndisturbed(const Words& words, const std::string& out) {
    const ProcessResult result = runWithTimeout(words);
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    undisturbed_ = maskedFiles(folder_ / out);
    ASSERT_FALSE(undisturbed_.empty());
}

void CompleteFiles::expectSameFiles(const std::string& out, bool killed) const {
    if (!std::filesystem::exists(folder_ / out)) return;
    for (const auto& file : maskedFiles(folder_ / out)) {
        const bool temporary = file.first.find(".threefold-") != std::string::npos;
        EXPECT_TRUE(temporary ? killed : testing::Value(undisturbed_, testing::Contains(file)))
            << file.first << (temporary ? " was left behind" : " is not whole");
    }
}

void CompleteFiles::expectResumes(const std::string& out) const {
    const ProcessResult result = runWithTimeout(eval(out, "--resume"));
    EXPECT_EQ(result.exitCode, 0) << result.errors;
    const auto files = maskedFiles(folder_ / out);
    EXPECT_EQ(files.size(), undisturbed_.size());
    expectSameFiles(out);
}

}  // namespace threefold::test
