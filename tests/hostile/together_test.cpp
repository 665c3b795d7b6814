#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/hostile/whole_files.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

/// Two runs into one folder at once.
class Together : public CompleteFiles {
  protected:
    Together() : CompleteFiles(1) {}
};

TEST_F(Together, evalsRefuseTheLaterOrEndInTheSameFiles) {
    runUndisturbed(eval("whole", "--overwrite"), "whole");
    for (int i = 0; i < rounds(1); ++i) {
        const std::string out = "both" + std::to_string(i);
        Process one(eval(out, "--overwrite"), withTimeout());
        Process other(eval(out, i % 2 == 0 ? "--overwrite" : "--resume"), withTimeout());
        const ProcessResult ended[] = {one.wait(), other.wait()};
        EXPECT_TRUE(ended[0].exitCode == 0 || ended[1].exitCode == 0);
        for (const ProcessResult& each : ended) {
            expectOrderly(each);
            if (each.exitCode == 0) continue;
            EXPECT_THAT(each.err, HasSubstr("another run is writing to it"));
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
        const ProcessResult ended = each->wait();
        expectOrderly(ended);
        EXPECT_EQ(ended.exitCode, 0) << ended.err;
    }
    expectSameFiles("both");
}

}  // namespace
}  // namespace threefold::test
