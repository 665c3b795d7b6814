#include "ui/look.h"

#include <gtest/gtest.h>

#include <QSettings>

#include "tests/support/temp_folder.h"

namespace threefold::ui {
namespace {

QString file(const threefold::test::TempFolder& folder) {
    return QString::fromStdString((folder / "settings.ini").string());
}

TEST(Look, comesBack_fromTheSettings) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    for (const render::Shading shading : kAllShadings) {
        for (const render::ColourMap map : kAllColourMaps) {
            const Look look{shading, false, map};
            writeLook(settings, look);
            EXPECT_EQ(readLook(settings), look);
        }
    }
}

TEST(Look, isTheDefault_whenSettingsAreNonsense) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    settings.setValue("view/shading", "Fuzzy");
    settings.setValue("view/colourMap", 17);
    EXPECT_EQ(readLook(settings), Look());
}

TEST(MakeScene, hasTwoEmptyPanes_withoutResult) {
    const render::Scene scene = makeScene(nullptr, {}, themeColours(true));
    ASSERT_EQ(scene.panes.size(), 2U);
    EXPECT_EQ(scene.panes[0].mesh, nullptr);
}

TEST(MakeScene, coversBothPanesWithOneRange) {
    Result result;
    result.coarse = std::make_shared<render::SceneMesh>();
    result.refined = std::make_shared<render::SceneMesh>();
    result.highestDistance = 0.03F;
    Look look;
    const render::Scene scene = makeScene(&result, look, themeColours(true));
    EXPECT_EQ(scene.panes[0].mesh, result.coarse);
    EXPECT_EQ(scene.panes[1].mesh, result.refined);
    EXPECT_TRUE(scene.colours.enabled);
    EXPECT_EQ(scene.colours.highest, 0.03F);
    look.distances = false;
    EXPECT_FALSE(makeScene(&result, look, themeColours(true)).colours.enabled);
}

TEST(MakeScene, isPlain_whenThereIsNoTruth) {
    Result result;
    EXPECT_FALSE(makeScene(&result, {}, themeColours(true)).colours.enabled);
}

}  // namespace
}  // namespace threefold::ui
