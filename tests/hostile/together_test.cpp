#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hostile/whole_files.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

/// Fixture for two runs that write into one folder at once.
class Together : public CompleteFiles {
  protected:
    Together() : CompleteFiles(1) {}
};

TEST_F(Together, evalRefusesTheLaterRun_orBothWriteTheSameFiles) {
    runUndisturbed(eval("whole", "--overwrite"), "whole");
    for (int i = 0; i < rounds(1); ++i) {
        const std::string out = "both" + std::to_string(i);
        Process one(eval(out, "--overwrite"), withTimeout());
        Process other(eval(out, i % 2 == 0 ? "--overwrite" : "--resume"), withTimeout());
        const ProcessResult result[] = {one.wait(), other.wait()};
        EXPECT_TRUE(result[0].exitCode == 0 || result[1].exitCode == 0);
        for (const ProcessResult& each : result) {
            expectOrderly(each);
            if (each.exitCode == 0) continue;
            EXPECT_THAT(each.errors, HasSubstr("another run is writing to it"));
        }
        expectSameFiles(out);
        expectResumes(out);
    }
}

TEST_F(Together, reconstructsWriteWholeMeshes) {
    runUndisturbed(reconstruct("whole"), "whole");
    Process one(reconstruct("both"), withTimeout());
    Process other(reconstruct("both"), withTimeout());
    for (Process* const each : {&one, &other}) {
        const ProcessResult result = each->wait();
        expectOrderly(result);
        EXPECT_EQ(result.exitCode, 0) << result.errors;
    }
    expectSameFiles("both");
}

}  // namespace
}  // namespace threefold::test
