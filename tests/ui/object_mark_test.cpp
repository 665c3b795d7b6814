#include "ui/input/object_mark.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

constexpr QSize kPhotograph(400, 300);
constexpr double kMaxClick = 2;

std::optional<ObjectMark> dragged(QPointF from, QPointF to) {
    return markOfDrag(from, to, kPhotograph, kMaxClick);
}

TEST(ObjectMark, isTheSameBox_whicheverCornerIsFirst) {
    const QRectF box(120.5, 80, 90, 60.25);
    for (const auto& mark :
         {dragged(box.topLeft(), box.bottomRight()), dragged(box.bottomRight(), box.topLeft()),
          dragged(box.topRight(), box.bottomLeft())}) {
        ASSERT_TRUE(mark);
        EXPECT_TRUE(mark->isBox());
        EXPECT_EQ(mark->box, box);
    }
}

TEST(ObjectMark, endsAtThePhotographsBorders) {
    const auto mark = dragged({-50, 100}, {700, 350});
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->box, QRectF(0, 100, 400, 200));
}

TEST(ObjectMark, isAPoint_whenThePointerHardlyMoves) {
    const auto mark = dragged({20.5, 30}, {21.5, 28.5});
    ASSERT_TRUE(mark);
    EXPECT_FALSE(mark->isBox());
    EXPECT_EQ(mark->box.topLeft(), QPointF(20.5, 30));
}

TEST(ObjectMark, isNone_whenItIsOutsideOrWithoutArea) {
    EXPECT_FALSE(dragged({-5, 30}, {-5, 30}));
    EXPECT_FALSE(dragged({-50, 30}, {-10, 80}));
    EXPECT_FALSE(dragged({20, 30}, {120, 30.5}));
}

TEST(ObjectMark, becomesTheHint_thatTheCommandLineTakes) {
    const ObjectHint box = hintOf({QRectF(820, 410, 1500, 1900)}, "mug/IMG_1.jpg");
    EXPECT_EQ(box.photograph.string(), "mug/IMG_1.jpg");
    EXPECT_EQ(box.point, glm::dvec2(1570, 1360));
    ASSERT_TRUE(box.extent);
    EXPECT_EQ(*box.extent, glm::dvec2(1500, 1900));
    const ObjectHint point = hintOf({QRectF(20.5, 30, 0, 0)}, "mug/IMG_1.jpg");
    EXPECT_EQ(point.point, glm::dvec2(20.5, 30));
    EXPECT_FALSE(point.extent);
}

}  // namespace
}  // namespace threefold::ui
