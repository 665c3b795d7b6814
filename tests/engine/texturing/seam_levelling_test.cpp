#include "engine/texturing/seam_levelling.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/texturing/atlas.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/texturing/photographed.h"

namespace threefold::texturing {
namespace {

/// A ball in two photographs from neighbouring places, each of one grey.
struct TwoGreys {
    TwoGreys(float one, float two) {
        for (const auto& [azimuth, grey] : {std::pair{0.0, one}, std::pair{50.0, two}})
            views.push_back(
                test::photographed(ball, Camera::fromRow({azimuth, 20, 0, 0.85}),
                                   [grey = grey](glm::vec3) { return glm::vec3(grey); }));
        for (const TextureView& view : views) seen.emplace_back(ball, view, std::stop_token());
        viewOfFace = chooseViews(ball, seen);
    }

    SeamLevelling measured(std::span<const ExposureCorrection> exposures = {}) const {
        return measureSeams({ball, seen, exposures, viewOfFace});
    }
    SeamLevelling levelled(const std::stop_token& cancel = {}) const {
        return levelSeams({ball, seen, {}, viewOfFace}, cancel);
    }

    /// Mean, over the vertices where the two views meet, of the first view's correction less the
    /// second's.
    double meanStep(const SeamLevelling& levelling) const {
        std::vector<std::uint8_t> shown(ball.vertices.size());  // bits of the views
        for (std::size_t face = 0; face < ball.faces.size(); ++face)
            if (viewOfFace[face] < 2)
                for (int i = 0; i < 3; ++i) {
                    std::uint8_t& bits = shown[ball.faces[face][i]];
                    bits = static_cast<std::uint8_t>(bits | (1U << viewOfFace[face]));
                }
        double sum = 0;
        double count = 0;
        for (std::uint32_t vertex = 0; vertex < shown.size(); ++vertex) {
            if (shown[vertex] != 3) continue;
            ++count;
            sum += levelling.correction(vertex, 0).x - levelling.correction(vertex, 1).x;
        }
        return sum / count;
    }

    Mesh ball = test::sphere(0.25);
    std::vector<TextureView> views;
    std::vector<MeshVisibility> seen;
    std::vector<std::uint32_t> viewOfFace;
};

TEST(SeamLevelling, bringsTheViewsTogetherAtTheirSeam) {
    const TwoGreys greys(120, 130);
    const SeamLevelling levelling = greys.levelled();
    EXPECT_NEAR(levelling.meanSeamDifferenceBefore(), 10, 0.1);
    EXPECT_LT(levelling.meanSeamDifferenceAfter(), 2);
    EXPECT_NEAR(greys.meanStep(levelling), 10, 2.5);
}

TEST(SeamLevelling, isZero_whenSeamsAreOnlyMeasured) {
    const TwoGreys greys(120, 130);
    const SeamLevelling measured = greys.measured();
    EXPECT_NEAR(measured.meanSeamDifferenceBefore(), 10, 0.1);
    EXPECT_EQ(measured.meanSeamDifferenceAfter(), measured.meanSeamDifferenceBefore());
    EXPECT_EQ(greys.meanStep(measured), 0);
}

TEST(SeamLevelling, comparesColoursAsTheExposuresCorrectThem) {
    const TwoGreys greys(120, 130);
    const ExposureCorrection exposures[] = {{}, {glm::vec3(1), glm::vec3(-10)}};
    EXPECT_NEAR(greys.measured(exposures).meanSeamDifferenceBefore(), 0, 0.1);
}

TEST(SeamLevelling, leavesTheSeam_whenItsDifferenceIsTooLargeForAnExposure) {
    const TwoGreys greys(100, 140);
    const SeamLevelling levelling = greys.levelled();
    EXPECT_NEAR(levelling.meanSeamDifferenceAfter(), 40, 0.1);
    EXPECT_NEAR(greys.meanStep(levelling), 0, 1e-3);
}

TEST(SeamLevelling, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(TwoGreys(120, 130).levelled(stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::texturing
