#include "engine/views/left_out_view.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {
namespace {

using testing::ElementsAre;

TEST(LeftOutView, sharesASentence_withViewsOfTheSameReason) {
    const std::vector<LeftOutView> views{
        {4, "no mask"}, {1, "empty mask"}, {2, "no mask"}, {7, "empty mask"}, {5, "is no picture"}};
    EXPECT_THAT(remarksOf(views, {}), ElementsAre("views 4, 2: no mask", "views 1, 7: empty mask",
                                                  "view 5: is no picture"));
    EXPECT_THAT(viewNumbersOf(views), ElementsAre(4, 1, 2, 7, 5));
}

TEST(LeftOutView, standsBeforeOtherNotes) {
    const std::vector<LeftOutView> views{{3, "no mask"}};
    const std::vector<std::string> notes{"The hull has no hollows."};
    EXPECT_THAT(remarksOf(views, notes), ElementsAre("view 3: no mask", notes.front()));
    EXPECT_THAT(remarksOf({}, notes), ElementsAre(notes.front()));
}

TEST(LeftOutView, isFoundByItsNumber) {
    const std::vector<LeftOutView> views{{3, "no mask"}, {8, "no mask"}};
    EXPECT_TRUE(isLeftOut(views, 8));
    EXPECT_FALSE(isLeftOut(views, 1));
}

}  // namespace
}  // namespace threefold::test
