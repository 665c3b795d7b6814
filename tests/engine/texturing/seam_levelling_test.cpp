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

/// A ball in two photographs from neighbouring positions, each with a grey of its own.
struct TwoGreys {
    TwoGreys(float one, float two) {
        for (const auto& [azimuth, grey] : {std::pair{0.0, one}, std::pair{50.0, two}})
            views.push_back(
                test::photographed(ball, Camera::fromRow({azimuth, 20, 0, 0.85}),
                                   [grey = grey](glm::vec3) { return glm::vec3(grey); }));
        for (const TextureView& view : views) seen.emplace_back(ball, view, std::stop_token());
        viewOfFace = chooseViews(ball, seen);
    }

    Seams seams(std::span<const ExposureCorrection> exposures = {}) const {
        return findSeams({ball, seen, exposures, viewOfFace});
    }

    /// Mean difference between the corrections of the first and second view, over the vertices at
    /// their seam.
    double meanStep(const SeamCorrections& corrections) const {
        std::vector<std::uint8_t> shown(ball.vertices.size());  // views, as bits
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
            sum += corrections.at(vertex, 0).x - corrections.at(vertex, 1).x;
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
    const Seams seams = greys.seams();
    const SeamCorrections corrections = levelled(seams, {});
    EXPECT_NEAR(meanDifference(seams), 10, 0.1);
    EXPECT_LT(meanDifference(seams, corrections), 2);
    EXPECT_NEAR(greys.meanStep(corrections), 10, 2.5);
}

TEST(SeamLevelling, comparesColoursAsTheExposuresCorrectThem) {
    const TwoGreys greys(120, 130);
    const ExposureCorrection exposures[] = {{}, {glm::vec3(1), glm::vec3(-10)}};
    EXPECT_NEAR(meanDifference(greys.seams(exposures)), 0, 0.1);
}

TEST(SeamLevelling, leavesTheSeam_whenItsDifferenceIsTooLargeForAnExposure) {
    const TwoGreys greys(100, 140);
    const Seams seams = greys.seams();
    const SeamCorrections corrections = levelled(seams, {});
    EXPECT_NEAR(meanDifference(seams, corrections), 40, 0.1);
    EXPECT_NEAR(greys.meanStep(corrections), 0, 1e-3);
}

TEST(SeamLevelling, correctsNothing_whenNoViewsMeet) {
    TwoGreys greys(120, 130);
    greys.viewOfFace.assign(greys.ball.faces.size(), 0);
    const Seams seams = greys.seams();
    EXPECT_EQ(meanDifference(seams), 0);
    EXPECT_EQ(levelled(seams, {}).at(0, 0), glm::vec3(0));
}

TEST(SeamLevelling, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(levelled(TwoGreys(120, 130).seams(), stop.get_token()), Cancelled);
}

TEST(VertexViews, findsEachPairOnce_numberedInTheOrderOfAdding) {
    VertexViews pairs(3);
    pairs.add(1, 4);
    pairs.add(2, 4);
    pairs.add(1, 7);
    pairs.add(1, 4);
    EXPECT_EQ(pairs.size(), 3U);
    EXPECT_EQ(pairs.find(1, 4), 0U);
    EXPECT_EQ(pairs.find(2, 4), 1U);
    EXPECT_EQ(pairs.find(1, 7), 2U);
    EXPECT_EQ(pairs.find(0, 4), VertexViews::kNoPair);
    EXPECT_EQ(pairs.find(2, 7), VertexViews::kNoPair);
}

TEST(SeamCorrections, areTheMeanOfTheView_whereTheViewHasNoFace) {
    VertexViews pairs(3);
    pairs.add(0, 1);
    pairs.add(1, 1);
    const SeamCorrections corrections(pairs, {glm::vec3(2), glm::vec3(6)}, 2);
    EXPECT_EQ(corrections.at(0, 1), glm::vec3(2));
    EXPECT_EQ(corrections.at(1, 1), glm::vec3(6));
    EXPECT_EQ(corrections.at(2, 1), glm::vec3(4));
    EXPECT_EQ(corrections.at(0, 0), glm::vec3(0));
}

}  // namespace
}  // namespace threefold::texturing
