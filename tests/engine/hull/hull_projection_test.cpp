#include "engine/hull/hull_projection.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/measures/silhouette.h"
#include "engine/raster/render_mask.h"
#include "engine/silhouettes/silhouette_set.h"
#include "tests/engine/hull/shapes.h"

namespace threefold::hull {
namespace {

// This side is no multiple of the side of the blocks that projectHull() may skip.
constexpr int kPictureSide = 150;

class ProjectHull : public testing::Test {
  protected:
    ProjectHull() {
        for (const Camera& camera : test::camerasAround(16))
            silhouettes_.add(camera,
                             renderMask(mug_.vertices, mug_.faces, Pose{}, camera, 224, 224));
    }

    HullField field() const { return {silhouettes_.all(), 0}; }

    Mask project(const Camera& camera, double margin = 0, int threads = 2) const {
        return projectHull(field(), camera, kPictureSide, margin, threads, {});
    }

    Mesh mug_ = test::mug();
    SilhouetteSet silhouettes_;
};

TEST_F(ProjectHull, agreesWithTheMasks) {
    for (const std::size_t view : {0, 5, 11}) {
        const Camera& camera = silhouettes_.all()[view]->camera();
        const Mask right =
            renderMask(mug_.vertices, mug_.faces, Pose{}, camera, kPictureSide, kPictureSide);
        EXPECT_GT(maskOverlap(project(camera), right), 0.97) << view;
    }
}

TEST_F(ProjectHull, coversTheObject_fromAnyDirection) {
    Camera camera = Camera::fromRow({77, 10, 0, 0.8, 25});
    const Mask covered = project(camera, 0.004);
    const Mask right =
        renderMask(mug_.vertices, mug_.faces, Pose{}, camera, kPictureSide, kPictureSide);
    for (std::size_t i = 0; i < right.inside.size(); ++i)
        ASSERT_LE(right.inside[i], covered.inside[i])
            << i % kPictureSide << ", " << i / kPictureSide;
}

TEST_F(ProjectHull, growsByTheMargin) {
    const Camera& camera = silhouettes_.all()[0]->camera();
    const auto pixels = [](const Mask& mask) { return std::ranges::count(mask.inside, 1); };
    EXPECT_GT(pixels(project(camera, 0.02)), pixels(project(camera)) + 500);
}

TEST_F(ProjectHull, isTheSame_forAnyNumberOfThreads) {
    const Camera camera = Camera::fromRow({77, 10, 0, 0.8, 25});
    EXPECT_EQ(project(camera, 0, 1).inside, project(camera, 0, 3).inside);
}

TEST_F(ProjectHull, endsWithCancelled_whenStopped) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(projectHull(field(), Camera::fromRow({77, 10, 0, 0.8, 25}), kPictureSide, 0, 2,
                             stop.get_token()),
                 Cancelled);
}

}  // namespace
}  // namespace threefold::hull
