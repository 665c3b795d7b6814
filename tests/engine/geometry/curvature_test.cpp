#include "engine/geometry/curvature.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/raster/shapes.h"

namespace threefold {
namespace {

constexpr float kPi = 3.14159265F;

// Mesh of rows × columns vertices; `around` joins the last column to the first.
Mesh grid(int rows, int columns, bool around, const std::function<glm::vec3(int, int)>& at) {
    Mesh mesh;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) mesh.vertices.push_back(at(r, c));
    }
    const auto index = [&](int r, int c) {
        return static_cast<std::uint32_t>(r * columns + c % columns);
    };
    for (int r = 0; r + 1 < rows; ++r) {
        for (int c = 0; c < (around ? columns : columns - 1); ++c) {
            mesh.faces.emplace_back(index(r, c), index(r, c + 1), index(r + 1, c));
            mesh.faces.emplace_back(index(r + 1, c), index(r, c + 1), index(r + 1, c + 1));
        }
    }
    return mesh;
}

Mesh sphere(int subdivisions, float radius) {
    Mesh mesh = test::icosphere(subdivisions);
    for (glm::vec3& vertex : mesh.vertices) vertex *= radius;
    return mesh;
}

TEST(MeanCurvature, isOneOverTheRadius_onASphere) {
    const Mesh ball = sphere(4, 0.25F);
    for (const float curvature : meanCurvature(ball.vertices, ball.faces)) {
        ASSERT_NEAR(curvature, 4.0F, 0.06F);
    }
}

TEST(MeanCurvature, isNegative_whenTheSurfaceIsInsideOut) {
    Mesh ball = sphere(3, 0.5F);
    for (glm::u32vec3& face : ball.faces) std::swap(face.y, face.z);
    for (const float curvature : meanCurvature(ball.vertices, ball.faces)) {
        ASSERT_NEAR(curvature, -2.0F, 0.06F);
    }
}

TEST(MeanCurvature, isHalfOverTheRadius_onACylinder) {
    constexpr int kRows = 20;
    constexpr int kColumns = 64;
    const Mesh cylinder = grid(kRows, kColumns, true, [](int r, int c) {
        const float angle = 2 * kPi * static_cast<float>(c) / kColumns;
        return glm::vec3(0.2F * std::cos(angle), 0.2F * std::sin(angle),
                         0.02F * static_cast<float>(r));
    });
    const std::vector<float> curvature = meanCurvature(cylinder.vertices, cylinder.faces);
    for (int r = 0; r < kRows; ++r) {
        for (int c = 0; c < kColumns; ++c) {
            const float here = curvature[static_cast<std::size_t>(r * kColumns + c)];
            if (r == 0 || r == kRows - 1) {
                ASSERT_TRUE(std::isnan(here));
            } else {
                ASSERT_NEAR(here, 2.5F, 0.02F);
            }
        }
    }
}

TEST(MeanCurvature, vanishes_atASaddlesCentre) {
    // z = xy has H = fx fy fxy / (1 + x² + y²)^(3/2) seen from above, the negative from below. The
    // faces turn from +c to +r, so they are seen from below.
    constexpr int kSide = 81;
    constexpr int kMiddle = kSide / 2;
    const auto along = [](int i) { return 0.02F * static_cast<float>(i - kMiddle); };
    const Mesh saddle = grid(kSide, kSide, false, [&](int r, int c) {
        return glm::vec3(along(r), along(c), along(r) * along(c));
    });
    const std::vector<float> curvature = meanCurvature(saddle.vertices, saddle.faces);
    const auto at = [&](int r, int c) {
        return curvature[static_cast<std::size_t>(r * kSide + c)];
    };
    EXPECT_NEAR(at(kSide / 2, kSide / 2), 0.0F, 1e-3F);
    for (int r = 10; r < kSide - 10; r += 7) {
        for (int c = 10; c < kSide - 10; c += 7) {
            const float x = along(r);
            const float y = along(c);
            const float expected = -x * y / std::pow(1 + x * x + y * y, 1.5F);
            ASSERT_NEAR(at(r, c), expected, 5e-3F) << x << ' ' << y;
        }
    }
}

TEST(MeanCurvature, isUndefined_withoutFacesOrArea) {
    const Points points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
    for (const float curvature : meanCurvature(points, Faces{{0, 1, 2}})) {
        EXPECT_TRUE(std::isnan(curvature));
    }
    EXPECT_TRUE(meanCurvature({}, {}).empty());
}

TEST(MeanCurvature, refusesFaces_whenTheirVerticesAreMissing) {
    EXPECT_THROW(meanCurvature(Points{{0, 0, 0}, {1, 0, 0}}, Faces{{0, 1, 2}}), InputError);
}

}  // namespace
}  // namespace threefold
