#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "engine/raster/snapped_view.h"
#include "engine/raster/triangle.h"
#include "tests/engine/network/golden_case.h"
#include "tests/engine/raster/drawing.h"
#include "tests/engine/raster/shapes.h"

namespace threefold::test {
namespace {

constexpr std::uint32_t kImageSide = 150;

std::size_t coveredCount(const RasterImage& image) {
    return static_cast<std::size_t>(std::count_if(image.facePlusOne.begin(),
                                                  image.facePlusOne.end(),
                                                  [](std::uint32_t face) { return face != 0; }));
}

class Watertight : public testing::TestWithParam<Drawer> {
  protected:
    RasterImage draw(const std::vector<glm::vec4>& clip, const Faces& faces) const {
        return GetParam().draw(clip, faces, optionsForSize(kImageSide, kImageSide));
    }

    /// Expects that front and back faces cover the same pixels: every ray crosses a closed surface
    /// as often from the front as from the back, so a hole in the front or the back faces shows.
    void expectClosed(const std::vector<glm::vec4>& clip, const Faces& faces) const {
        const raster::SnappedView snapped =
            raster::snapView(clip, faces, raster::ScreenProjection(kImageSide, kImageSide, -1), 1);
        ASSERT_TRUE(snapped.clippedTriangles.empty());
        Faces fronts;
        Faces backs;
        for (const glm::u32vec3& face : faces) {
            const std::int64_t area = raster::doubledArea(
                snapped.vertices[face.x], snapped.vertices[face.y], snapped.vertices[face.z]);
            if (area > 0) fronts.push_back(face);
            if (area < 0) backs.push_back(face);
        }
        const RasterImage front = draw(clip, fronts);
        const RasterImage back = draw(clip, backs);
        std::size_t different = 0;
        for (std::size_t i = 0; i < front.facePlusOne.size(); ++i) {
            different += (front.facePlusOne[i] != 0) != (back.facePlusOne[i] != 0) ? 1 : 0;
        }
        EXPECT_EQ(different, 0U);
        EXPECT_GT(coveredCount(front), kImageSide * kImageSide / 50);
    }

    /// Expects that the covered pixels of each row are contiguous.
    static void expectNoGapsInRows(const RasterImage& image) {
        for (std::uint32_t y = 0; y < image.height; ++y) {
            int changes = 0;
            bool before = false;
            for (std::uint32_t x = 0; x < image.width; ++x) {
                const bool now = image.facePlusOne[y * image.width + x] != 0;
                changes += now != before ? 1 : 0;
                before = now;
            }
            EXPECT_LE(changes, 2) << "row " << y;
        }
    }
};

TEST_P(Watertight, leavesNoGap_whenBallsAreTurned) {
    Random random(5);
    for (int turn = 0; turn < 12; ++turn) {
        const Mesh ball = icosphere(turn % 5 + 1);
        const auto clip = toClip(randomCamera(random, 3.2F, 1), ball.vertices);
        expectClosed(clip, ball.faces);
        expectNoGapsInRows(draw(clip, ball.faces));
    }
}

TEST_P(Watertight, leavesNoGap_whenATorusIsTurned) {
    Random random(6);
    for (int turn = 0; turn < 12; ++turn) {
        const Mesh mesh = torus(20 + static_cast<std::size_t>(turn) * 9, 37);
        expectClosed(toClip(randomCamera(random, 2.9F, 1), mesh.vertices), mesh.faces);
    }
}

TEST_P(Watertight, leavesNoGap_whenReconstructionsAreTurned) {
    Random random(9);
    for (const GoldenCase& golden : goldenCases()) {
        const std::shared_ptr<const Model> model = goldenModel(golden);
        const Faces& faces = model->templateMesh.levels.back().faces;
        // The mesh is half a unit wide.
        Points points = asPoints(golden.values("refined_2"));
        glm::vec3 middle(0);
        for (const glm::vec3& p : points) middle += p / static_cast<float>(points.size());
        for (glm::vec3& p : points) p -= middle;
        for (int turn = 0; turn < 4; ++turn) {
            expectClosed(toClip(randomCamera(random, 0.7F, 1), points), faces);
        }
    }
}

TEST_P(Watertight, coversEachPixelOnce_whenTrianglesMeetInAPoint) {
    Random random(7);
    for (const float centre : {0.5F, 0.25F}) {
        std::vector<glm::vec4> clip;
        const float middle = 2 * (70 + centre) / kImageSide - 1;
        clip.emplace_back(middle, middle, 0, 1);
        constexpr std::uint32_t kSpokes = 41;
        for (std::uint32_t i = 0; i < kSpokes; ++i) {
            const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / kSpokes;
            clip.emplace_back(4 * std::cos(angle), 4 * std::sin(angle), random(-1, 1), 1);
        }
        std::vector<int> times(std::size_t{kImageSide} * kImageSide);
        for (std::uint32_t i = 0; i < kSpokes; ++i) {
            const RasterImage image = draw(clip, {{0, 1 + i, 1 + (i + 1) % kSpokes}});
            for (std::size_t p = 0; p < times.size(); ++p)
                times[p] += image.facePlusOne[p] != 0 ? 1 : 0;
        }
        EXPECT_EQ(std::count(times.begin(), times.end(), 1), kImageSide * kImageSide);
    }
}

TEST_P(Watertight, leavesNoGap_whenASheetPassesTheCamera) {
    // A floor from far in front of the camera to far behind it: every pixel below the horizon is
    // covered once.
    Random random(8);
    Mesh floor;
    constexpr std::uint32_t kCells = 12;
    for (std::uint32_t z = 0; z <= kCells; ++z) {
        for (std::uint32_t x = 0; x <= kCells; ++x) {
            const auto place = [&](std::uint32_t i) {
                return (static_cast<float>(i) - kCells / 2.0F) * 20 + random(-5, 5);
            };
            const float across = place(x);
            floor.vertices.emplace_back(across, -1, place(z));
        }
    }
    for (std::uint32_t z = 0; z < kCells; ++z) {
        for (std::uint32_t x = 0; x < kCells; ++x) {
            const std::uint32_t v = z * (kCells + 1) + x;
            floor.faces.emplace_back(v, v + 1, v + kCells + 2);
            floor.faces.emplace_back(v, v + kCells + 2, v + kCells + 1);
        }
    }
    const glm::mat4 camera(1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, -1, 0, 0, -0.02F, 0);
    const auto clip = toClip(camera, floor.vertices);
    const RasterImage image = draw(clip, floor.faces);
    std::vector<int> times(image.facePlusOne.size());
    for (const glm::u32vec3& face : floor.faces) {
        const RasterImage alone = draw(clip, {face});
        for (std::size_t p = 0; p < times.size(); ++p)
            times[p] += alone.facePlusOne[p] != 0 ? 1 : 0;
    }
    for (std::uint32_t y = 0; y < kImageSide; ++y) {
        for (std::uint32_t x = 0; x < kImageSide; ++x) {
            const std::size_t p = y * kImageSide + x;
            EXPECT_EQ(times[p], image.facePlusOne[p] != 0 ? 1 : 0);
            if (y < kImageSide / 2) {
                EXPECT_EQ(image.facePlusOne[p], 0U);
            }
            if (y >= kImageSide / 2 + 2) {
                EXPECT_NE(image.facePlusOne[p], 0U);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Watertight, testing::ValuesIn(drawers()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace threefold::test
