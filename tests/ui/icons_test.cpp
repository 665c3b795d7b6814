#include "ui/style/theme.h"

#include <QImage>
#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

// Colour of the icon's most opaque pixel.
QColor inkOf(const QIcon& icon, QIcon::Mode mode) {
    const QImage image = icon.pixmap(32, mode).toImage();
    QColor ink(Qt::transparent);
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor colour = image.pixelColor(x, y);
            if (colour.alpha() > ink.alpha()) ink = colour;
        }
    }
    return ink;
}

TEST(Icon, staysVisible_whenItsActionIsDisabled) {
    const QIcon icon = ui::icon(QStringLiteral("reconstruct"), Qt::white, Qt::darkGray);
    EXPECT_EQ(inkOf(icon, QIcon::Normal).rgb(), QColor(Qt::white).rgb());
    EXPECT_EQ(inkOf(icon, QIcon::Disabled).rgb(), QColor(Qt::darkGray).rgb());
}

TEST(Icon, isNull_whenNoIconHasTheName) {
    EXPECT_TRUE(icon(QStringLiteral("no such icon"), Qt::white, Qt::black).isNull());
}

}  // namespace
}  // namespace threefold::ui
