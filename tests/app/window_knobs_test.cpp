#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/configuration/configuration.h"
#include "ui/document/look_fields.h"
#include "ui/document/look_words.h"
#include "ui/style/theme.h"

namespace threefold::test {
namespace {

/// What the window has to say of each field of its look that a configuration may set.
struct KnobCheck {
    int& checked;

    static const Knob* find(ui::LookKey key) {
        return findKnob(std::string("window.") + key.session);
    }
    static void expectAtFirst(const Knob& knob, const std::string& word) {
        EXPECT_EQ(std::string(knob.without), "as you left it; at first " + word) << knob.key;
    }
    void operator()(ui::LookKey key, const bool& value) const {
        const Knob* const knob = find(key);
        if (knob == nullptr) return;
        ++checked;
        EXPECT_EQ(knob->type, Knob::Type::boolean) << key.session;
        expectAtFirst(*knob, value ? "true" : "false");
    }
    void operator()(ui::LookKey key, const float&, double, double) const {
        EXPECT_EQ(find(key), nullptr) << key.session;
    }
    template <class Value, std::size_t kCount>
    void operator()(ui::LookKey key, const Value& value,
                    const ui::Named<Value> (&names)[kCount]) const {
        const Knob* const knob = find(key);
        if (knob == nullptr) return;
        ++checked;
        std::vector<std::string> words;
        for (const auto& [name, each] : names) words.emplace_back(name);
        EXPECT_EQ(knob->words(), words) << key.session;
        expectAtFirst(*knob, std::string(ui::nameIn<Value>(names, value)));
    }
};

TEST(WindowKnobs, areTheWindowsOwn) {
    int checked = 0;
    const ui::Look look;
    ui::visitLook(look, KnobCheck{checked});
    int others = 0;
    for (const Knob* knob : allKnobs()) {
        if (tableOf(*knob) == "window" && *knob->option == '\0') ++others;
    }
    EXPECT_EQ(checked, others - 2);  // the theme and the fit are not of the look
    for (const std::string& word : knob::theme.words())
        EXPECT_EQ(ui::themeName(ui::themeFromName(QString::fromStdString(word))).toStdString(),
                  word);
}

TEST(LookWords, setWhatTheyName_andNothingElse) {
    ui::Look look;
    look.truthPane = true;
    ui::setFromWords(look, {{"map", "viridis"},
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
