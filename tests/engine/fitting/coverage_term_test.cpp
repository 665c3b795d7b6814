#include "engine/fitting/vertex_terms.h"

#include <cmath>
#include <memory>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/geometry/vertex_normals.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::test {
namespace {

using fitting::CoverageTerm;
using fitting::MeshLevels;
using fitting::VertexEquations;
using fitting::ViewOutline;

constexpr float kPixelsPerUnit = 248 / 0.8F;

/// A ball inside a ring of cameras.
class CoverageTermTest : public testing::Test {
  protected:
    CoverageTermTest() {
        Points world = sphereVertices(mesh_);
        for (glm::vec3& point : world) point *= 0.16F;
        ball_ = inView(world, cameras_.front());
    }

    /// Sets the masks to the silhouettes of `seen` in the cameras.
    void see(const Points& seen) {
        terms_.clear();
        for (const MaskedView& view : viewsOf(seen, levels_.faces(), cameras_))
            terms_.push_back(std::make_unique<ViewOutline>(*fitting::Outline::of(*view.mask, 300),
                                                           cameras_.front(), view.camera));
    }

    VertexEquations ask(const Points& vertices, float sigma, int threads = 1,
                        const std::stop_token& cancel = {}) const {
        std::vector<const ViewOutline*> views;
        for (const auto& each : terms_) views.push_back(each.get());
        CoverageTerm term(levels_, views, threads, cancel);
        VertexEquations sum{std::vector<fitting::SymmetricMatrix3f>(vertices.size()),
                            Points(vertices.size(), glm::vec3(0)), 0};
        term.addTo(vertices, vertexNormals(vertices, levels_.faces()), {.coverageBlurSigma = sigma},
                   sum);
        return sum;
    }

    /// Common translation of all vertices that minimises the term.
    static glm::vec3 movement(const VertexEquations& sum) {
        fitting::SymmetricMatrix3f a;
        glm::vec3 b(0);
        for (std::size_t v = 0; v < sum.rhs.size(); ++v) {
            a += sum.matrices[v];
            b += sum.rhs[v];
        }
        return glm::inverse(glm::mat3(a.xx, a.xy, a.xz, a.xy, a.yy, a.yz, a.xz, a.yz, a.zz)) * b;
    }

    TemplateMesh mesh_ = sphereTemplate(4);
    MeshLevels levels_{mesh_};
    std::vector<Camera> cameras_ = ringOfCameras(3);
    Points ball_;
    std::vector<std::unique_ptr<ViewOutline>> terms_;
};

TEST_F(CoverageTermTest, pullsTheMeshTowardsTheMask_whenBesideIt) {
    see(ball_);
    for (const float sigma : {2.0F, 4.0F, 8.0F}) {
        for (const glm::vec3 direction : {glm::vec3(1, 0, 0), glm::vec3(0, 0.6F, -0.8F)}) {
            const glm::vec3 off = 1.5F / kPixelsPerUnit * direction;
            Points moved = ball_;
            for (glm::vec3& vertex : moved) vertex += off;
            const glm::vec3 asked = movement(ask(moved, sigma));
            EXPECT_LT(glm::distance(asked, -off), 0.35F * glm::length(off)) << sigma;
        }
    }
}

TEST_F(CoverageTermTest, growsAndShrinksAMesh) {
    see(ball_);
    for (const float scale : {0.95F, 1.05F}) {
        Points scaled = ball_;
        glm::vec3 middle(0);
        for (const glm::vec3& vertex : ball_) middle += vertex / static_cast<float>(ball_.size());
        for (std::size_t v = 0; v < scaled.size(); ++v)
            scaled[v] = middle + scale * (ball_[v] - middle);
        const VertexEquations sum = ask(scaled, 4);
        double outwards = 0;
        for (std::size_t v = 0; v < scaled.size(); ++v)
            outwards += glm::dot(sum.rhs[v], scaled[v] - middle);
        EXPECT_GT(scale < 1 ? outwards : -outwards, 0);
    }
}

TEST_F(CoverageTermTest, vanishes_whenTheMeshCoversTheMask) {
    see(ball_);
    const VertexEquations sum = ask(ball_, 4);
    EXPECT_EQ(sum.energy, 0);
    for (const glm::vec3& each : sum.rhs) EXPECT_EQ(each, glm::vec3(0));
    // The matrices are not zero, so the term resists movement.
    float held = 0;
    for (const auto& each : sum.matrices) held += each.xx + each.yy + each.zz;
    EXPECT_GT(held, 0);
}

TEST_F(CoverageTermTest, movesOnlyVerticesOfTheSilhouette) {
    see(ball_);
    cameras_.resize(1);
    terms_.resize(1);
    Points moved = ball_;
    for (glm::vec3& vertex : moved) vertex.x += 0.01F;
    const VertexEquations sum = ask(moved, 2);
    const Points normals = vertexNormals(moved, levels_.faces());
    std::size_t asked = 0;
    for (std::size_t v = 0; v < moved.size(); ++v) {
        if (sum.rhs[v] == glm::vec3(0)) continue;
        ++asked;
        EXPECT_LT(std::abs(glm::dot(normals[v], glm::normalize(moved[v]))), 0.25F);
    }
    EXPECT_GT(asked, 30U);
    EXPECT_LT(asked, moved.size() / 4);
}

TEST_F(CoverageTermTest, vanishes_beyondTheImage) {
    // The mesh and the object leave the image on the left, the mesh farther.
    cameras_.resize(1);
    Points seen = ball_;
    for (glm::vec3& vertex : seen) vertex.x -= 0.36F;
    see(seen);
    Points moved = ball_;
    for (glm::vec3& vertex : moved) vertex.x -= 0.362F;
    const VertexEquations sum = ask(moved, 2);
    for (std::size_t v = 0; v < moved.size(); ++v) {
        const glm::dvec2 pixel = projectToPixel(glm::dvec3(moved[v]));
        if (pixel.x >= -8) continue;
        EXPECT_EQ(sum.rhs[v], glm::vec3(0)) << pixel.x;
    }
    EXPECT_GT(sum.energy, 0);
}

TEST_F(CoverageTermTest, isTheSameWithAnyThreads_andIsCancelled) {
    see(ball_);
    Points moved = ball_;
    for (glm::vec3& vertex : moved) vertex.y += 0.01F;
    const VertexEquations one = ask(moved, 2, 1);
    const VertexEquations more = ask(moved, 2, 3);
    EXPECT_EQ(one.rhs, more.rhs);
    EXPECT_EQ(one.energy, more.energy);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(ask(moved, 2, 2, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace threefold::test
