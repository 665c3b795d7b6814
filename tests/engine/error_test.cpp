#include "engine/error.h"

#include <string>

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

TEST(Error, isOneLine_whenAFileNameHasALineBreak) {
    const FormatError error({"a\nb\x1b[31m.npz", "", "bad\tmagic\x7f", "Café."});
    EXPECT_STREQ(error.what(), R"(a\nb\x1b[31m.npz: bad\x09magic\x7f. Café.)");
    EXPECT_EQ(error.report().subject, "a\nb\x1b[31m.npz");
}

TEST(Error, escapesControls_whenTheyAreOfTwoBytes) {
    const FormatError error({"a\xc2\x9b.npz", "", "bad magic", ""});
    EXPECT_STREQ(error.what(), R"(a\xc2\x9b.npz: bad magic)");
}

TEST(Error, showsEveryPart_whenOneHoldsANul) {
    using std::string_literals::operator""s;
    const FormatError error({"a\0.npz"s, "entry '\0'"s, "bad\0magic"s, "Use another file."});
    EXPECT_STREQ(error.what(), R"(a\x00.npz: entry '\x00': bad\x00magic. Use another file.)");
    EXPECT_EQ(error.report().problem, R"(bad\x00magic)");
}

}  // namespace
}  // namespace threefold
