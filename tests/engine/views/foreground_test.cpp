#include "engine/views/foreground.h"

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

using Inside = std::vector<std::uint8_t>;

TEST(Foreground, isEveryPixelAtLeastHalfOpaque_whenSomeAreTransparent) {
    const Image image{2, 2, {0, 0, 0, 0, 9, 9, 9, 127, 255, 255, 255, 128, 9, 9, 9, 255}};
    ASSERT_TRUE(foregroundOf(image));
    EXPECT_EQ(foregroundOf(image)->inside, (Inside{0, 0, 1, 1}));
}

TEST(Foreground, isEveryPixelNotWhite_whenNoneIsTransparent) {
    const Image image{
        2, 2, {255, 255, 255, 255, 250, 246, 248, 255, 250, 245, 250, 255, 0, 0, 0, 255}};
    ASSERT_TRUE(foregroundOf(image));
    EXPECT_EQ(foregroundOf(image)->inside, (Inside{0, 0, 1, 1}));
}

TEST(Foreground, isUnknown_whenItWouldBeEverythingOrNothing) {
    EXPECT_FALSE(foregroundOf({1, 1, {1, 2, 3, 255}}));
    EXPECT_FALSE(foregroundOf({1, 2, {255, 255, 255, 255, 255, 255, 255, 255}}));
    EXPECT_FALSE(foregroundOf({1, 1, {1, 2, 3, 0}}));
    EXPECT_FALSE(foregroundOf({}));
}

/// An opaque image, nearly white outside `object`.
Image opaque(int side, const auto& object) {
    Image image{side, side, {}};
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            image.rgba.insert(image.rgba.end(),
                              {static_cast<std::uint8_t>(object(x, y) ? 90 : 250), 250, 250, 255});
    return image;
}

TEST(Foreground, isUnknown_whenTheBackgroundWasNotCutOut) {
    // The first picture is a bright window in a dim room; the other pictures show objects that the
    // borders cut off.
    EXPECT_FALSE(foregroundOf(opaque(20, [](int x, int y) { return x < 12 || y > 5; })));
    EXPECT_TRUE(foregroundOf(opaque(20, [](int x, int y) { return x > 5 && x < 12 && y > 2; })));
    EXPECT_TRUE(foregroundOf(
        opaque(20, [](int x, int y) { return (x > 5 && x < 12) || (y > 5 && y < 12); })));
}

}  // namespace
}  // namespace threefold::test
