// What lies on meshes, what is written upon pictures, and which colours there are.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/support/temp_folder.h"
#include "tests/ui/core_application.h"
#include "tests/ui/test_sample.h"
#include "ui/document/photograph_paint.h"
#include "ui/document/session.h"
#include "ui/document/value_range.h"
#include "ui/files/mesh_paint.h"
#include "ui/files/picture_labels.h"
#include "ui/panes/scene_making.h"

namespace threefold::ui {
namespace {

TEST(ThemeColours, standOut_inBothThemes) {
    EXPECT_NEAR(contrast(Qt::black, Qt::white), 21.0, 0.01);
    for (const bool dark : {true, false}) {
        const ThemeColours colours = themeColours(dark);
        for (const QColor& behind : {colours.panel, colours.raised}) {
            EXPECT_GE(contrast(colours.good, behind), 4.5);
            EXPECT_GE(contrast(colours.bad, behind), 4.5);
        }
        EXPECT_GE(contrast(colours.checked, colours.raised), 3.0 - 0.05);
        EXPECT_GE(contrast(colours.accentText, colours.checked), 4.5);
    }
}

TEST(MakeScene, outlinesColoursThatAreLostOnTheBackground) {
    Document document;
    document.setResult(makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction()));
    for (const bool dark : {true, false}) {
        const ThemeColours colours = themeColours(dark);
        const auto outline = [&](Quantity quantity) {
            document.setLook({.quantity = quantity});
            return makeScene(document, colours).panes[0].layers[0].outline;
        };
        const auto line = outline(Quantity::distanceToTruth);
        ASSERT_TRUE(line);
        EXPECT_GE(contrast(QColor::fromRgbF(line->x, line->y, line->z), colours.viewport), 1.5);
        EXPECT_FALSE(outline(Quantity::curvature));  // blue to red
        EXPECT_FALSE(outline(Quantity::none));
    }
}

TEST(MakeScene, tellsTheRendererOfAxes_groundAndBacks) {
    Document document;
    const ResultRef result =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    document.setResult(result);
    render::Scene scene = makeScene(document, themeColours(true));
    EXPECT_FALSE(scene.panes[0].axes || scene.panes[0].ground ||
                 scene.panes[0].layers[0].backfaces);
    document.setLook({.backfaces = true, .axes = true, .ground = true});
    scene = makeScene(document, themeColours(true));
    EXPECT_TRUE(scene.panes[1].axes && scene.panes[1].layers[0].backfaces);
    ASSERT_TRUE(scene.panes[1].ground);
    float lowest = 1e9F;
    for (const auto& mesh : {result->coarse, result->refined}) {
        for (const glm::vec3 vertex : mesh->vertices) lowest = std::min(lowest, vertex.y);
    }
    EXPECT_EQ(scene.panes[1].ground->middle.y, lowest);
}

TEST(ValueRange, staysWithTheResultsToCome_whereItIsKept) {
    Document document;
    document.setResult(makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction()));
    const ValueRange before = valueRange(document, MeshRole::refined);
    document.changeLook([&](Look& look) {
        look.keepRange = true;
        look.lowest = before.lowest;
        look.highest = before.highest;
    });
    Reconstruction larger = test::fakeReconstruction();
    for (glm::vec3& vertex : larger.refined) vertex *= 1.5F;
    document.setResult(makeResult(test::bundledSample(), {0, 6, 7}, std::move(larger)));
    EXPECT_EQ(valueRange(document, MeshRole::refined), before);
    const Look other = withQuantity(document.look(), Quantity::movement);
    EXPECT_FALSE(other.keepRange);
    document.changeLook([](Look& look) { look.keepRange = false; });
    EXPECT_NE(valueRange(document, MeshRole::refined), before);
}

TEST(Session, remembersWhatIsDrawnAndKept_andOpensEarlierOnes) {
    Session session;
    session.look.backfaces = session.look.axes = session.look.ground = true;
    session.look.keepRange = true;
    std::string text = formatSession(session, "/data");
    EXPECT_EQ(parseSession(text, "/data/kept.threefold").look, session.look);
    for (const char* key : {"backfaces", "axes", "ground", "keepRange"}) {
        const std::size_t at = text.find('"' + std::string(key) + '"');
        ASSERT_NE(at, std::string::npos);
        text.replace(at + 1, 1, "_");  // a key that nobody reads
    }
    EXPECT_EQ(parseSession(text, "/data/kept.threefold").look, Look());
}

// A square before the camera of the row, and one behind it.
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

TEST(Photographs, lieWhereTheCameraSawThem_andHiddenFacesStayPlain) {
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
    // The second camera sees nothing better: the first comes first.
    const TakenView views[] = {{camera, image}, {camera, image}};
    const render::SceneTextureRef texture = projectPhotographs(mesh, views);
    ASSERT_TRUE(texture);
    EXPECT_EQ(texture->width, 448);
    ASSERT_EQ(texture->corners.size(), 12U);
    const glm::u32vec3 face = mesh.faces[0];
    for (int i = 0; i < 3; ++i) {
        const glm::dvec2 pixel = projectToPixel(camera.toView(glm::dvec3(mesh.vertices[face[i]])));
        const glm::vec2 place = texture->corners[static_cast<std::size_t>(i)] *
                                glm::vec2(texture->width, texture->height);
        EXPECT_NEAR(place.x, pixel.x, 0.01);
        EXPECT_NEAR(place.y, pixel.y, 0.01);
    }
    for (std::size_t i = 6; i < 12; ++i) EXPECT_TRUE(std::isnan(texture->corners[i].x)) << i;
    EXPECT_FALSE(projectPhotographs({mesh.vertices, {}}, views));
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

TEST_F(MeshPaint, isTheColoursOfTheVertices) {
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

TEST_F(MeshPaint, isATextureWhereFacesHaveMaterials) {
    write("two.mtl", "newmtl red\nKd 1 0 0\nnewmtl green\nKd 0 1 0\n");
    const SurfacePaint paint = paintOf(
        readTexturedMesh(write("two.obj",
                               "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nusemtl red\n"
                               "f 1 2 3\nusemtl green\nf 2 4 3\n")));
    ASSERT_TRUE(paint.texture);
    const render::SceneTexture& texture = *paint.texture;
    ASSERT_EQ(texture.corners.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        const auto x = static_cast<std::size_t>(texture.corners[i].x * texture.width);
        const auto y = static_cast<std::size_t>(texture.corners[i].y * texture.height);
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

TEST(Photographs, areTakenOnlyWhereTheyShowTheObject) {
    const Camera camera = Camera::fromRow({.azimuth = 30, .elevation = 20, .distance = 1});
    const render::SceneMesh mesh = twoSquares(camera);
    // The first sees both faces as well, but behind them its picture is empty.
    const TakenView views[] = {{camera, sheet(0)}, {camera, sheet(255)}};
    const render::SceneTextureRef texture = projectPhotographs(mesh, views);
    ASSERT_TRUE(texture);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_GT(texture->corners[i].x, 0.5F) << i;
}

// A plate of faces smaller than the pixels that views are judged by, seen by two cameras.
TEST(Photographs, leaveNoSpeckles) {
    constexpr std::uint32_t kSide = 280;
    const Camera front = Camera::fromRow({.azimuth = 0, .elevation = 0, .distance = 0.8});
    render::SceneMesh mesh;
    for (std::uint32_t y = 0; y < kSide; ++y) {
        for (std::uint32_t x = 0; x < kSide; ++x) {
            const glm::dvec2 at(0.36 * x / kSide - 0.18, 0.36 * y / kSide - 0.18);
            mesh.vertices.emplace_back(front.toWorld({at.x, at.y, -0.8}));
            if (x == 0 || y == 0) continue;
            const std::uint32_t corner = y * kSide + x;
            mesh.faces.emplace_back(corner - kSide - 1, corner - kSide, corner);
            mesh.faces.emplace_back(corner - kSide - 1, corner, corner - 1);
        }
    }
    std::vector<TakenView> views;
    for (const double azimuth : {-20.0, 20.0})
        views.push_back(
            {Camera::fromRow({.azimuth = azimuth, .elevation = 0, .distance = 0.8}), sheet(255)});
    const render::SceneTextureRef texture = projectPhotographs(mesh, views);
    ASSERT_TRUE(texture);
    std::size_t plain = 0;
    std::size_t changes = 0;
    for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
        const float x = texture->corners[3 * face].x;
        plain += std::isnan(x) ? 1 : 0;
        changes += face > 0 && (texture->corners[3 * face - 3].x > 0.5F) != (x > 0.5F) ? 1 : 0;
    }
    EXPECT_EQ(plain, 0U);
    // One side of the plate is each camera's: a row changes where it begins and in its middle.
    EXPECT_LE(changes, 4 * (kSide - 1));
}

TEST(PhotographPaint, usesEveryPhotographOfTheFit) {
    const test::CoreApplication application;
    Document document;
    const ResultRef refined =
        makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction());
    FitOutcome outcome;
    outcome.views = {6, 11, 0, 19};
    outcome.fit.vertices = test::fittedReconstruction().fitted;
    outcome.asked.on = true;
    document.setFitChoice(outcome.asked);
    document.setResult(withFit(refined, outcome));
    document.setLook({.quantity = Quantity::photographs});
    PhotographPaint paint(document, std::make_shared<ViewCache>());
    test::CoreApplication::finishWork();
    const render::SceneTextureRef texture = paint.on(refined->refined);
    ASSERT_TRUE(texture);
    EXPECT_EQ(texture->width, 5 * texture->height);  // 0, 6, 7, 11 and 19
}

TEST(PictureLabels, haveRoundLengths) {
    EXPECT_DOUBLE_EQ(scaleBarLength(0.27), 0.2);
    EXPECT_DOUBLE_EQ(scaleBarLength(0.0011), 0.001);
    EXPECT_DOUBLE_EQ(scaleBarLength(7), 5);
}

}  // namespace
}  // namespace threefold::ui
