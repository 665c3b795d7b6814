#include "tests/engine/raster/ties.h"

#include <cmath>
#include <cstdlib>
#include <utility>

namespace threefold::test {
namespace {

constexpr int kTieUnit = 1 << 20;

/// Position in half pixels, which snapping does not change; depth in units of 2^-20.
struct Place {
    int x;
    int y;
    int z;
};

int within(Random& random, int size) {
    return static_cast<int>(random.below(2 * static_cast<unsigned>(size) + 1)) - size;
}

Place placeNear(Random& random, int x, int y, int reach) {
    const int right = within(random, 2 * reach);
    const int down = within(random, 2 * reach);
    return {x + right, y + down, within(random, kTieUnit)};
}

Place middleOfAPixel(Random& random, unsigned side) {
    const auto x = static_cast<int>(2 * random.below(side) + 1);
    const auto y = static_cast<int>(2 * random.below(side) + 1);
    return {x, y, within(random, kTieUnit)};
}

glm::vec4 clipOf(const Place& place, unsigned side) {
    const auto onUnits = [&](int halfPixels) {
        return static_cast<float>(
            std::round((static_cast<double>(halfPixels) / side - 1) * kTieUnit) / kTieUnit);
    };
    return {onUnits(place.x), onUnits(place.y), static_cast<float>(place.z) / kTieUnit, 1};
}

/// Adds the triangle with its corners in a random order.
void addWithShuffledCorners(Soup& soup, Random& random, unsigned side, const Place& a,
                            const Place& b, const Place& c) {
    Place corner[3] = {a, b, c};
    std::swap(corner[0], corner[random.below(3)]);
    std::swap(corner[1], corner[1 + random.below(2)]);
    soup.add(clipOf(corner[0], side), clipOf(corner[1], side), clipOf(corner[2], side));
}

}  // namespace

void addFolded(Soup& soup, Random& random, unsigned side, int count, int reach) {
    for (int i = 0; i < count; ++i) {
        const Place a = middleOfAPixel(random, side);
        const int steps = 1 + static_cast<int>(random.below(static_cast<unsigned>(reach)));
        const int right = within(random, 2);
        const int down = within(random, 2);
        const Place b{a.x + 2 * steps * right, a.y + 2 * steps * down, within(random, kTieUnit)};
        for (int face = 0; face < 4; ++face) {
            addWithShuffledCorners(soup, random, side, a, b,
                                   placeNear(random, a.x, a.y, 2 * reach));
        }
    }
}

void addMeeting(Soup& soup, Random& random, unsigned side, int count, int reach) {
    for (int i = 0; i < count; ++i) {
        const Place middle = middleOfAPixel(random, side);
        Place before = placeNear(random, middle.x, middle.y, reach);
        for (int face = 0; face < 6; ++face) {
            const Place next = placeNear(random, middle.x, middle.y, reach);
            addWithShuffledCorners(soup, random, side, middle, before, next);
            before = next;
        }
    }
}

void addCoplanar(Soup& soup, Random& random, unsigned side, int count, int reach, bool isSlanted) {
    for (int i = 0; i < count; ++i) {
        const Place middle = middleOfAPixel(random, side);
        // Limits the slope so that the plane's depths stay between −1 and 1.
        const int steepest = isSlanted ? kTieUnit / (8 * reach) : 0;
        const int across = within(random, steepest);
        const int along = within(random, steepest);
        const auto inPlane = [&] {
            Place place = placeNear(random, middle.x, middle.y, reach);
            place.z = middle.z / 2 + (place.x - middle.x) * across + (place.y - middle.y) * along;
            return place;
        };
        for (int face = 0; face < 3; ++face) {
            const Place a = inPlane();
            const Place b = inPlane();
            const Place c = inPlane();
            for (unsigned copies = 1 + random.below(3); copies > 0; --copies) {
                addWithShuffledCorners(soup, random, side, a, b, c);
            }
        }
    }
}

void addHardlyNearer(Soup& soup) {
    for (const float z : {0x1p-55F, 0x1p-56F}) {
        soup.add({-0.9F, -0.8F, 0.75F, 1}, {0.9F, -0.7F, 0.8F, 1}, {0.1F, 0.9F, z, 1});
    }
    // Another first corner, so that rounding differs.
    std::swap(soup.faces.back().x, soup.faces.back().y);
}

}  // namespace threefold::test
