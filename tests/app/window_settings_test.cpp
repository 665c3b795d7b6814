#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "app/configuration/setting.h"
#include "ui/results/look.h"
#include "ui/style/theme.h"

namespace threefold::test {
namespace {

TEST(WindowConfigSettings, areDefinedByTheWindow) {
    int checked = 0;
    const ui::Look look;
    for (const ui::LookField& field : ui::lookFields()) {
        const Setting* const setting = findSetting(std::string("window.") + field.sessionKey);
        if (setting == nullptr) continue;
        ++checked;
        const ui::LookValue defaultValue = field.get(look);
        ASSERT_FALSE(std::holds_alternative<float>(defaultValue)) << field.sessionKey;
        std::string word;
        if (const auto* named = std::get_if<std::string_view>(&defaultValue)) {
            word = *named;
            EXPECT_EQ(setting->choices(),
                      std::vector<std::string>(field.enumWords.begin(), field.enumWords.end()))
                << field.sessionKey;
        } else {
            word = std::get<bool>(defaultValue) ? "true" : "false";
            EXPECT_EQ(setting->type, Setting::Type::boolean) << field.sessionKey;
        }
        EXPECT_EQ(std::string(setting->noValueText), "your last choice; at first " + word)
            << field.sessionKey;
    }
    int windowSettings = 0;
    for (const Setting* setting : allSettings()) {
        if (tableOf(*setting) == "window" && *setting->option == '\0') ++windowSettings;
    }
    EXPECT_EQ(checked, windowSettings - 2);  // the theme and the fit are no fields of ui::Look
    for (const std::string& word : setting::theme.choices())
        EXPECT_EQ(ui::themeName(ui::themeFromName(QString::fromStdString(word))).toStdString(),
                  word);
}

TEST(LookWords, setOnlyTheirOwnField) {
    ui::Look look;
    look.truthPane = true;
    ui::applyWords(look, {{"map", "viridis"},
                          {"edges", "true"},
                          {"shading", "no such"},
                          {"theme", "dark"},
                          {"wipe", "0.1"}});
    ui::Look expected;
    expected.truthPane = true;
    expected.map = render::ColourMap::viridis;
    expected.edges = true;
    EXPECT_EQ(look, expected);
}

}  // namespace
}  // namespace threefold::test
