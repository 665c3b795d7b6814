#include "engine/text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

TEST(Markup, isValidXml_withAnyText) {
    EXPECT_EQ(escapeHtml("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(escapeHtml("a\n\x01\x1f\x7f\tb"), "a     b");
    EXPECT_EQ(escapeHtml("é 漢 𝄞"), "é 漢 𝄞");
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(escapeHtml("a\xff\xc3"), "a" + replacement + replacement);
    EXPECT_EQ(escapeHtml("\xc0\xaf"), replacement + replacement) << "an overlong encoding";
    EXPECT_EQ(escapeHtml("\xed\xa0\x80"), replacement + replacement + replacement) << "a surrogate";
    EXPECT_EQ(escapeHtml("\xef\xbf\xbf"), replacement + replacement + replacement)
        << "no character of XML";
    EXPECT_EQ(escapeHtml("\xf4\x90\x80\x80").find('\xf4'), std::string::npos);
}

TEST(CsvFields, areNoFormulas) {
    EXPECT_EQ(csvField("chair"), "chair");
    EXPECT_EQ(csvField("a,\"b\""), "\"a,\"\"b\"\"\"");
    EXPECT_EQ(csvField("=1+1"), "'=1+1");
    EXPECT_EQ(csvField("+cmd"), "'+cmd");
    EXPECT_EQ(csvField("-x"), "'-x");
    EXPECT_EQ(csvField("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
    EXPECT_EQ(csvField("-1.5e-3"), "-1.5e-3");
    EXPECT_EQ(csvField(""), "");
}

TEST(NaturallyBefore, comparesNumbersByValue_andTheRestByByte) {
    const std::vector<std::string> sorted{
        "",          "1.png",      "2.png",     "10.png", "a2b3",    "a2b10",     "a10b1",
        "view1.png", "view02.png", "view2.png", "view9",  "view09a", "view10.png"};
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (std::size_t j = 0; j < sorted.size(); ++j)
            EXPECT_EQ(naturalLess(sorted[i], sorted[j]), i < j) << sorted[i] << ' ' << sorted[j];
    const std::string digits(40, '9');
    EXPECT_TRUE(naturalLess(digits, '1' + digits));
}

TEST(Printable, escapesControlCharacters_exceptThoseToKeep) {
    EXPECT_EQ(escapeControls("a\tb\nc\x1b[0m\x7f"), "a\\x09b\\nc\\x1b[0m\\x7f");
    EXPECT_EQ(escapeControls("a\tb\nc\r", "\n\t"), "a\tb\nc\\x0d");
    EXPECT_EQ(escapeControls("\xc2\x9b"
                             "31m"),
              "\\xc2\\x9b31m");
}

TEST(Printable, escapesAsJson_controlsThatJsonAllows) {
    EXPECT_EQ(escapeControlsInJson("[\n  \"\\u001b\xc2\x85\xc2\x9b\x7fτ\"\n]\n"),
              "[\n  \"\\u001b\\u0085\\u009b\\u007fτ\"\n]\n");
}

TEST(Printable, keepsAllOtherBytes) {
    for (const char* text : {"F(τ) → ½ ©", "not utf-8 \xff\xc2", ""})
        EXPECT_EQ(escapeControls(text), text);
}

}  // namespace
}  // namespace threefold
