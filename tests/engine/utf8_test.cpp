#include "engine/utf8.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/meshes/mesh_files.h"
#include "tests/support/message_of.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;

TEST(Utf8, isRecognised) {
    for (const char* text : {"", "abc", "a\u00e9\u20ac\U0001F600", "\xef\xbf\xbd"})
        EXPECT_TRUE(isUtf8(text)) << text;
}

TEST(Utf8, isRefused_whenCutOverlongTooLargeOrASurrogate) {
    for (const char* text : {"\xe9", "a\xe2\x82", "\xc0\xaf", "\xe0\x80\x80", "\xf4\x90\x80\x80",
                             "\xed\xa0\x80", "\x80"})
        EXPECT_FALSE(isUtf8(text)) << text;
}

TEST(TextPrefix, endsBetweenCharacters) {
    EXPECT_EQ(textPrefix("abc", 3), "abc");
    EXPECT_EQ(textPrefix("abcd", 3), "abc");
    EXPECT_EQ(textPrefix("a\u00e9", 2), "a");
    EXPECT_EQ(textPrefix("a\u00e9b", 3), "a\u00e9");
    EXPECT_EQ(textPrefix("a\u20ac", 3), "a");
    EXPECT_EQ(textPrefix("\U0001F600\U0001F600", 7), "\U0001F600");
    EXPECT_EQ(textPrefix("\u20ac", 0), "");
}

TEST(TextPrefix, hasItsFullLength_whenTheTextIsNotUtf8) {
    const std::string continuationBytes(10, '\x80');
    EXPECT_EQ(textPrefix(continuationBytes, 5), continuationBytes.substr(0, 5));
    EXPECT_EQ(textPrefix("ab\xff\xff\xff", 3), "ab\xff");
}

TEST(TextPrefix, isQuotedByMessages) {
    std::string longWord = "x";
    while (longWord.size() < 100) longWord += "\u00e9";
    const std::string obj = "v 0 0 " + longWord + "\n";
    const std::string ply = "ply\nformat ascii 1.0\n" + longWord + "\n";
    EXPECT_THAT(messageOf<FormatError>([&] { decodeMesh(asBytes(obj), "a.obj"); }),
                HasSubstr("\u00e9' is not a number"));
    EXPECT_THAT(messageOf<FormatError>([&] { decodeMesh(asBytes(ply), "a.ply"); }),
                HasSubstr("\u00e9' is no part of a PLY header"));
}

}  // namespace
}  // namespace threefold::test
