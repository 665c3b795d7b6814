#include "engine/sample_steps/evaluate.h"

#include <memory>
#include <string>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <gtest/gtest.h>

#include "engine/raster/render_mask.h"
#include "engine/sample_steps/measure_sample.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/engine/sample_rendering/shapes.h"
#include "tests/support/stage_meshes.h"
#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

/// A ball as coarse mesh, a smaller ball as refined mesh, and two masks of the coarse mesh.
struct Scene {
    Reconstruction meshes;
    std::vector<MaskedView> views;

    std::vector<ViewSilhouetteScores> silhouettes() const {
        return silhouettesOf(meshes, views.front().camera, views);
    }
};

Scene scene(int side) {
    Scene scene;
    const Mesh unit = ball(40);
    scene.views = {{4, Camera::fromRow({10, 20, 0, 0.8, 25}), {}},
                   {9, Camera::fromRow({130, -10, 0, 0.8, 25}), {}}};
    const Camera& first = scene.views.front().camera;
    Points coarse;
    Points refined;
    for (const glm::vec3& vertex : unit.vertices) {
        const auto placed = [&](double radius) {
            return glm::vec3(first.toCamera(radius * glm::dvec3(vertex)));
        };
        coarse.push_back(placed(0.2));
        refined.push_back(placed(0.15));
    }
    scene.meshes.stages = publishedMeshes(coarse, refined);
    scene.meshes.levelFaces = std::make_shared<const std::vector<Faces>>(1, unit.faces);
    for (MaskedView& view : scene.views)
        view.mask =
            renderMask(scene.meshes.vertices("coarse"), unit.faces, first, view.camera, side, side);
    return scene;
}

TEST(Silhouettes, compareBothMeshesWithEachPhotograph) {
    const Scene seen = scene(137);
    const auto silhouettes = seen.silhouettes();
    ASSERT_EQ(silhouettes.size(), 2U);
    EXPECT_EQ(silhouettes[1].view, 9);
    for (const ViewSilhouetteScores& view : silhouettes) {
        EXPECT_EQ(view.meshes.find("coarse")->overlap, 1);
        EXPECT_EQ(view.meshes.find("coarse")->outlineDistance->hausdorff, 0);
        EXPECT_NEAR(view.meshes.find("refined")->overlap, 0.75 * 0.75, 0.04);
        EXPECT_NEAR(view.meshes.find("refined")->outlineDistance->mean, 10,
                    1.5);  // a quarter of the coarse radius of 39 pixels
    }
}

TEST(Silhouettes, giveDistancesInPixelsOfThePhotograph_whenItIsLarge) {
    const Scene seen = scene(2740);
    const auto silhouettes = seen.silhouettes();
    EXPECT_GT(silhouettes[0].meshes.find("coarse")->overlap, 0.99);
    EXPECT_NEAR(silhouettes[0].meshes.find("refined")->overlap, 0.75 * 0.75, 0.02);
    EXPECT_NEAR(silhouettes[0].meshes.find("refined")->outlineDistance->mean, 200, 10);
}

/// A ball near the right lower corner of a large picture: the mask is the coarse mesh's, at `width`
/// × `height` pixels.
Scene ballInTheCorner(int width, int height) {
    const Mesh unit = ball(60);
    const Camera camera = Camera::fromRow({10, 20, 0, 0.8, 25});
    Points coarse;
    Points refined;
    for (const glm::vec3& vertex : unit.vertices) {
        const glm::vec3 middle(0.23F, -0.23F, -0.8F);
        coarse.push_back(middle + 0.1F * vertex);
        refined.push_back(middle + 0.09F * vertex);
    }
    Scene made;
    made.meshes.stages = publishedMeshes(coarse, refined);
    made.meshes.levelFaces = std::make_shared<const std::vector<Faces>>(1, unit.faces);
    made.views = {{4, camera, renderMask(coarse, unit.faces, camera, camera, width, height)}};
    return made;
}

TEST(Silhouettes, areThoseOfAllPixels_whenTheSideIsNoMultipleOfTheStep) {
    struct Case {
        int width, height, step;
    };
    for (const auto [width, height, step] : {Case{1025, 1025, 3},
                                             {1026, 1026, 3},
                                             {1027, 1027, 3},
                                             {1400, 1027, 3},
                                             {3073, 3076, 5}}) {
        SCOPED_TRACE(testing::Message() << width << " x " << height);
        const Scene seen = ballInTheCorner(width, height);
        const MaskedView& view = seen.views.front();
        const auto silhouettes = seen.silhouettes();
        const SilhouetteScore& coarse = *silhouettes[0].meshes.find("coarse");
        EXPECT_GT(coarse.overlap, 0.9995);
        EXPECT_LT(coarse.outlineDistance->mean, 0.05);
        EXPECT_LE(coarse.outlineDistance->hausdorff, step);

        const SilhouetteScore exact = compareMasks(
            renderMask(seen.meshes.vertices("refined"), seen.meshes.levelFaces->front(),
                       view.camera, view.camera, width, height),
            *view.mask);
        const SilhouetteScore& refined = *silhouettes[0].meshes.find("refined");
        EXPECT_NEAR(refined.overlap, exact.overlap, 0.002);
        EXPECT_NEAR(refined.outlineDistance->mean, exact.outlineDistance->mean, 0.2 * step);
        EXPECT_NEAR(refined.outlineDistance->hausdorff, exact.outlineDistance->hausdorff, step);
    }
}

TEST(Silhouettes, areTheSame_withAnyNumberOfThreads) {
    Scene seen = scene(137);
    seen.views.push_back({11, seen.views.back().camera, {}});
    const auto byOne = seen.silhouettes();
    const auto byFour = silhouettesOf(seen.meshes, seen.views.front().camera, seen.views, 4);
    ASSERT_EQ(byFour.size(), byOne.size());
    for (std::size_t i = 0; i < byOne.size(); ++i) {
        EXPECT_EQ(byFour[i].view, byOne[i].view);
        ASSERT_EQ(byFour[i].meshes.entries().size(), byOne[i].meshes.entries().size());
        for (const auto& [name, score] : byOne[i].meshes.entries()) {
            const SilhouetteScore& other = *byFour[i].meshes.find(name);
            EXPECT_EQ(other.overlap, score.overlap);
            EXPECT_EQ(other.outlineDistance->mean, score.outlineDistance->mean);
            EXPECT_EQ(other.outlineDistance->hausdorff, score.outlineDistance->hausdorff);
        }
    }
}

/// Photographs of a ball by distant cameras whose lens differs from the network's. The last two
/// photographs cut the ball off.
class FarPhotographs : public testing::Test {
  protected:
    static constexpr double kFocal = 1300;
    static constexpr double kRadius = 0.3;
    static constexpr glm::dvec2 kPrincipal{331, 215};

    FarPhotographs() {
        nlohmann::json scene = {{"fl_x", kFocal},
                                {"cx", kPrincipal.x},
                                {"cy", kPrincipal.y},
                                {"w", 640},
                                {"h", 480},
                                {"object_size", 0.75},
                                {"object_centre", {0, 0, 0}},
                                {"frames", nlohmann::json::array()}};
        for (int view = 0; view < 4; ++view) {
            rows_.push_back({100.0 * view, 20, 0, view < 2 ? 2.3 : 1.4, 25});
            const std::string name = std::to_string(view) + ".png";
            writePng(folder_ / name, pictureOf(rows_.back()));
            scene["frames"].push_back(
                {{"file_path", name}, {"transform_matrix", openGlMatrix(rows_.back(), {})}});
        }
        writeJson(folder_ / "transforms.json", scene);
    }

    /// Whether a pixel's ray hits a ball around `middle`.
    static bool sees(const CameraRow& row, int x, int y, glm::dvec3 middle, double radius) {
        const Camera camera = Camera::fromRow(row);
        const glm::dvec3 ray((x + 0.5 - kPrincipal.x) / kFocal, (kPrincipal.y - y - 0.5) / kFocal,
                             -1);
        const glm::dvec3 direction = glm::normalize(glm::transpose(camera.rotation) * ray);
        return glm::length(glm::cross(direction, middle - camera.centre)) < radius;
    }

    static Image pictureOf(const CameraRow& row) {
        Image picture{640, 480, {}};
        for (int y = 0; y < 480; ++y) {
            for (int x = 0; x < 640; ++x) {
                const bool inside = sees(row, x, y, glm::dvec3(0), kRadius);
                picture.rgba.insert(picture.rgba.end(),
                                    {90, 90, 90, static_cast<std::uint8_t>(inside ? 255 : 0)});
            }
        }
        return picture;
    }

    TempFolder folder_;
    std::vector<CameraRow> rows_;
};

TEST_F(FarPhotographs, haveTheOverlapOfTheirOwnPixels) {
    const auto sample = std::make_shared<const Sample>(findSample(
        {.location = folder_.path(), .placement = ObjectPlacement{{}, {}, glm::dvec3(0, 1, 0)}}));
    LoadedSample loaded = loadSample(sample, {0, 1, 2, 3});
    Reconstruction made;
    Points mesh;
    const glm::dvec3 middle(0.04, -0.03, 0.05);
    constexpr double kMeshRadius = 0.27;
    const Mesh unit = ball(80);
    for (const glm::vec3& vertex : unit.vertices) {
        const glm::dvec3 place = middle + kMeshRadius * glm::dvec3(vertex);
        mesh.push_back(
            glm::vec3(loaded.input.cameras[0].toCamera(sample->photoWorld().toObject(place))));
    }
    made.stages = test::publishedMeshes(mesh, mesh);
    made.levelFaces = std::make_shared<const std::vector<Faces>>(1, unit.faces);
    const MeasuredSample measured = measureSample({std::move(loaded), std::move(made)}, {});
    ASSERT_EQ(measured.silhouettes.size(), 4U);
    for (std::size_t view = 0; view < 4; ++view) {
        double both = 0;
        double any = 0;
        for (int y = 0; y < 480; ++y) {
            for (int x = 0; x < 640; ++x) {
                const bool object = sees(rows_[view], x, y, glm::dvec3(0), kRadius);
                const bool drawn = sees(rows_[view], x, y, middle, kMeshRadius);
                both += object && drawn ? 1 : 0;
                any += object || drawn ? 1 : 0;
            }
        }
        EXPECT_NEAR(measured.silhouettes[view].meshes.find("refined")->overlap, both / any, 0.003)
            << view;
    }
}

TEST(Silhouettes, leaveOutPhotographs_withoutAMask) {
    Scene seen = scene(60);
    seen.views[1].mask.reset();
    const auto silhouettes = seen.silhouettes();
    EXPECT_NE(silhouettes[0].meshes.find("refined"), nullptr);
    EXPECT_TRUE(silhouettes[1].meshes.empty());
    EXPECT_EQ(meansOf(silhouettes, "refined")->overlap,
              silhouettes[0].meshes.find("refined")->overlap);
    EXPECT_EQ(meansOf(silhouettes, "refined")->viewCount, 1U);
    EXPECT_FALSE(meansOf(std::span(silhouettes).subspan(1), "coarse"));
}

TEST(Silhouettes, haveNoMeanDistance_whenNoViewHasAnOutline) {
    const std::vector<ViewSilhouetteScores> without = {{0, {{"coarse", {0.5, {}}}}}};
    EXPECT_FALSE(meansOf(without, "coarse")->outlineDistance);
    const std::vector<ViewSilhouetteScores> views = {
        {0, {{"coarse", {0.5, {}}}}},
        {6, {{"coarse", {0.25, OutlineDistance{3, 9}}}}},
        {7, {{"coarse", {0.75, OutlineDistance{4, 7}}}}}};
    EXPECT_EQ(meansOf(views, "coarse")->overlap, 0.5);
    EXPECT_EQ(meansOf(views, "coarse")->outlineDistance, 3.5);
}

}  // namespace
}  // namespace threefold::test
