

#include "ui/results/look.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/core_application.h"
#include <QFile>
#include <QSettings>
#include <QTranslator>
#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

QString file(const threefold::test::TempFolder& folder) {
    return QString::fromStdString((folder / "settings.ini").string());
}

TEST(Look, isRestored_fromTheSettings) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    for (const render::Shading shading : kAllShadings) {
        for (const render::ColourMap map : render::kAllColourMaps) {
            const Look look{.shading = shading,
                            .edges = true,
                            .lighting = render::Lighting::matcap,
                            .ambientOcclusion = true,
                            .backdrop = true,
                            .surfaceColour = 0x12AB34,
                            .quantity = Quantity::curvature,
                            .map = map};
            writeLook(settings, look);
            EXPECT_EQ(readLook(settings), look);
        }
    }
}

TEST(Look, writesNoFile_whenNoStoredSettingChanged) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    Look look;
    writeLook(settings, look);
    settings.sync();
    ASSERT_TRUE(QFile::remove(file(folder)));
    look.morphPosition = -2.5F;  // a field that is not stored
    writeLook(settings, look);
    settings.sync();
    EXPECT_FALSE(QFile::exists(file(folder)));
}

TEST(Look, staysUnchanged_whenWordsAreUnknown) {
    Look look{.edges = true};
    const Look before = look;
    applyWords(look, {{"edges", "perhaps"}, {"map", "rainbow"}, {"surface", "red"}});
    EXPECT_EQ(look, before);
    applyWords(look, {{"edges", "false"}});
    EXPECT_FALSE(look.edges);
}

// Translates one label into German.
class GermanLabels : public QTranslator {
  public:
    QString translate(const char*, const char* text, const char*, int) const override {
        return qstrcmp(text, "Wireframe") == 0 ? QStringLiteral("Drahtgitter") : QString();
    }
    bool isEmpty() const override { return false; }
};

TEST(Look, keepsTheShading_whenTheLanguageChanges) {
    const test::CoreApplication application;
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    const Look wireframe{.shading = render::Shading::wireframe};
    GermanLabels german;
    QCoreApplication::installTranslator(&german);
    ASSERT_EQ(shadingName(wireframe.shading), "Drahtgitter");
    writeLook(settings, wireframe);
    QCoreApplication::removeTranslator(&german);
    EXPECT_EQ(readLook(settings), wireframe);
    EXPECT_EQ(settings.value("view/shading"), "wireframe");
    // Earlier versions saved the label, translated or not.
    settings.setValue("view/shading", "Wireframe");
    EXPECT_EQ(readLook(settings), wireframe);
    settings.setValue("view/shading", "Drahtgitter");
    EXPECT_EQ(readLook(settings), Look());
    QCoreApplication::installTranslator(&german);
    EXPECT_EQ(readLook(settings), wireframe);
}

TEST(Look, isTheDefault_whenSettingsAreInvalid) {
    const threefold::test::TempFolder folder;
    QSettings settings(file(folder), QSettings::IniFormat);
    settings.setValue("view/shading", "Fuzzy");
    settings.setValue("view/colourMap", 17);
    settings.setValue("view/surface", "blue");
    settings.setValue("view/background", 2e9);
    EXPECT_EQ(readLook(settings), Look());
}

}  // namespace
}  // namespace threefold::ui
