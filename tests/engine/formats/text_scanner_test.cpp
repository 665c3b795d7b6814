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

TEST(TextScanner, readsSignsAndTinyNumbers_ofEachType) {
    TextScanner scanner("+5 +2.5 1e-400 -1e-400\n", "text");
    EXPECT_EQ(scanner.requireInteger("a count"), 5);
    for (const double expected : {2.5, 0.0, 0.0})
        EXPECT_EQ(scanner.requireDouble("a coordinate"), expected);
    EXPECT_EQ(scanner.toFloat("+2.5", "a coordinate"), 2.5F);
    EXPECT_EQ(scanner.toFloat("1e-400", "a coordinate"), 0.0F);
    EXPECT_EQ(scanner.toFloat("1e-60", "a coordinate"), 0.0F);
    for (const std::string_view wrong : {"++5", "+-5", "+"}) {
        EXPECT_THROW(scanner.toInteger(wrong, "a count"), FormatError) << wrong;
        EXPECT_THROW(scanner.toDouble(wrong, "a coordinate"), FormatError) << wrong;
    }
}

TEST(TextScanner, saysWhyANumberIsRefused) {
    const TextScanner scanner("", "text");
    const auto expectRefused = [&](std::string_view word, const std::string& reason) {
        EXPECT_THAT([&] { scanner.toDouble(word, "a coordinate"); },
                    testing::ThrowsMessage<FormatError>(HasSubstr(reason)));
        EXPECT_THAT([&] { scanner.toFloat(word, "a coordinate"); },
                    testing::ThrowsMessage<FormatError>(HasSubstr(reason)));
    };
    expectRefused("1e400", "is beyond the range of numbers");
    expectRefused("0,5", "is not a number (decimals stand behind a point, not a comma)");
    expectRefused("inf", "is not a finite number");
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
