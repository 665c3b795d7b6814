#include "engine/formats/text/text_scanner.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"

namespace threefold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> wordsOfLine(TextScanner& scanner) {
    std::vector<std::string> words;
    while (scanner.hasWord()) words.emplace_back(scanner.word());
    return words;
}

TEST(TextScanner, readsWordsOfALine_betweenBlanks) {
    TextScanner scanner(" v\t1  2.5\r\nf 3\n", "text");
    EXPECT_THAT(wordsOfLine(scanner), ElementsAre("v", "1", "2.5"));
    EXPECT_EQ(scanner.word(), "");
    EXPECT_EQ(scanner.line(), 1U);
    scanner.nextLine();
    EXPECT_EQ(scanner.line(), 2U);
    EXPECT_EQ(scanner.word(), "f");
    EXPECT_EQ(scanner.requireInteger("a count"), 3);
    scanner.nextLine();
    EXPECT_TRUE(scanner.atEnd());
}

TEST(TextScanner, endsLinesAtComments) {
    TextScanner scanner("a # b\n# c\n\nd\n", "text");
    scanner.setComment('#');
    EXPECT_THAT(wordsOfLine(scanner), ElementsAre("a"));
    EXPECT_EQ(scanner.nextWordOfText(), "d");
    EXPECT_EQ(scanner.line(), 4U);
    EXPECT_EQ(scanner.nextWordOfText(), "");
}

TEST(TextScanner, keepsCommentMarks_inTheRestOfALine) {
    TextScanner scanner("name  a # b \r\n", "text");
    scanner.setComment('#');
    EXPECT_EQ(scanner.word(), "name");
    EXPECT_EQ(scanner.restOfLine(), "a # b");
}

TEST(TextScanner, joinsLines_afterABackslash) {
    for (const std::string_view end : {"\n", "\r\n"}) {
        const std::string text = "f 1 \\" + std::string(end) + "2 3\nf 4\n";
        TextScanner joined(text, "text");
        joined.setContinuation(true);
        EXPECT_THAT(wordsOfLine(joined), ElementsAre("f", "1", "2", "3"));
        joined.nextLine();
        EXPECT_EQ(joined.line(), 3U);

        TextScanner apart(text, "text");
        EXPECT_THAT(wordsOfLine(apart), ElementsAre("f", "1", "\\"));
    }
}

TEST(TextScanner, separatesWords_atTheSeparator) {
    TextScanner scanner("1,2 ,3\n", "text");
    scanner.setSeparator(',');
    EXPECT_THAT(wordsOfLine(scanner), ElementsAre("1", "2", "3"));
}

TEST(TextScanner, namesTheLine_whenAWordIsMissingOrNoNumber) {
    for (const std::string_view text : {"v\nv \n", "v\nv x\n", "v\nv nan\n"}) {
        TextScanner scanner(text, "mesh.obj");
        scanner.nextLine();
        EXPECT_EQ(scanner.requireWord("a keyword"), "v");
        try {
            scanner.requireDouble("a coordinate");
            FAIL() << text;
        } catch (const FormatError& error) {
            EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("mesh.obj"), HasSubstr("line 2")));
        }
    }
}

}  // namespace
}  // namespace threefold
