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

TEST(Look, isTheDefault_whenSettingsAreNonsense) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    settings.setValue("view/shading", "Fuzzy");
    settings.setValue("view/colourMap", 17);
    EXPECT_EQ(readLook(settings), Look());
}

}  // namespace
}  // namespace threefold::ui
