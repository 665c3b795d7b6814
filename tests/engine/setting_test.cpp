#include "engine/setting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace threefold {
namespace {

std::string said(std::string_view message) {
    return substituteSettingNames(
        message, [](const SettingReference& setting) -> std::optional<std::string> {
            if (setting.name == "overwrite") return std::nullopt;
            return fmt::format("<{}|{}>", setting.name, setting.value);
        });
}

TEST(Settings, areNamedInAFrontEndsWords) {
    EXPECT_EQ(said("Use the processor (`backend=cpu`), or `precision`."),
              "Use the processor (<backend|cpu>), or <precision|>.");
    EXPECT_EQ(said("Check this machine (`doctor`)."), "Check this machine (<doctor|>).");
    EXPECT_EQ(said("`size`: too small"), "<size|>: too small");
    EXPECT_EQ(said("`shard=2/4``dtype=`"), "<shard|2/4><dtype|>");
}

TEST(Settings, areRemovedWithTheirBrackets_whenThereAreNoWords) {
    EXPECT_EQ(said("Start over (`overwrite`), or wait."), "Start over, or wait.");
    EXPECT_EQ(said("Start over (without `overwrite`)."), "Start over (without overwrite).");
    EXPECT_EQ(said("`overwrite`: no"), "overwrite: no");
    EXPECT_EQ(said("(`overwrite=yes`)"), "(overwrite)");
}

TEST(Settings, leaveOtherQuotesUnchanged) {
    for (const char* text :
         {"", "`", "``", "`a", "Run `threefold config` first.", "`Backend=cpu`", "` backend`",
          "`backend", "a ` b ` c", "/tmp/`size`: is a folder", "`size`.png: is damaged",
          "a`size`: no", "`size`b: no", "`size`/a: no"})
        EXPECT_EQ(said(text), text);
    EXPECT_EQ(said("one ` alone, then `size`"), "one ` alone, then <size|>");
}

}  // namespace
}  // namespace threefold
