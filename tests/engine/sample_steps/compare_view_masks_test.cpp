#include "engine/sample_steps/compare_view_masks.h"

#include <algorithm>
#include <stop_token>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/measures/silhouette.h"
#include "engine/raster/render_mask.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::test {
namespace {

std::vector<MaskedView> viewsOf(const Mesh& mesh) {
    std::vector<MaskedView> views;
    for (const Camera& camera : camerasAround(3))
        views.push_back({static_cast<int>(views.size()), camera,
                         renderMask(mesh.vertices, mesh.faces, Camera{}, camera, 64, 64)});
    return views;
}

TEST(CompareViewMasks, givesAValueForEachView) {
    const Mesh mesh = pit(0.07F);
    std::vector<MaskedView> views = viewsOf(mesh);
    std::ranges::fill(views[1].mask->inside, 0);
    EXPECT_THAT(compareViewMasks(mesh, Camera{}, views, 2, {}, maskOverlap),
                testing::ElementsAre(1.0, 0.0, 1.0));
}

TEST(CompareViewMasks, throwsCancelled_whenCancelled) {
    const Mesh mesh = pit(0.07F);
    std::stop_source cancel;
    cancel.request_stop();
    EXPECT_THROW(
        compareViewMasks(mesh, Camera{}, viewsOf(mesh), 1, cancel.get_token(), maskOverlap),
        Cancelled);
}

}  // namespace
}  // namespace threefold::test
