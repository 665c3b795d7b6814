#include "ui/input/outline.h"
#include "ui/input/outline_picture.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

namespace threefold::ui {
namespace {

Camera someCamera() {
    CameraRow row;
    row.azimuth = 133;
    row.elevation = 25;
    row.distance = 0.75;
    return Camera::fromRow(row);
}

Mesh box() {
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
        mesh.vertices.emplace_back((i & 1) != 0 ? 0.15F : -0.15F, (i & 2) != 0 ? 0.1F : -0.1F,
                                   (i & 4) != 0 ? 0.2F : -0.2F);
    }
    const std::uint32_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& s : sides) {
        mesh.faces.emplace_back(s[0], s[1], s[2]);
        mesh.faces.emplace_back(s[0], s[2], s[3]);
    }
    return mesh;
}

double cross(glm::dvec2 a, glm::dvec2 b) {
    return a.x * b.y - a.y * b.x;
}

TEST(Outline, projectsAsTheMethodDoes) {
    const Camera camera = someCamera();
    const Mesh mesh = placeholderMesh();
    const ProjectedMesh projection = project(mesh.vertices, camera);
    ASSERT_EQ(projection.pixels.size(), mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const glm::dvec2 expected = projectToPixel(camera.toCamera(glm::dvec3(mesh.vertices[i])));
        EXPECT_EQ(projection.pixels[i], expected);
        EXPECT_TRUE(projection.inFront[i]);
    }
}

TEST(Outline, drawsTheEdgesOfASingleFaceFromVertexToVertex) {
    const Mesh mesh{{{-0.1F, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0.05F}}, {{0, 1, 2}}};
    const ProjectedMesh projection = project(mesh.vertices, someCamera());
    const auto lines =
        outlineOf(projection, mesh.faces, silhouetteMask(mesh.vertices, mesh.faces, someCamera()));
    ASSERT_EQ(lines.size(), 3U);
    for (const ImageLine& line : lines) {
        EXPECT_THAT(projection.pixels, testing::Contains(line.from));
        EXPECT_THAT(projection.pixels, testing::Contains(line.to));
    }
}

TEST(Outline, isTheConvexHull_ofAConvexBody) {
    const Mesh mesh = box();
    const ProjectedMesh projection = project(mesh.vertices, someCamera());
    const auto lines =
        outlineOf(projection, mesh.faces, silhouetteMask(mesh.vertices, mesh.faces, someCamera()));
    EXPECT_EQ(lines.size(), 6U);  // the outline of this box is a hexagon
    for (const ImageLine& line : lines) {
        int left = 0;
        int right = 0;
        for (const glm::dvec2& pixel : projection.pixels) {
            const double side = cross(line.to - line.from, pixel - line.from);
            left += side > 1e-6 ? 1 : 0;
            right += side < -1e-6 ? 1 : 0;
        }
        EXPECT_EQ(std::min(left, right), 0);
    }
    EXPECT_EQ(wireframe(projection, mesh.faces).size(), 18U);
}

TEST(Outline, leavesOutEdges_insideTheMeshsSilhouette) {
    Mesh mesh = box();
    const std::size_t faces = mesh.faces.size();
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const glm::vec3& vertex : box().vertices) mesh.vertices.push_back(vertex * 0.3F);
    for (std::size_t i = 0; i < faces; ++i) mesh.faces.push_back(mesh.faces[i] + base);
    const ProjectedMesh projection = project(mesh.vertices, someCamera());
    EXPECT_EQ(
        outlineOf(projection, mesh.faces, silhouetteMask(mesh.vertices, mesh.faces, someCamera()))
            .size(),
        6U);
}

TEST(Outline, keepsItsLines_whenTheSilhouetteCannotBeDrawn) {
    Mesh mesh = box();
    mesh.vertices.emplace_back(NAN, 0.0F, 0.0F);  // a vertex of no face
    const Mask coverage = silhouetteMask(mesh.vertices, mesh.faces, someCamera());
    EXPECT_TRUE(coverage.inside.empty());
    const ProjectedMesh projection = project(mesh.vertices, someCamera());
    EXPECT_EQ(outlineOf(projection, mesh.faces, coverage).size(), 6U);
}

TEST(Outline, leavesOutVertices_behindTheCamera) {
    const Camera camera = someCamera();
    Mesh mesh = box();
    mesh.vertices[0] = glm::vec3(camera.centre * 2.0);
    const ProjectedMesh projection = project(mesh.vertices, camera);
    EXPECT_FALSE(projection.inFront[0]);
    for (const ImageLine& line : wireframe(projection, mesh.faces)) {
        EXPECT_LT(glm::length(line.from - glm::dvec2(112)), 300);
        EXPECT_LT(glm::length(line.to - glm::dvec2(112)), 300);
    }
}

// Photograph of the mesh as a plain silhouette.
QImage photographOf(const Mesh& mesh, const Camera& camera) {
    const Mask coverage = silhouetteMask(mesh.vertices, mesh.faces, camera);
    QImage image(kInputSide, kInputSide, QImage::Format_RGB32);
    for (int y = 0; y < kInputSide; ++y) {
        for (int x = 0; x < kInputSide; ++x) {
            const auto cell = static_cast<std::size_t>(2 * y * coverage.width + 2 * x);
            image.setPixel(x, y, coverage.inside[cell] != 0 ? 0xff406080 : 0xffffffff);
        }
    }
    return image;
}

TEST(OutlinePicture, overlapsFully_whenThePhotographShowsTheMesh) {
    const Camera camera = someCamera();
    const Mesh mesh = box();
    const QImage photograph = photographOf(mesh, camera);
    const auto same = drawOutline(mesh.vertices, mesh.faces, camera, photograph, {112, 112}, 1,
                                  OutlineKind::outline);
    ASSERT_TRUE(same.score);
    EXPECT_GT(same.score->overlap, 0.97);
    CameraRow other;
    other.azimuth = 200;
    other.elevation = 60;
    other.distance = 0.6;
    const auto apart = drawOutline(mesh.vertices, mesh.faces, Camera::fromRow(other), photograph,
                                   {112, 112}, 1, OutlineKind::outline);
    EXPECT_LT(apart.score->overlap, 0.8);
}

TEST(OutlinePicture, hasNoOverlap_whenThereIsNoForeground) {
    QImage white(64, 64, QImage::Format_RGB32);
    white.fill(Qt::white);
    const Mesh mesh = box();
    EXPECT_FALSE(drawOutline(mesh.vertices, mesh.faces, someCamera(), white, {64, 64}, 1,
                             OutlineKind::outline)
                     .score);
}

TEST(OutlinePicture, treatsTransparentPixelsAsBackground) {
    QImage image(10, 10, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    image.setPixel(3, 4, 0xffffffff);  // opaque white is foreground
    EXPECT_EQ(foregroundBounds(image), QRectF(3, 4, 1, 1));
}

TEST(OutlinePicture, isDrawnAtTheProjectedPlace_atBothPixelRatios) {
    const Camera camera = someCamera();
    const Mesh mesh = box();
    const ProjectedMesh projection = project(mesh.vertices, camera);
    const auto lines =
        outlineOf(projection, mesh.faces, silhouetteMask(mesh.vertices, mesh.faces, someCamera()));
    for (const int ratio : {1, 2}) {
        const QSize size(200, 100);  // not square: the outline is stretched as the picture is
        const QImage picture =
            drawOutline(mesh.vertices, mesh.faces, camera, {}, size, ratio, OutlineKind::outline)
                .lines;
        ASSERT_EQ(picture.size(), size * ratio);
        const auto at = [&](glm::dvec2 pixel) {
            return picture.pixelColor(
                static_cast<int>(pixel.x * size.width() / kInputSide * ratio),
                static_cast<int>(pixel.y * size.height() / kInputSide * ratio));
        };
        for (const ImageLine& line : lines) {
            const QColor colour = at((line.from + line.to) * 0.5);
            EXPECT_GT(colour.alpha(), 200);
            EXPECT_GT(colour.blue(), colour.red() + 60);
        }
        EXPECT_EQ(at(glm::dvec2(112)).alpha(), 0);  // inside the outline
        EXPECT_EQ(at(glm::dvec2(5)).alpha(), 0);    // outside the outline
    }
}

}  // namespace
}  // namespace threefold::ui
