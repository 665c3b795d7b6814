#include "ui/input/mask_brush.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

MaskBrush uniformBrush(std::uint8_t inside) {
    return MaskBrush(Mask{40, 30, std::vector<std::uint8_t>(std::size_t{40} * 30, inside)});
}

bool showsObjectAt(const MaskBrush& brush, int x, int y) {
    return brush.dimming().pixelColor(x, y).alpha() == 0;
}

TEST(MaskBrush, undoesANewMask_thenTheStrokesBeforeIt) {
    MaskBrush brush = uniformBrush(0);
    brush.beginStroke();
    brush.paint({10, 10}, {10, 10}, 3, BrushPaint::object);
    brush.endStroke();
    brush.replace(uniformBrush(1));
    EXPECT_TRUE(showsObjectAt(brush, 35, 25));
    brush.undo();
    EXPECT_FALSE(showsObjectAt(brush, 35, 25));
    EXPECT_TRUE(showsObjectAt(brush, 10, 10));
    brush.undo();
    EXPECT_FALSE(showsObjectAt(brush, 10, 10));
    EXPECT_FALSE(brush.changed());
}

TEST(MaskBrush, isUnsaved_untilItsChangesAreSavedUndoneOrDiscarded) {
    MaskBrush brush = uniformBrush(0);
    const auto paint = [&] {
        brush.beginStroke();
        brush.paint({10, 10}, {10, 10}, 3, BrushPaint::object);
        brush.endStroke();
    };
    EXPECT_FALSE(brush.isUnsaved());
    paint();
    EXPECT_TRUE(brush.isUnsaved());
    brush.undo();
    EXPECT_FALSE(brush.isUnsaved());
    paint();
    brush.discardChanges();
    EXPECT_FALSE(brush.isUnsaved());
    EXPECT_FALSE(brush.changed());
    EXPECT_FALSE(showsObjectAt(brush, 10, 10));
    paint();
    brush.setSaved(brush);
    EXPECT_FALSE(brush.isUnsaved());
    brush.undo();
    EXPECT_TRUE(brush.isUnsaved());
    brush.replace(uniformBrush(1));  // from the file
    EXPECT_FALSE(brush.isUnsaved());
}

}  // namespace
}  // namespace threefold::ui
