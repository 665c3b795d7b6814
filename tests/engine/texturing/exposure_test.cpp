#include "engine/texturing/exposure.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/texturing/mesh_visibility.h"
#include "tests/engine/hull/shapes.h"
#include "tests/engine/texturing/photographed.h"

namespace threefold {
namespace {

using test::photographed;
using test::smooth;

/// Made-up exposures of views: gains from 0.76 to 1.24, different in each channel, and offsets.
std::vector<ExposureCorrection> unevenExposures(std::size_t count) {
    std::vector<ExposureCorrection> made(count);
    for (std::size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            const auto step = static_cast<float>((5 * i + static_cast<std::size_t>(3 * k)) % 7);
            made[i].gain[k] = 0.76F + 0.08F * step;
            made[i].offset[k] = 2.0F * static_cast<float>((3 * i) % 5) - 4.0F;
        }
    return made;
}

std::vector<TextureView> taken(const Mesh& mesh, const std::vector<Camera>& cameras,
                               const std::vector<ExposureCorrection>& exposures) {
    std::vector<TextureView> views;
    for (std::size_t i = 0; i < cameras.size(); ++i)
        views.push_back(photographed(mesh, cameras[i],
                                     [&](glm::vec3 point) { return exposures[i](smooth(point)); }));
    return views;
}

std::vector<ExposureCorrection> estimatedExposures(const Mesh& mesh,
                                                   const std::vector<TextureView>& views,
                                                   int threads = 1) {
    std::vector<texturing::MeshVisibility> seen;
    seen.reserve(views.size());
    for (const TextureView& view : views) seen.emplace_back(mesh, view, std::stop_token());
    return texturing::estimateExposures(mesh, seen, threads, {});
}

/// Expects that the exposures, each followed by its correction, are equal for all views, within 2 %
/// of the gain and an offset of 2 (of 255).
void expectUndone(const std::vector<ExposureCorrection>& made,
                  const std::vector<ExposureCorrection>& found) {
    ASSERT_EQ(found.size(), made.size());
    std::vector<ExposureCorrection> both;
    ExposureCorrection mean{glm::vec3(0.0F), glm::vec3(0.0F)};
    for (std::size_t i = 0; i < made.size(); ++i) {
        both.push_back({found[i].gain * made[i].gain, found[i](made[i].offset)});
        mean.gain += both[i].gain / static_cast<float>(made.size());
        mean.offset += both[i].offset / static_cast<float>(made.size());
    }
    for (std::size_t i = 0; i < both.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(both[i].gain[k], mean.gain[k], 0.02F * mean.gain[k]) << i << ' ' << k;
            EXPECT_NEAR(both[i].offset[k], mean.offset[k], 2) << i << ' ' << k;
        }
}

void expectUnchanged(const std::vector<ExposureCorrection>& found, float tolerance = 0) {
    for (const ExposureCorrection& each : found)
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(each.gain[k], 1, tolerance);
            EXPECT_NEAR(each.offset[k], 0, 255 * tolerance);
        }
}

TEST(EstimateExposures, recoversGainsAndOffsets) {
    const Mesh mesh = test::sphere(0.2);
    const std::vector<Camera> cameras = test::camerasAround(12);
    const std::vector<ExposureCorrection> made = unevenExposures(cameras.size());
    const std::vector<ExposureCorrection> found =
        estimatedExposures(mesh, taken(mesh, cameras, made));
    expectUndone(made, found);
    glm::vec3 gains(0.0F);
    glm::vec3 offsets(0.0F);
    for (const ExposureCorrection& each : found) {
        for (int k = 0; k < 3; ++k) gains[k] += std::log(each.gain[k]);
        offsets += each.offset;
    }
    EXPECT_LT(glm::length(gains), 1e-4);
    EXPECT_LT(glm::length(offsets), 1e-3);
}

TEST(EstimateExposures, changesNothing_whenExposureIsEven) {
    const Mesh mesh = test::sphere(0.2);
    const std::vector<Camera> cameras = test::camerasAround(12);
    const std::vector<ExposureCorrection> same(cameras.size());
    expectUnchanged(estimatedExposures(mesh, taken(mesh, cameras, same)), 0.01F);
}

TEST(EstimateExposures, doesNotCountSaturatedPixels_whenAPhotographIsClipped) {
    const Mesh mesh = test::sphere(0.2);
    const std::vector<Camera> cameras = test::camerasAround(12);
    std::vector<ExposureCorrection> made = unevenExposures(cameras.size());
    made[4].gain = glm::vec3(1.7F);  // clips brightness above 150; colours are 67 to 187
    expectUndone(made, estimatedExposures(mesh, taken(mesh, cameras, made)));
}

TEST(EstimateExposures, changesNothing_whenViewsShareNoSurface) {
    const Mesh mesh = test::sphere(0.2);
    std::vector<Camera> cameras;
    for (const double azimuth : {0.0, 180.0})
        cameras.push_back(Camera::fromRow({.azimuth = azimuth, .elevation = 0, .distance = 0.8}));
    const std::vector<ExposureCorrection> made = {{glm::vec3(0.8F), {}}, {glm::vec3(1.2F), {}}};
    expectUnchanged(estimatedExposures(mesh, taken(mesh, cameras, made)));
    expectUnchanged(estimatedExposures(mesh, taken(mesh, {cameras[0]}, {made[0]})));
}

TEST(EstimateExposures, explainsDifferencesByGains_whenTheSurfaceHasOneColour) {
    const Mesh mesh = test::sphere(0.2);
    std::vector<TextureView> views;
    for (const Camera& camera : test::camerasAround(6)) {
        const float gain = views.size() % 2 == 0 ? 0.8F : 1.2F;
        views.push_back(photographed(mesh, camera,
                                     [gain](glm::vec3) { return gain * glm::vec3(120, 90, 100); }));
    }
    const std::vector<ExposureCorrection> found = estimatedExposures(mesh, views);
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(found[0].gain[k] / found[1].gain[k], 1.5, 0.15);
        EXPECT_NEAR(found[0].offset[k], 0, 6);
    }
}

TEST(EstimateExposures, areEqualBitForBit_withAnyThreadCount) {
    const Mesh mesh = test::torus();
    const std::vector<Camera> cameras = test::camerasAround(6);
    const auto views = taken(mesh, cameras, unevenExposures(cameras.size()));
    const std::vector<ExposureCorrection> one = estimatedExposures(mesh, views, 1);
    const std::vector<ExposureCorrection> two = estimatedExposures(mesh, views, 2);
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].gain, two[i].gain);
        EXPECT_EQ(one[i].offset, two[i].offset);
    }
}

TEST(ExposureNote, namesTheGains_whenTheyMatter) {
    EXPECT_EQ(exposureNote({}), "");
    const ExposureCorrection even[] = {{glm::vec3(1.01F), {}}, {glm::vec3(0.99F), {}}};
    EXPECT_EQ(exposureNote(even), "");
    const ExposureCorrection uneven[] = {{{1, 0.78F, 1}, {}}, {{1.24F, 1, 1}, {}}};
    EXPECT_EQ(exposureNote(uneven), "exposure evened: gains 0.78 to 1.24");
}

}  // namespace
}  // namespace threefold
