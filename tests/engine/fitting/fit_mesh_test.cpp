#include "engine/fitting/fit_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <glm/geometric.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/fitting/outline_terms.h"
#include "engine/geometry/self_intersections.h"
#include "engine/geometry/vertex_normals.h"
#include "engine/raster/render_mask.h"
#include "engine/views/left_out_view.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::test {
namespace {

using fitting::MeshLevels;
using testing::ElementsAre;
using testing::HasSubstr;

/// A ball as start mesh, fitted to an ellipsoid that a ring of cameras sees.
class FitMesh : public testing::Test {
  protected:
    static Points scaled(glm::vec3 radii, const Camera& camera) {
        Points world = sphereVertices(startTemplate());
        for (glm::vec3& point : world) point *= radii;
        return inView(world, camera);
    }
    static const TemplateMesh& startTemplate() {
        static const TemplateMesh mesh = sphereTemplate(4);
        return mesh;
    }

    void see(int cameras) {
        cameras_ = ringOfCameras(cameras);
        ball_ = scaled(glm::vec3(0.16F), cameras_.front());
        ellipsoid_ = scaled({0.24F, 0.12F, 0.15F}, cameras_.front());
        views_ = viewsOf(ellipsoid_, levels_.faces(), cameras_);
    }

    // Eight views; the camera of view 3 is rotated by 40° around the object.
    void seeWithAWrongCamera() {
        see(8);
        CameraRow row;
        row.azimuth = 3 * 45 + 40;
        row.elevation = 30;
        row.distance = 0.8;
        views_[3].camera = Camera::fromRow(row);
    }
    FitResult fit(const Points& start, const FitOptions& options = {}) const {
        return fitMesh(start, levels_, cameras_.front(), views_, options);
    }
    /// Mean distance of vertices from the ellipsoid, to first order.
    double distanceFromEllipsoid(const Points& vertices) const {
        double sum = 0;
        for (const glm::vec3& vertex : vertices) {
            const glm::vec3 p(cameras_.front().toWorld(glm::dvec3(vertex)));
            const glm::vec3 q = p / glm::vec3(0.24F, 0.12F, 0.15F);
            const glm::vec3 slope = q / glm::vec3(0.24F, 0.12F, 0.15F);
            sum += std::abs(glm::dot(q, q) - 1) / (2 * glm::length(slope));
        }
        return sum / static_cast<double>(vertices.size());
    }

    MeshLevels levels_{startTemplate()};
    std::vector<Camera> cameras_;
    Points ball_;
    Points ellipsoid_;
    std::vector<MaskedView> views_;
};

TEST_F(FitMesh, findsTheShape_whenManyCamerasSeeIt) {
    see(8);
    const FitResult result = fit(ball_);
    EXPECT_GT(distanceFromEllipsoid(ball_), 0.02);
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.004);
    EXPECT_FALSE(result.steps.empty());
    EXPECT_LT(result.steps.back().meanEnergy, 0.1 * result.steps.front().meanEnergy);
    ASSERT_EQ(result.agreements.size(), 8U);
    for (const FitAgreement& each : result.agreements) {
        EXPECT_LT(each.before.overlap, 0.9);
        EXPECT_GT(each.after.overlap, 0.97);
    }
    EXPECT_TRUE(result.leftOut.empty());
    EXPECT_EQ(result.defectsAfter.foldedFaceCount, 0U);
    EXPECT_EQ(result.defectsAfter.intersectingFaceCount, 0U);
}

TEST_F(FitMesh, findsTheShape_atAnyResolutionOfTheMasks) {
    see(8);
    std::vector<double> off;
    for (const int side : {224, 333, 512, 1024}) {
        views_ = viewsOf(ellipsoid_, levels_.faces(), cameras_, side);
        const FitResult result = fit(ball_);
        off.push_back(distanceFromEllipsoid(result.vertices));
        for (const FitAgreement& each : result.agreements)
            EXPECT_GT(each.after.overlap, 0.98) << side;
    }
    for (const double each : off) EXPECT_LT(each, 1.1 * off.front());
}

TEST_F(FitMesh, isNotPulled_beyondThePhotographs) {
    see(8);
    const double right = distanceFromEllipsoid(fit(ball_).vertices);
    for (const int side : {137, 512}) {
        views_ = viewsOf(ellipsoid_, levels_.faces(), cameras_, side);
        // The photographs of two views end in the middle of the object.
        for (const std::size_t cut : {1U, 4U}) {
            Mask& mask = *views_[cut].mask;
            mask.known.assign(mask.inside.size(), 1);
            for (std::size_t i = 0; i < mask.inside.size(); ++i)
                if (i % static_cast<std::size_t>(side) > static_cast<std::size_t>(side) / 2)
                    mask.known[i] = mask.inside[i] = 0;
        }
        const FitResult result = fit(ball_);
        EXPECT_TRUE(result.leftOut.empty());
        EXPECT_LT(distanceFromEllipsoid(result.vertices), right + 0.001) << side;
        EXPECT_GT(result.agreements[1].after.overlap, 0.97);
    }
}

TEST_F(FitMesh, agreesWithItsMask_whenThereIsOneView) {
    see(1);
    const FitResult result = fit(ball_);
    EXPECT_GT(result.agreements.at(0).after.overlap, 0.96);
    EXPECT_LT(meanDistance(result.vertices, ball_), 0.1);
}

TEST_F(FitMesh, keepsAMesh_whenItIsCorrect) {
    see(8);
    const FitResult result = fit(ellipsoid_);
    EXPECT_EQ(result.vertices, ellipsoid_);
    EXPECT_TRUE(result.steps.empty());
}

TEST_F(FitMesh, givesTheSame_withAnyNumberOfThreads) {
    see(5);
    const Points one = fit(ball_, {.threads = 1}).vertices;
    EXPECT_EQ(fit(ball_, {.threads = 2}).vertices, one);
    EXPECT_EQ(fit(ball_, {.threads = 7}).vertices, one);
}

TEST_F(FitMesh, namesAViewWithoutOutline_andUsesTheOthers) {
    see(6);
    views_[2].mask.reset();
    views_[4].mask = Mask{137, 137, std::vector<std::uint8_t>(137 * 137)};
    const FitResult result = fit(ball_);
    EXPECT_THAT(remarksOf(result.leftOut, {}), ElementsAre(HasSubstr("views 2, 4: no outline")));
    EXPECT_FALSE(result.lacksMasks);
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.006);
}

TEST_F(FitMesh, keepsTheMesh_whenNoViewHasAnOutline) {
    see(2);
    for (MaskedView& view : views_) view.mask.reset();
    const FitResult result = fit(ball_);
    EXPECT_EQ(result.vertices, ball_);
    EXPECT_THAT(remarksOf(result.leftOut, {}), ElementsAre(HasSubstr("views 0, 1: no outline")));
    EXPECT_TRUE(result.lacksMasks);
    views_[1].problem = "is no picture";
    EXPECT_FALSE(fit(ball_).lacksMasks);
    EXPECT_EQ(fitMesh(ball_, levels_, cameras_.front(), {}, {}).vertices, ball_);
}

TEST_F(FitMesh, findsTheWrongCamera_andFitsWithoutIt) {
    seeWithAWrongCamera();
    const FitResult result = fit(ball_);
    EXPECT_THAT(remarksOf(result.leftOut, {}),
                ElementsAre(HasSubstr("view 3: contradicts the others")));
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.005);
}

TEST_F(FitMesh, leavesOutMasksOfOtherObjects_upToAQuarter) {
    see(12);
    for (const std::size_t wrong : {2U, 9U}) {
        Mask& mask = *views_[wrong].mask;
        for (std::size_t i = 0; i < mask.inside.size(); ++i)
            mask.inside[i] = (i / 137 / 20 + i % 137 / 20) % 2 == 0 ? 1 : 0;
    }
    const FitResult result = fit(ball_);
    EXPECT_THAT(viewNumbersOf(result.leftOut), testing::UnorderedElementsAre(2, 9));
    EXPECT_EQ(result.agreements.size(), 10U);
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.005);
}

TEST_F(FitMesh, isNotPulled_byAPartlyWrongMask) {
    see(8);
    const double right = distanceFromEllipsoid(fit(ball_).vertices);
    // A bar across the mask, as if a table's edge had been taken for the object.
    Mask& mask = *views_[5].mask;
    for (std::size_t i = 60 * 137; i < 66 * 137; ++i) mask.inside[i] = 1;
    EXPECT_LT(distanceFromEllipsoid(fit(ball_).vertices), right + 0.004);
}

TEST_F(FitMesh, ignoresTheSilhouette_beyondThePicturesBorder) {
    see(8);
    // The camera of view 1 sees the object at the picture's border, which cuts a part of the object
    // off.
    Mask& mask = *views_[1].mask;
    CameraRow row;
    row.azimuth = 45;
    row.elevation = 30;
    row.distance = 0.8;
    Camera aside = Camera::fromRow(row);
    aside.centre += glm::transpose(aside.rotation) * glm::dvec3(0.3, 0, 0);
    views_[1].camera = aside;
    mask = renderMask(ellipsoid_, levels_.faces(), cameras_.front(), aside, 137, 137);
    bool atBorder = false;
    for (std::size_t y = 0; y < 137; ++y) atBorder |= mask.inside[y * 137] != 0;
    ASSERT_TRUE(atBorder);
    const FitResult result = fit(ball_);
    EXPECT_TRUE(result.leftOut.empty());
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.006);
}

TEST_F(FitMesh, smoothsACrumpledMeshFirst) {
    see(8);
    Points crumpled = ball_;
    for (std::size_t i = 0; i < crumpled.size(); ++i)
        crumpled[i] += 0.02F * glm::vec3(std::sin(7.0F * static_cast<float>(i)),
                                         std::sin(11.0F * static_cast<float>(i)),
                                         std::sin(13.0F * static_cast<float>(i)));
    const FitResult result = fit(crumpled);
    EXPECT_GT(result.defectsBefore.crease, 0.1);
    EXPECT_EQ(result.defectsBefore.intersectingFaceCount,
              intersectingFaces(crumpled, levels_.faces()).size());
    EXPECT_GT(result.defectsBefore.intersectingFaceCount, 0U);
    EXPECT_LT(result.defectsAfter.crease, 0.05);
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.006);
}

TEST_F(FitMesh, needsNoTemplate) {
    see(8);
    const MeshLevels alone(levels_.vertexCount(), levels_.faces());
    EXPECT_EQ(alone.levelCount(), 1U);
    const FitResult result = fitMesh(ball_, alone, cameras_.front(), views_, {});
    EXPECT_LT(distanceFromEllipsoid(result.vertices), 0.006);
}

TEST_F(FitMesh, reportsItsProgress_andCanBeCancelled) {
    see(3);
    double last = 0;
    FitOptions options;
    options.progress = [&](const Points& vertices, double fraction) {
        EXPECT_EQ(vertices.size(), ball_.size());
        EXPECT_GT(fraction, last);
        EXPECT_LE(fraction, 1);
        last = fraction;
    };
    fit(ball_, options);
    EXPECT_GT(last, 0.5);
    std::stop_source stop;
    options.cancel = stop.get_token();
    options.progress = [&](const Points&, double) { stop.request_stop(); };
    EXPECT_THROW(fit(ball_, options), Cancelled);
}

TEST_F(FitMesh, reportsProgressThatNeverFalls_whenAViewIsLeftOut) {
    seeWithAWrongCamera();
    std::vector<double> fractions;
    FitOptions options;
    options.progress = [&](const Points&, double fraction) { fractions.push_back(fraction); };
    ASSERT_THAT(viewNumbersOf(fit(ball_, options).leftOut), ElementsAre(3));
    ASSERT_FALSE(fractions.empty());
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    EXPECT_GT(fractions.front(), 0);
    EXPECT_LE(fractions.back(), 1);
}

TEST_F(FitMesh, refusesAnInvalidMesh) {
    see(2);
    Points fewer(ball_.begin(), ball_.end() - 1);
    EXPECT_THROW(fit(fewer), InputError);
    Points broken = ball_;
    broken[5].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(fit(broken), InputError);
}

TEST_F(FitMesh, keepsVerticesFinite_behindACamera) {
    see(2);
    Points near = ball_;
    near[0] = {0, 0, 0.5F};
    const FitResult result = fit(near);
    for (const glm::vec3& vertex : result.vertices)
        EXPECT_TRUE(std::isfinite(vertex.x) && std::isfinite(vertex.y) && std::isfinite(vertex.z));
}

TEST_F(FitMesh, isTheSameWithColour_whenPhotographsHaveNone) {
    see(4);
    const FitResult without = fit(ball_);
    FitOptions options;
    options.photometric = true;
    EXPECT_EQ(fit(ball_, options).vertices, without.vertices);
    for (MaskedView& view : views_) {
        view.photograph = {137, 137, std::vector<std::uint8_t>(std::size_t{4} * 137 * 137, 90)};
    }
    EXPECT_EQ(fit(ball_, options).vertices, without.vertices);
}

TEST_F(FitMesh, findsAVertexForEachOutlinePoint_whenAllAreFarAway) {
    see(2);
    for (glm::vec3& vertex : ball_) vertex = {1e6F + vertex.x, vertex.y, 1};
    const FitResult result = fit(ball_);
    EXPECT_EQ(result.vertices.size(), ball_.size());
}

TEST_F(FitMesh, lowersTheEnergyOfOutlineTerms_byAStepAgainstItsGradient) {
    see(4);
    fitting::ViewOutline view(*fitting::Outline::of(*views_[1].mask, 300), cameras_.front(),
                              cameras_[1]);
    fitting::VertexEquations before;
    const Points normals = vertexNormals(ball_, levels_.faces());
    evaluateOutlineTerms(view, ball_, normals,
                         fitting::OutlineTermSet::outsideVerticesAndOutlinePoints, before);
    Points moved = ball_;
    for (std::size_t v = 0; v < moved.size(); ++v) {
        // A short step against the gradient of the energy.
        moved[v] += 1e-8F * before.rhs[v];
    }
    fitting::VertexEquations after;
    evaluateOutlineTerms(view, moved, vertexNormals(moved, levels_.faces()),
                         fitting::OutlineTermSet::outsideVerticesAndOutlinePoints, after);
    EXPECT_LT(after.energy, before.energy);
}

}  // namespace
}  // namespace threefold::test
