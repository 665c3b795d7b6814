#include "ui/document/look.h"

#include <gtest/gtest.h>

#include <QFile>
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
            const Look look{.shading = shading,
                            .edges = true,
                            .lighting = render::Lighting::matcap,
                            .occlusion = true,
                            .quantity = Quantity::curvature,
                            .map = map};
            writeLook(settings, look);
            EXPECT_EQ(readLook(settings), look);
        }
    }
}

TEST(Look, writesNoFile_whenNothingThatIsKeptHasChanged) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    Look look;
    writeLook(settings, look);
    settings.sync();
    ASSERT_TRUE(QFile::remove(file(folder)));
    look.way = 2.5F;  // a step of the slider
    writeLook(settings, look);
    settings.sync();
    EXPECT_FALSE(QFile::exists(file(folder)));
}

TEST(Look, isTheDefault_whenSettingsAreNonsense) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    settings.setValue("view/shading", "Fuzzy");
    settings.setValue("view/colourMap", 17);
    EXPECT_EQ(readLook(settings), Look());
}

}  // namespace
}  // namespace threefold::ui
