#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QThreadPool>

#include "tests/support/temp_folder.h"
#include "tests/ui/core_application.h"
#include "tests/ui/test_sample.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/session.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/files/mesh_paint.h"
#include "ui/files/picture_labels.h"
#include "ui/panes/make_scene.h"

namespace threefold::ui {
namespace {

TEST(ThemeColours, areVisible_inBothThemes) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 0.01);
    for (const bool dark : {true, false}) {
        const ThemeColours colours = themeColours(dark ? Theme::dark : Theme::light);
        for (const QColor& behind : {colours.panel, colours.raised}) {
            EXPECT_GE(contrast(colours.good, behind), 4.5);
            EXPECT_GE(contrast(colours.bad, behind), 4.5);
        }
        EXPECT_GE(contrast(colours.checked, colours.raised), 3.0 - 0.05);
        EXPECT_GE(contrast(colours.accentText, colours.checked), 4.5);
    }
}

TEST(MakeScene, outlinesMeshes_whenTheirColoursVanishOnTheBackground) {
    Document document;
    document.result.set(test::bundledResult());
    for (const bool dark : {true, false}) {
        const ThemeColours colours = themeColours(dark ? Theme::dark : Theme::light);
        const auto outline = [&](Quantity quantity) {
            document.look.set({.quantity = quantity});
            return makeScene({document}, colours).panes[0].layers[0].outline;
        };
        const auto line = outline(Quantity::distanceToTruth);
        ASSERT_TRUE(line);
        EXPECT_GE(contrast(QColor::fromRgbF(line->x, line->y, line->z), colours.viewport), 1.5);
        // The colour map of curvature, blue to red, contrasts with the background.
        EXPECT_FALSE(outline(Quantity::curvature));
        EXPECT_FALSE(outline(Quantity::none));
    }
}

TEST(MakeScene, passesOnAxesGroundAndBackFaces) {
    Document document;
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    document.result.set(result);
    render::Scene scene = makeScene({document}, themeColours(Theme::dark));
    EXPECT_FALSE(scene.panes[0].axes || scene.panes[0].ground ||
                 scene.panes[0].layers[0].backfaces);
    document.look.set({.backfaces = true, .axes = true, .ground = true});
    scene = makeScene({document}, themeColours(Theme::dark));
    EXPECT_TRUE(scene.panes[1].axes && scene.panes[1].layers[0].backfaces);
    ASSERT_TRUE(scene.panes[1].ground);
    float lowest = 1e9F;
    for (const auto& mesh : {result->mesh(MeshId::firstPublished), result->mesh(MeshId::result)}) {
        for (const glm::vec3 vertex : mesh->vertices) lowest = std::min(lowest, vertex.y);
    }
    EXPECT_EQ(scene.panes[1].ground->centre.y, lowest);
}

TEST(ValueRange, staysForLaterResults_whenKept) {
    Document document;
    document.result.set(test::bundledResult());
    const ValueRange before = valueRange({document}, MeshId::result);
    document.look.change([&](Look& look) {
        look.keepRange = true;
        look.rangeMin = before.min;
        look.rangeMax = before.max;
    });
    Reconstruction larger = test::fakeReconstruction();
    for (glm::vec3& vertex : larger.stages.back().vertices) vertex *= 1.5F;
    document.result.set(makeResult(test::bundledSample(), {0, 6, 7}, std::move(larger)));
    EXPECT_EQ(valueRange({document}, MeshId::result), before);
    const Look other = withQuantity(document.look.current(), Quantity::movement);
    EXPECT_FALSE(other.keepRange);
    document.look.change([](Look& look) { look.keepRange = false; });
    EXPECT_NE(valueRange({document}, MeshId::result), before);
}

TEST(Session, storesDrawingChoices_andOpensOlderSessions) {
    Session session;
    session.look.backfaces = session.look.axes = session.look.ground = true;
    session.look.keepRange = true;
    std::string text = formatSession(session, "/data");
    EXPECT_EQ(parseSession(text, "/data/kept.threefold").look, session.look);
    for (const char* key : {"backfaces", "axes", "ground", "keepRange"}) {
        const std::size_t at = text.find('"' + std::string(key) + '"');
        ASSERT_NE(at, std::string::npos);
        text.replace(at + 1, 1, "_");  // an unknown key, which is ignored
    }
    EXPECT_EQ(parseSession(text, "/data/kept.threefold").look, Look());
}

// Two squares in front of the camera, the nearer one hiding the smaller, farther one.
render::SceneMesh twoSquares(const Camera& camera) {
    render::SceneMesh mesh;
    for (const double z : {-0.8, -1.0}) {
        const double half = z > -0.9 ? 0.2 : 0.1;
        const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
        for (const glm::dvec2 corner : {glm::dvec2(-half, -half), glm::dvec2(half, -half),
                                        glm::dvec2(half, half), glm::dvec2(-half, half)}) {
            mesh.vertices.emplace_back(camera.toWorld({corner.x, corner.y, z}));
        }
        mesh.faces.emplace_back(first, first + 1, first + 2);
        mesh.faces.emplace_back(first, first + 2, first + 3);
    }
    return mesh;
}

TextureView viewOf(const Camera& camera, std::shared_ptr<const Image> image) {
    Mask mask{image->width, image->height, {}};
    for (std::size_t i = 3; i < image->rgba.size(); i += 4)
        mask.inside.push_back(image->rgba[i] >= 128 ? 1 : 0);
    return {camera, std::move(image), std::move(mask)};
}

// Texel at the texture coordinates of a face's corner.
glm::vec3 colourAt(const render::SceneTexture& texture, std::size_t corner) {
    const auto x = static_cast<std::size_t>(texture.texCoords.at(corner).x * texture.width);
    const auto y = static_cast<std::size_t>(texture.texCoords.at(corner).y * texture.height);
    const std::size_t pixel = 4 * (y * static_cast<std::size_t>(texture.width) + x);
    return {texture.pixels.at(pixel), texture.pixels.at(pixel + 1), texture.pixels.at(pixel + 2)};
}

TEST(Photographs, areProjectedThroughTheirCameras) {
    const Camera camera = Camera::fromRow({.azimuth = 30, .elevation = 20, .distance = 1});
    auto image = std::make_shared<Image>();
    image->width = image->height = 224;
    for (int y = 0; y < 224; ++y) {
        for (int x = 0; x < 224; ++x) {
            image->rgba.insert(image->rgba.end(), {static_cast<std::uint8_t>(x),
                                                   static_cast<std::uint8_t>(y), 0, 255});
        }
    }
    const render::SceneMesh mesh = twoSquares(camera);
    const TextureView views[] = {viewOf(camera, image)};
    const render::SceneTextureRef texture = bakePhotographs(mesh, views);
    ASSERT_TRUE(texture);
    ASSERT_EQ(texture->texCoords.size(), 12U);
    const glm::u32vec3 face = mesh.faces[0];
    for (int i = 0; i < 3; ++i) {
        const glm::dvec2 pixel =
            projectToPixel(camera.toCamera(glm::dvec3(mesh.vertices[face[i]])));
        const glm::vec3 colour = colourAt(*texture, static_cast<std::size_t>(i));
        EXPECT_NEAR(colour.x, pixel.x, 1.5);
        EXPECT_NEAR(colour.y, pixel.y, 1.5);
    }
    EXPECT_FALSE(bakePhotographs({mesh.vertices, {}}, views));
}

class MeshPaint : public testing::Test {
  protected:
    std::filesystem::path write(const char* name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }

  private:
    threefold::test::TempFolder folder_;
};

TEST_F(MeshPaint, hasTheColoursOfTheVertices) {
    const SurfacePaint paint =
        paintOf(readTexturedMesh(write("points.ply",
                                       "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                                       "property float y\nproperty float z\nproperty uchar red\n"
                                       "property uchar green\nproperty uchar blue\nend_header\n"
                                       "0 0 0 255 0 0\n1 0 0 0 0 255\n")));
    ASSERT_TRUE(paint.colours);
    EXPECT_FALSE(paint.texture);
    EXPECT_EQ(*paint.colours, (render::SceneValues{255.0F * 65536, 255.0F}));
    EXPECT_FALSE(
        paintOf(readTexturedMesh(write("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))));
}

TEST_F(MeshPaint, isATexture_whenFacesHaveMaterials) {
    write("two.mtl", "newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n");
    const SurfacePaint paint = paintOf(
        readTexturedMesh(write("two.obj",
                               "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nusemtl red\n"
                               "f 1 2 3\nusemtl green\nf 2 4 3\n")));
    ASSERT_TRUE(paint.texture);
    const render::SceneTexture& texture = *paint.texture;
    ASSERT_EQ(texture.texCoords.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        const auto x = static_cast<std::size_t>(texture.texCoords[i].x * texture.width);
        const auto y = static_cast<std::size_t>(texture.texCoords[i].y * texture.height);
        const std::size_t pixel = 4 * (y * static_cast<std::size_t>(texture.width) + x);
        EXPECT_EQ(texture.pixels[pixel], i < 3 ? 255 : 0) << i;
        EXPECT_EQ(texture.pixels[pixel + 1], i < 3 ? 0 : 255) << i;
    }
}

std::shared_ptr<const Image> sheet(std::uint8_t alpha) {
    auto image = std::make_shared<Image>();
    image->width = image->height = 224;
    image->rgba.assign(std::size_t{4} * 224 * 224, alpha);
    return image;
}

TEST(Photographs, colourOnlyVertices_thatTheyShow) {
    const Camera camera = Camera::fromRow({.azimuth = 30, .elevation = 20, .distance = 1});
    const render::SceneMesh mesh = twoSquares(camera);
    // The first photograph is transparent everywhere, so it must not contribute a colour.
    const TextureView views[] = {viewOf(camera, sheet(0)), viewOf(camera, sheet(255))};
    const render::SceneTextureRef texture = bakePhotographs(mesh, views);
    ASSERT_TRUE(texture);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(colourAt(*texture, i), glm::vec3(255)) << i;
}

TEST(PhotographTextures, usesEveryPhotographOfTheFit) {
    const test::CoreApplication application;
    Document document;
    const ResultRef refined =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    FittedSample fitted = test::fittedSample(test::fittedReconstruction(), 1);
    fitted.fit->views = {6, 11, 0, 19};
    const FitChoice requested{.on = true};
    document.fit.setChoice(requested);
    document.result.set(withFit(refined, requested, std::move(fitted)));
    document.look.set({.quantity = Quantity::photographs});
    PhotographTextures paint(document);
    std::vector<bool> refinedHasTexture;
    QObject::connect(&paint, &PhotographTextures::changed, &paint, [&] {
        refinedHasTexture.push_back(paint.texture(refined->mesh(MeshId::result)) != nullptr);
    });
    while (paint.isBusy()) test::CoreApplication::finishWork();
    // One signal for each texture: refined, fitted, coarse.
    EXPECT_THAT(refinedHasTexture, testing::ElementsAre(true, true, true));
    EXPECT_TRUE(paint.texture(document.result.current()->mesh(MeshId::fitted)) &&
                paint.texture(document.result.current()->mesh(MeshId::firstPublished)));
    EXPECT_FALSE(paint.texture(document.result.current()->morph.stages[0].mesh));
    document.look.change([](Look& look) { look.morphPosition = -5; });
    while (paint.isBusy()) test::CoreApplication::finishWork();
    EXPECT_TRUE(paint.texture(document.result.current()->morph.stages[0].mesh));
    EXPECT_EQ(photographsOf(*document.result.current()), (std::vector<int>{0, 6, 7, 11, 19}));
}

TEST(PhotographTextures, waitsForTheFirstPictureOfAResult_whenAsked) {
    const test::CoreApplication application;
    Document document;
    document.look.set({.quantity = Quantity::photographs});
    PhotographTextures paint(document);
    paint.firstPictureGate().enable();
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    document.result.set(result);
    EXPECT_EQ(QThreadPool::globalInstance()->activeThreadCount(), 0);
    EXPECT_TRUE(paint.isBusy());
    paint.firstPictureGate().open();
    EXPECT_GT(QThreadPool::globalInstance()->activeThreadCount(), 0);
    while (paint.isBusy()) test::CoreApplication::finishWork();
    EXPECT_TRUE(paint.texture(result->mesh(MeshId::result)));
}

TEST(PhotographTextures, doesNotWait_whenThereIsNoPicture) {
    const test::CoreApplication application;
    Document document;
    document.look.set({.quantity = Quantity::photographs});
    PhotographTextures paint(document);
    paint.firstPictureGate().enable();
    document.result.set(nullptr);
    EXPECT_FALSE(paint.isBusy());
    document.look.set({.quantity = Quantity::none});
    document.result.set(test::bundledResult());
    EXPECT_FALSE(paint.isBusy()) << "the look needs no texture";
}

TEST(PictureLabels, haveScaleBarsOfRoundLengths) {
    EXPECT_DOUBLE_EQ(scaleBarLength(0.27), 0.2);
    EXPECT_DOUBLE_EQ(scaleBarLength(0.0011), 0.001);
    EXPECT_DOUBLE_EQ(scaleBarLength(7), 5);
}

}  // namespace
}  // namespace threefold::ui
