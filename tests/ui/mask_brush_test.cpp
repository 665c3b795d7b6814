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

}  // namespace
}  // namespace threefold::ui
