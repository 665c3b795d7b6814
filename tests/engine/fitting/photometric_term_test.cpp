#include "engine/fitting/vertex_terms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/geometry/vertex_normals.h"
#include "tests/engine/fitting/sphere.h"

namespace threefold::test {
namespace {

using fitting::MeshLevels;
using fitting::PhotometricTerm;
using fitting::PhotometricView;
using fitting::VertexEquations;
using fitting::ViewOutline;

/// A ball painted with waves, in photographs of 137×137 pixels by cameras around it.
class PhotometricTermTest : public testing::Test {
  protected:
    static constexpr int kSize = 137;
    static constexpr float kRadius = 0.16F;

    PhotometricTermTest() {
        for (glm::vec3& point : world_) point *= kRadius;
        ball_ = inView(world_, cameras_.front());
        const std::vector<MaskedView> views = viewsOf(ball_, levels_.faces(), cameras_);
        for (const MaskedView& view : views) {
            terms_.push_back(std::make_unique<ViewOutline>(*fitting::Outline::of(*view.mask, 300),
                                                           cameras_.front(), view.camera));
            photographs_.push_back(photograph(view.camera));
        }
    }

    /// Renders the ball, whose brightness is a sum of waves along three axes.
    static Image photograph(const Camera& camera) {
        Image image{kSize, kSize, {}};
        for (int y = 0; y < kSize; ++y) {
            for (int x = 0; x < kSize; ++x) {
                const double scale = 224.0 / kSize;
                const glm::dvec3 rayInCamera = glm::normalize(
                    glm::dvec3(((x + 0.5) * scale - kPrincipalPoint) / kFocalLength,
                               -((y + 0.5) * scale - kPrincipalPoint) / kFocalLength, -1));
                const glm::dvec3 ray = glm::transpose(camera.rotation) * rayInCamera;
                const double nearestDistance = -glm::dot(ray, camera.centre);
                const double inside = nearestDistance * nearestDistance -
                                      glm::dot(camera.centre, camera.centre) +
                                      double{kRadius} * kRadius;
                std::uint8_t grey = 255;
                if (inside >= 0) {
                    const glm::dvec3 p =
                        camera.centre + (nearestDistance - std::sqrt(inside)) * ray;
                    grey = static_cast<std::uint8_t>(
                        127 + 40 * (std::sin(90 * p.x) + std::sin(80 * p.y) + std::sin(70 * p.z)));
                }
                image.rgba.insert(image.rgba.end(), {grey, grey, grey, 255});
            }
        }
        return image;
    }

    std::vector<PhotometricView> photometricViews() const {
        std::vector<PhotometricView> views;
        for (std::size_t i = 0; i < terms_.size(); ++i)
            views.push_back({terms_[i].get(), &photographs_[i]});
        return views;
    }

    VertexEquations addedBy(PhotometricTerm& term, const Points& vertices, float sigma) const {
        VertexEquations sum{std::vector<fitting::SymmetricMatrix3f>(vertices.size()),
                            Points(vertices.size(), glm::vec3(0)), 0};
        term.addTo(vertices, vertexNormals(vertices, levels_.faces()),
                   {.photometricBlurSigma = sigma}, sum);
        return sum;
    }

    VertexEquations ask(const Points& vertices, int threads = 1,
                        const std::stop_token& cancel = {}) const {
        PhotometricTerm term(levels_, photometricViews(), threads, cancel);
        return addedBy(term, vertices, 1.5F);
    }
    /// Mean outward movement that minimises the term alone.
    float outwards(const Points& vertices) const {
        const VertexEquations sum = ask(vertices);
        const Points normals = vertexNormals(vertices, levels_.faces());
        float asked = 0;
        float held = 0;
        for (std::size_t v = 0; v < vertices.size(); ++v) {
            asked += glm::dot(normals[v], sum.rhs[v]);
            held += glm::dot(normals[v], sum.matrices[v] * normals[v]);
        }
        return asked / held;
    }

    Points scaledBall(float scale) const {
        Points scaled;
        for (const glm::vec3& point : world_) scaled.push_back(scale * point);
        return inView(scaled, cameras_.front());
    }

    TemplateMesh mesh_ = sphereTemplate(4);
    MeshLevels levels_{mesh_};
    Points world_ = sphereVertices(mesh_);
    std::vector<Camera> cameras_ = ringOfCameras(12);
    Points ball_;
    std::vector<std::unique_ptr<ViewOutline>> terms_;
    std::vector<Image> photographs_;
};

TEST_F(PhotometricTermTest, movesTheSurface_toTheDepthOfAgreement) {
    constexpr float kOff = 0.03F * kRadius;
    EXPECT_NEAR(outwards(scaledBall(0.97F)), kOff, 0.4F * kOff);
    EXPECT_NEAR(outwards(scaledBall(1.03F)), -kOff, 0.4F * kOff);
    // Within kReach, three standard deviations of the blur, the ball deviates from its tangent
    // plane by at most kReach² / kRadius.
    constexpr float kReach = 3 * 1.5F / (248 / 0.8F);
    EXPECT_NEAR(outwards(ball_), 0, kReach * kReach / kRadius);
    EXPECT_LT(ask(ball_).energy, 0.5 * ask(scaledBall(0.97F)).energy);
}

TEST_F(PhotometricTermTest, ignoresBrightnessAndContrastOfAPhotograph) {
    const float before = outwards(scaledBall(0.97F));
    for (std::size_t i = 0; i < photographs_.size(); i += 2) {
        for (std::uint8_t& value : photographs_[i].rgba)
            value = static_cast<std::uint8_t>(40 + value / 2);
    }
    EXPECT_NEAR(outwards(scaledBall(0.97F)), before, 0.1F * std::abs(before));
}

TEST_F(PhotometricTermTest, pullsOnlyAlongNormals) {
    const Points vertices = scaledBall(0.97F);
    const Points normals = vertexNormals(vertices, levels_.faces());
    const VertexEquations sum = ask(vertices);
    std::size_t asked = 0;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        const float length = glm::length(sum.rhs[v]);
        if (length == 0) continue;
        ++asked;
        EXPECT_NEAR(std::abs(glm::dot(sum.rhs[v], normals[v])), length, 1e-3F * length);
    }
    EXPECT_GT(asked, vertices.size() / 4);
}

TEST_F(PhotometricTermTest, vanishes_whenThePhotographsAreUniform) {
    const auto isSilent = [&] {
        const VertexEquations sum = ask(scaledBall(0.97F));
        return sum.energy == 0 && std::all_of(sum.rhs.begin(), sum.rhs.end(),
                                              [](glm::vec3 each) { return each == glm::vec3(0); });
    };
    EXPECT_FALSE(isSilent());
    const std::vector<Image> painted = photographs_;
    for (Image& image : photographs_) std::fill(image.rgba.begin(), image.rgba.end(), 128);
    EXPECT_TRUE(isSilent());
    // If all photographs but one are empty, there is nothing to compare.
    for (Image& image : photographs_) image = {};
    photographs_.front() = painted.front();
    EXPECT_TRUE(isSilent());
}

TEST_F(PhotometricTermTest, isTheSameWithAnyThreads_andIsCancelled) {
    const Points vertices = scaledBall(1.02F);
    const VertexEquations one = ask(vertices, 1);
    const VertexEquations more = ask(vertices, 3);
    EXPECT_EQ(one.rhs, more.rhs);
    EXPECT_EQ(one.energy, more.energy);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(ask(vertices, 2, stop.get_token()), Cancelled);
}

TEST_F(PhotometricTermTest, blursThePhotographsAnew_whenTheScaleChanges) {
    const Points vertices = scaledBall(0.97F);
    PhotometricTerm term(levels_, photometricViews(), 1, {});
    const VertexEquations coarse = addedBy(term, vertices, 3);
    const VertexEquations fine = addedBy(term, vertices, 1.5F);
    EXPECT_NE(coarse.energy, fine.energy);
    EXPECT_EQ(fine.energy, ask(vertices).energy);
    EXPECT_EQ(fine.rhs, ask(vertices).rhs);
}

}  // namespace
}  // namespace threefold::test
