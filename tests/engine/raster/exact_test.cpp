#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"
#include "tests/engine/raster/ties.h"

namespace threefold::test {
namespace {

// The reference computes with 128-bit integers. Coordinates are multiples of 2^-20 with w = 1, so
// rounding occurs only where corners are snapped to the grid (onGrid()).
__extension__ typedef __int128 Whole;  // NOLINT(modernize-use-using): __extension__ is not possible
                                       // with `using`

constexpr std::uint32_t kSide = 200;
constexpr int kUnit = 1 << 20;

std::int64_t units(float x) {
    return std::llround(static_cast<double>(x) * kUnit);
}

/// (x + 1) / 2 · kSide · 256, rounded to the nearest integer, ties to even.
std::int64_t onGrid(float x) {
    const std::int64_t numerator = (units(x) + kUnit) * kSide * 128;
    std::int64_t below = numerator / kUnit;
    if (numerator % kUnit < 0) --below;
    const std::int64_t rest = numerator - below * kUnit;
    if (2 * rest > kUnit || (2 * rest == kUnit && below % 2 != 0)) return below + 1;
    return below;
}

struct ExactTriangle {
    std::int64_t x[3];
    std::int64_t y[3];
    std::int64_t z[3];
    Whole area;

    explicit ExactTriangle(const Soup& soup, const glm::u32vec3& face) {
        const std::uint32_t corner[3] = {face.x, face.y, face.z};
        for (int i = 0; i < 3; ++i) {
            const glm::vec4& v = soup.clip[corner[i]];
            x[i] = onGrid(v.x);
            y[i] = onGrid(v.y);
            z[i] = units(v.z);
        }
        area = edge(0, x[0], y[0]);
        if (area < 0) {
            std::swap(x[1], x[2]);
            std::swap(y[1], y[2]);
            std::swap(z[1], z[2]);
            area = -area;
        }
    }

    /// Edge function of the edge opposite to corner i at a point.
    Whole edge(int i, std::int64_t px, std::int64_t py) const {
        const int a = (i + 1) % 3;
        const int b = (i + 2) % 3;
        return Whole(x[b] - x[a]) * (py - y[a]) - Whole(y[b] - y[a]) * (px - x[a]);
    }

    /// Whether the triangle covers the point moved right by an infinitesimal distance, and down by
    /// an even smaller one, which is what the top-left rule means.
    bool covers(std::int64_t px, std::int64_t py) const {
        for (int i = 0; i < 3; ++i) {
            const Whole here = edge(i, px, py);
            const Whole right = edge(i, px + 1, py) - here;
            const Whole down = edge(i, px, py + 1) - here;
            const Whole deciding = here != 0 ? here : (right != 0 ? right : down);
            if (deciding <= 0) return false;
        }
        return true;
    }

    /// Depth times area.
    Whole depth(std::int64_t px, std::int64_t py) const {
        return edge(0, px, py) * z[0] + edge(1, px, py) * z[1] + edge(2, px, py) * z[2];
    }
};

std::vector<std::uint32_t> exactFaces(const Soup& soup) {
    struct Seen {
        Whole depth;
        Whole area;
    };
    std::vector<std::uint32_t> face(std::size_t{kSide} * kSide);
    std::vector<Seen> seen(face.size());
    for (std::uint32_t f = 0; f < soup.faces.size(); ++f) {
        const ExactTriangle triangle(soup, soup.faces[f]);
        if (triangle.area == 0) continue;
        const auto range = [](const std::int64_t(&v)[3]) {
            const auto [min, max] = std::minmax({v[0], v[1], v[2]});
            return std::pair(std::max<std::int64_t>(0, min / 256 - 1),
                             std::min<std::int64_t>(kSide - 1, max / 256 + 1));
        };
        const auto [left, right] = range(triangle.x);
        const auto [top, bottom] = range(triangle.y);
        for (std::int64_t y = top; y <= bottom; ++y) {
            for (std::int64_t x = left; x <= right; ++x) {
                if (!triangle.covers(x * 256 + 128, y * 256 + 128)) continue;
                const auto pixel = static_cast<std::size_t>(y * kSide + x);
                const Whole depth = triangle.depth(x * 256 + 128, y * 256 + 128);
                if (face[pixel] != 0 &&
                    depth * seen[pixel].area >= seen[pixel].depth * triangle.area) {
                    continue;
                }
                face[pixel] = f + 1;
                seen[pixel] = {depth, triangle.area};
            }
        }
    }
    return face;
}

/// The multiple of 2^-20 nearest to x.
float onUnits(double x) {
    return static_cast<float>(static_cast<double>(std::llround(x * kUnit)) / kUnit);
}

/// Clip coordinate of a position in pixels.
float atPixel(double x) {
    return onUnits(2 * x / kSide - 1);
}

glm::vec4 point(double x, double y, float z) {
    return {atPixel(x), atPixel(y), onUnits(z), 1};
}

/// Small triangles anywhere, some of them across the border.
void addSmall(Soup& soup, Random& random, int count) {
    for (int i = 0; i < count; ++i) {
        const float x = random(-2, kSide + 2);
        const float y = random(-2, kSide + 2);
        const auto corner = [&] {
            return point(x + random(-6, 6), y + random(-6, 6), random(-1, 1));
        };
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
}

/// Long triangles that are a few grid steps wide.
void addSlivers(Soup& soup, Random& random, int count) {
    for (int i = 0; i < count; ++i) {
        const float x = random(0, kSide);
        const float y = random(0, kSide);
        const float dx = random(-60, 60);
        const float dy = random(-60, 60);
        const float z = random(-1, 0);
        soup.add(point(x, y, z), point(x + dx, y + dy, random(-1, 0)),
                 point(x + dx + random(-0.02F, 0.02F), y + dy + random(-0.02F, 0.02F), z));
    }
}

/// Triangles with corners at centres and corners of pixels, so that edges run through centres.
/// `reach` limits the distance between a triangle's corners along each axis, in half pixels.
void addOnCentres(Soup& soup, Random& random, int count, unsigned reach = 9) {
    for (int i = 0; i < count; ++i) {
        const double x = random.below(kSide);
        const double y = random.below(kSide);
        const auto corner = [&] {
            return point(x + random.below(reach) * 0.5, y + random.below(reach) * 0.5,
                         random(-1, 1));
        };
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
}

/// A sheet of triangles with common edges and randomly moved vertices, some of them at the centres
/// of pixels.
void addSheet(Soup& soup, Random& random, std::uint32_t cells, float depth) {
    const auto first = static_cast<std::uint32_t>(soup.clip.size());
    const float cell = static_cast<float>(kSide) / static_cast<float>(cells);
    for (std::uint32_t y = 0; y <= cells; ++y) {
        for (std::uint32_t x = 0; x <= cells; ++x) {
            const auto move = [&] {
                return random.below(4) == 0 ? 0.5F : random(-0.5F, 0.5F) * cell;
            };
            const float right = move();
            soup.clip.push_back(point(static_cast<float>(x) * cell + right,
                                      static_cast<float>(y) * cell + move(),
                                      depth + random(-0.3F, 0.3F)));
        }
    }
    for (std::uint32_t y = 0; y < cells; ++y) {
        for (std::uint32_t x = 0; x < cells; ++x) {
            const std::uint32_t v = first + y * (cells + 1) + x;
            soup.faces.emplace_back(v, v + 1, v + cells + 2);
            soup.faces.emplace_back(v, v + cells + 2, v + cells + 1);
        }
    }
}

class Exact : public testing::TestWithParam<Drawer> {
  protected:
    void expectExact(const Soup& soup) const {
        const RasterImage image =
            GetParam().draw(soup.clip, soup.faces, optionsForSize(kSide, kSide));
        const std::vector<std::uint32_t> expected = exactFaces(soup);
        ASSERT_GT(std::count_if(expected.begin(), expected.end(), [](auto f) { return f != 0; }),
                  0);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < expected.size(); ++i)
            wrong += image.facePlusOne[i] != expected[i] ? 1 : 0;
        EXPECT_EQ(wrong, 0U);
    }
};

TEST_P(Exact, seesTheFacesOfTheReference_whenTenThousandAreSmallThinOrOnCentres) {
    Random random(1);
    Soup soup;
    addSmall(soup, random, 4000);
    addSlivers(soup, random, 3000);
    addOnCentres(soup, random, 3000);
    expectExact(soup);
}

TEST_P(Exact, seesTheFacesOfTheReference_whenEachKindIsAlone) {
    Random random(2);
    for (int round = 0; round < 5; ++round) {
        Soup small;
        addSmall(small, random, 300);
        expectExact(small);
        Soup slivers;
        addSlivers(slivers, random, 400);
        expectExact(slivers);
        Soup centres;
        addOnCentres(centres, random, 400);
        expectExact(centres);
    }
}

TEST_P(Exact, seesTheFacesOfTheReference_whenSheetsWithCommonEdgesCrossEachOther) {
    Random random(3);
    Soup soup;
    for (const std::uint32_t cells : {3U, 17U, 40U, 61U}) addSheet(soup, random, cells, 0);
    expectExact(soup);
}

TEST_P(Exact, seesTheFacesOfTheReference_whenTrianglesAreLarge) {
    Random random(4);
    Soup soup;
    for (int i = 0; i < 300; ++i) {
        const auto corner = [&] {
            return point(random(-300, 500), random(-300, 500), random(-1, 1));
        };
        const glm::vec4 a = corner();
        const glm::vec4 b = corner();
        soup.add(a, b, corner());
    }
    expectExact(soup);
}

TEST_P(Exact, seesTheFacesOfTheReference_whenLongEdgesRunThroughCentres) {
    Random random(5);
    for (int round = 0; round < 10; ++round) {
        Soup soup;
        addOnCentres(soup, random, 100, 250);
        expectExact(soup);
    }
}

TEST_P(Exact, seesTheFirst_whenFacesAreFoldedOverACommonEdgeThroughCentres) {
    Random random(6);
    for (const int reach : {1, 3, 12, 60}) {
        Soup soup;
        addFolded(soup, random, kSide, 2000 / (reach + 4), reach);
        expectExact(soup);
    }
}

TEST_P(Exact, seesTheFirst_whenFacesMeetAtACentre) {
    Random random(7);
    for (const int reach : {2, 5, 20, 150}) {
        Soup soup;
        addMeeting(soup, random, kSide, 800 / (reach + 4), reach);
        expectExact(soup);
    }
}

TEST_P(Exact, seesTheFirst_whenTrianglesOverlapInAPlaneOrAreTheSame) {
    Random random(8);
    for (const int reach : {2, 7, 40, 200}) {
        for (const bool isSlanted : {false, true}) {
            Soup soup;
            addCoplanar(soup, random, kSide, 800 / (reach + 4), reach, isSlanted);
            expectExact(soup);
        }
    }
}

TEST_P(Exact, seesTheNearerFace_whenDepthsDifferByLessThanTheLastBit) {
    Soup soup;
    addHardlyNearer(soup);
    const RasterImage image = GetParam().draw(soup.clip, soup.faces, optionsForSize(kSide, kSide));
    EXPECT_EQ(std::count(image.facePlusOne.begin(), image.facePlusOne.end(), 1U), 0);
    EXPECT_GT(std::count(image.facePlusOne.begin(), image.facePlusOne.end(), 2U), 10000);
}

INSTANTIATE_TEST_SUITE_P(Every, Exact, testing::ValuesIn(drawers()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace threefold::test
