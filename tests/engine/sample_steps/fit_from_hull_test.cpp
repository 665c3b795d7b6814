#include "engine/sample_steps/fit_from_hull.h"
#include "engine/views/foreground.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/views/left_out_view.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/stereo/photographs.h"

namespace threefold::test {
namespace {

constexpr float kDeep = 0.07F;

/// Photographs of a block with a pit that no silhouette shows.
class FitFromHull : public testing::Test {
  protected:
    FitFromHull() {
        const Mesh truth = pit(kDeep);
        for (const Camera& camera : camerasAround(24)) {
            Image photograph = texturedPhotograph(truth, camera, 200, 40);
            const Mask mask = foregroundOf(photograph).value();
            photographs_.push_back(
                {static_cast<int>(photographs_.size()), camera, mask, {}, std::move(photograph)});
        }
    }

    /// Fills the photographs with noise, so that matching finds no depth.
    void replaceTextureByNoise() {
        std::mt19937 random(1);
        for (MaskedView& view : photographs_)
            for (std::size_t i = 0; i < view.photograph.rgba.size(); i += 4)
                for (std::size_t channel = 0; channel < 3; ++channel)
                    view.photograph.rgba[i + channel] = static_cast<std::uint8_t>(random() % 256);
    }

    /// Fits, given `network` as the network's fitted mesh.
    FittedMesh fitted(const Mesh& network, FitSource source = FitSource::depth,
                      std::size_t vertices = 0) const {
        FitResult result;
        for (const MaskedView& view : photographs_)
            result.agreements.push_back({view.view, {}, {}});
        FitOptions options;
        options.threads = 2;
        return fitFromHull({.sample = Sample{},
                            .fit = {.source = source, .vertices = vertices},
                            .referenceCamera = Camera{},
                            .photographs = photographs_,
                            .options = options},
                           Reconstruction{}, {network, std::move(result)});
    }

    std::vector<MaskedView> photographs_;
};

TEST_F(FitFromHull, isAsDeepAsThePhotographsShow_whenTheNetworksHollowIsNot) {
    const FittedMesh shallow = fitted(pit(0.02F));
    const FittedMesh tooDeep = fitted(pit(0.15F));
    ASSERT_TRUE(shallow.hullFit && shallow.hullFit->depthUsed());
    ASSERT_TRUE(tooDeep.hullFit && tooDeep.hullFit->depthUsed());
    EXPECT_LT(distanceFromPitFloor(shallow.mesh, kDeep), 0.007);
    EXPECT_LT(distanceFromPitFloor(tooDeep.mesh, kDeep), 0.007);
}

TEST_F(FitFromHull, hasHollowsOfTheNetworksMesh_whenDepthIsRefused) {
    replaceTextureByNoise();
    const FittedMesh fit = fitted(pit(kDeep));
    ASSERT_TRUE(fit.hullFit);
    EXPECT_FALSE(fit.hullFit->depthUsed());
    EXPECT_THAT(fit.hullFit->depth->problem, testing::HasSubstr("the hull is kept"));
    EXPECT_LT(distanceFromPitFloor(fit.mesh, kDeep), 0.01);
    EXPECT_LT(distanceFromPitFloor(fit.hullFit->hull, kDeep), 0.01);
}

TEST_F(FitFromHull, listsViewsThatTheHullLeavesOut_asLeftOut) {
    constexpr int kEmpty = 5;
    std::ranges::fill(photographs_[kEmpty].mask->inside, std::uint8_t{0});
    const FittedMesh fit = fitted(pit(kDeep), FitSource::hull);
    ASSERT_TRUE(fit.hullFit);
    EXPECT_THAT(fit.result.leftOut, testing::ElementsAre(LeftOutView{kEmpty, "empty mask"}));
    EXPECT_THAT(fit.result.agreements, testing::SizeIs(photographs_.size() - 1));
    EXPECT_THAT(fit.result.agreements,
                testing::Each(testing::Field(&FitAgreement::view, testing::Ne(kEmpty))));
}

TEST_F(FitFromHull, makesNoChoice_whenTheHullOfAllPhotographsFails) {
    constexpr std::size_t kTooFew = kMinHullVertices - 1;  // the trial hulls have enough vertices
    const Mesh tiny = sphere(0.05);
    const FittedMesh fit = fitted(tiny, FitSource::automatic, kTooFew);
    EXPECT_FALSE(fit.hullFit);
    EXPECT_EQ(fit.choiceReason, "");
    EXPECT_THAT(fit.notes, testing::ElementsAre(testing::StartsWith("No hull")));
    EXPECT_EQ(fit.mesh.vertices, tiny.vertices);
}

}  // namespace
}  // namespace threefold::test
