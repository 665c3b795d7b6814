#include "engine/sample_steps/hull_sample.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "engine/bounding_box.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/masks/masked_views.h"
#include "engine/sample/sample.h"
#include "engine/views/mask.h"

namespace threefold {
namespace {

constexpr std::size_t kHullVertices = 1000;

LoadedSample sampleWithTruth() {
    return loadSample(
        std::make_shared<const Sample>(findSample(std::filesystem::path(THREEFOLD_RESOURCES) /
                                                  "samples/ShapeNetRendering/02958343/p0001")),
        {6, 0, 7});
}

SampleHull hullIn(const LoadedSample& loaded, const std::optional<SampleFit>& fit = {}) {
    return hullOf(loaded, fit, kHullVertices, 1, {});
}

TEST(LoadSample, isRefused_whenNoViewIsChosen) {
    EXPECT_THROW(loadSample(sampleWithTruth().sample, {}), InputError);
}

TEST(SampleHull, isMadeOfAllPhotographs_andComparedWithMasksAndTruth) {
    const LoadedSample loaded = sampleWithTruth();
    const SampleHull hull = hullIn(loaded);
    EXPECT_EQ(hull.photoCount + hull.leftOut.size(), loaded.sample->images.size());
    EXPECT_GT(hull.overlap, 0.9);
    // The truth is in the space of the reference view, which is not the sample's first.
    ASSERT_TRUE(hull.measures);
    EXPECT_GT(hull.measures->atTau().fScore, 50);
    EXPECT_FALSE(hull.mesh.faces.empty());
}

TEST(SampleHull, hasNoMeasures_withoutATruth) {
    LoadedSample loaded = sampleWithTruth();
    loaded.truth.points.clear();
    EXPECT_FALSE(hullIn(loaded).measures);
}

TEST(SampleHull, takesTheFitsPhotographs_onlyWhenTheFitHasAll) {
    const LoadedSample loaded = sampleWithTruth();
    const Sample& sample = *loaded.sample;
    std::vector<MaskedView> thinned =
        loadMaskedViews(sample, viewsToFit(sample, {}, {FitViews::Kind::all}), readViewPhoto, {});
    SampleFit fit;
    for (MaskedView& view : thinned) {
        view.mask = eroded(*view.mask, 2);
        fit.views.push_back(view.view);
    }
    fit.photographs = std::make_shared<const std::vector<MaskedView>>(thinned);
    const double diagonal = boundsOf(hullIn(loaded).mesh.vertices).diagonal();
    EXPECT_LT(boundsOf(hullIn(loaded, fit).mesh.vertices).diagonal(), 0.99 * diagonal);
    fit.views.pop_back();
    EXPECT_EQ(boundsOf(hullIn(loaded, fit).mesh.vertices).diagonal(), diagonal);
}

}  // namespace
}  // namespace threefold
