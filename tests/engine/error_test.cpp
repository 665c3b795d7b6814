#include "engine/error.h"

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Error, joinsAllParts_whenAllAreGiven) {
    const FormatError error({"a.npz", "byte 12", "bad magic", "Use another file."});
    EXPECT_STREQ(error.what(), "a.npz: byte 12: bad magic. Use another file.");
}

TEST(Error, leavesOutParts_whenTheyAreEmpty) {
    EXPECT_STREQ(IoError({"a.npz", "", "not there", ""}).what(), "a.npz: not there");
    EXPECT_STREQ(Cancelled().what(), "cancelled");
}

}  // namespace
}  // namespace threefold
