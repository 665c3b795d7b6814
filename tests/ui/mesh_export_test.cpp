#include "ui/files/mesh_export.h"
#include "engine/formats/meshes/mesh_appearance.h"
#include "ui/document/document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_writing.h"
#include "tests/engine/sample/posed_photos/scene.h"
#include "tests/support/stage_meshes.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/test_sample.h"
#include "ui/document/value_range.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

/// Document with a result and an opened mesh.
class MeshExport : public testing::Test {
  protected:
    MeshExport() {
        document_.result.set(
            makeResult(test::bundledSample(), {0, 6, 7}, test::fakeReconstruction()));
        open(1, "/somewhere/else.ply", 0.1F);
    }

    /// Opens a right triangle with legs of `length`, as mesh `number`.
    void open(std::uint32_t number, const char* file, float length) {
        auto opened = std::make_shared<OpenedMesh>();
        opened->path = file;
        auto mesh = std::make_shared<render::SceneMesh>();
        mesh->vertices = {{0, 0, 0}, {length, 0, 0}, {0, length, 0}};
        mesh->faces = {{0, 1, 2}};
        opened->mesh = mesh;
        document_.opened.set(MeshId::opened(number), opened);
    }
    std::vector<ExportedMesh> all() { return exportableMeshes(document_); }
    ExportedMesh stage(const std::string& name) {
        const std::vector<ExportedMesh> meshes = all();
        return *std::ranges::find(meshes, name, &ExportedMesh::stage);
    }

    ExportSource source(bool coloured = false) { return exportSource({document_}, coloured); }
    const FittedReconstruction& meshes() { return document_.result.current()->reconstruction; }
    const Faces& facesOf(std::string_view stage) {
        return meshes().network.faces(*meshes().network.find(stage));
    }

    Document document_;
    const threefold::test::TempFolder folder_;
};

TEST_F(MeshExport, offersTheMeshAtTheSlider) {
    const auto atSlider = [&](float position) {
        document_.look.change([&](Look& look) { look.morphPosition = position; });
        return exportableMeshAtSlider(document_);
    };
    EXPECT_EQ(atSlider(kMorphResult), stage("refined"));
    EXPECT_EQ(atSlider(test::kMorphCoarse), stage("coarse"));
    EXPECT_EQ(atSlider(test::kMorphRefined1 + 0.2F), stage("refined1"));
    EXPECT_EQ(atSlider(test::kMorphTemplate), stage("refined"));  // cannot be exported
    EXPECT_EQ(atSlider(kMorphFitted), stage("refined"));          // nothing is fitted
    const ResultRef before = document_.result.current();
    document_.result.set(withFit(before, {}, test::fittedSample(test::fittedReconstruction(), 3)));
    EXPECT_EQ(atSlider(kMorphFitted), (ExportedMesh{MeshId::fitted, "fitted"}));
    EXPECT_EQ(atSlider(kMorphResult), stage("refined"));
    document_.result.set(nullptr);
    EXPECT_EQ(atSlider(kMorphFitted), stage("refined"));
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(MeshExport, namesFiles_afterSampleAndMesh) {
    const auto files = exportFiles(source(), {MeshFormat::obj, all(), "/somewhere"});
    ASSERT_EQ(files.size(), 4U);
    EXPECT_EQ(files[0].path, "/somewhere/02691156_p0001_00_coarse.obj");
    EXPECT_EQ(files[1].path, "/somewhere/02691156_p0001_00_refined1.obj");
    EXPECT_EQ(files[2].path, "/somewhere/02691156_p0001_00_refined.obj");
    EXPECT_EQ(files[3].path, "/somewhere/else_opened.obj");
    ExportChoice named{MeshFormat::ply, all(), "/somewhere"};
    named.name = "mine";
    EXPECT_EQ(exportFiles(source(), named)[2].path, "/somewhere/mine_refined.ply");
    EXPECT_EQ(exportFiles(source(), named)[3].path, "/somewhere/else_opened.ply");
    document_.result.set(nullptr);
    EXPECT_EQ(exportFiles(source(), {MeshFormat::xyz, all(), "/somewhere"}).size(), 1U);
}

TEST_F(MeshExport, namesTheFileAfterTheTitle_whenAnOpenedMeshHasNoFile) {
    auto titled = std::make_shared<OpenedMesh>(*document_.opened.first());
    titled->path.clear();
    titled->title = QString::fromUtf8("Result · views 0, 6, 7");
    document_.opened.set(MeshId::opened(1), titled);
    const auto files =
        exportFiles(source(), {MeshFormat::obj, {{MeshId::opened(1)}}, "/somewhere"});
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].path, "/somewhere/Result_views_0_6_7_opened.obj");
}

TEST_F(MeshExport, writesEachOpenedMesh_whenThereAreSeveral) {
    open(2, "/somewhere/third.ply", 0.2F);
    exportMeshes(source(), {MeshFormat::obj, all(), folder_.path(), MeshSpace::world});
    EXPECT_EQ(readMesh(folder_ / "else_opened.obj").vertices[1].x, 0.1F);
    EXPECT_EQ(readMesh(folder_ / "third_opened.obj").vertices[1].x, 0.2F);
}

TEST_F(MeshExport, numbersTheFiles_whenOpenedMeshesHaveTheSameName) {
    open(2, "/elsewhere/else.ply", 0.2F);
    open(3, "/elsewhere/else.obj", 0.3F);
    const std::vector<ExportedMesh> opened{
        {MeshId::opened(1)}, {MeshId::opened(2)}, {MeshId::opened(3)}};
    const auto files = exportFiles(source(), {MeshFormat::obj, opened, "/somewhere"});
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[0].path, "/somewhere/else_opened.obj");
    EXPECT_EQ(files[1].path, "/somewhere/else_opened_2.obj");
    EXPECT_EQ(files[2].path, "/somewhere/else_opened_3.obj");
}

TEST_F(MeshExport, writesTheFittedMesh_whenThereIsOne) {
    const ExportChoice choice{MeshFormat::obj, {stage("fitted")}, folder_.path()};
    EXPECT_TRUE(exportFiles(source(), choice).empty());
    document_.result.set(
        makeResult(test::bundledSample(), {0, 6, 7}, test::fittedReconstruction()));
    const auto files = exportFiles(source(true), choice);
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].path.filename(), "02691156_p0001_00_fitted.obj");
    EXPECT_EQ(source(true).colours.at(stage("fitted")).values.size(),
              meshes().fitted->vertices.size());
    exportMeshes(source(), choice);
    const std::string text = textOf(files[0].path);
    EXPECT_EQ(text, [&] {
        writeMesh(folder_ / "expected.obj", MeshFormat::obj, *meshes().fitted, {});
        return textOf(folder_ / "expected.obj");
    }());
}

TEST_F(MeshExport, writesThePhotographsWorld_whenTheCamerasAreMatrices) {
    const threefold::test::TempFolder own;
    threefold::test::writeDiscScene(own.path());
    const auto sample = std::make_shared<const Sample>(findSample(own.path()));
    document_.result.set(makeResult(sample, {0, 1, 2}, test::fakeReconstruction()));
    const ExportChoice choice{
        MeshFormat::ply, {stage("refined"), {MeshId::opened(1)}}, folder_.path(), MeshSpace::world};
    exportMeshes(source(), choice);
    const auto files = exportFiles(source(), choice);
    const glm::dvec3 expected =
        sample->photoWorld().fromObject(document_.result.current()->referenceCamera().toWorld(
            glm::dvec3(meshes().network.vertices("refined")[5])));
    EXPECT_LT(glm::length(glm::dvec3(readMesh(files[0].path).vertices[5]) - expected), 1e-6);
    const glm::dvec3 opened = sample->photoWorld().fromObject({0.1, 0, 0});
    EXPECT_LT(glm::length(glm::dvec3(readMesh(files[1].path).vertices[1]) - opened), 1e-6);
}

TEST_F(MeshExport, writesCameraSpace_asTheScriptsDo) {
    for (const MeshFormat format : {MeshFormat::obj, MeshFormat::xyz}) {
        exportMeshes(source(), {format, all(), folder_.path()});
    }
    EXPECT_EQ(
        textOf(folder_ / "02691156_p0001_00_refined.obj"),
        encodeMesh(MeshFormat::obj, {meshes().network.vertices("refined"), facesOf("refined")}));
    EXPECT_EQ(
        textOf(folder_ / "02691156_p0001_00_coarse.obj"),
        encodeMesh(MeshFormat::obj, {meshes().network.vertices("coarse"), facesOf("coarse")}));
    EXPECT_EQ(textOf(folder_ / "02691156_p0001_00_refined.xyz"),
              encodeMesh(MeshFormat::xyz, {meshes().network.vertices("refined"), {}}));
    // Opened meshes are converted to camera space, too.
    const Camera camera = document_.result.current()->referenceCamera();
    const glm::vec3 first(camera.toCamera({0, 0, 0}));
    EXPECT_LT(glm::distance(readMesh(folder_ / "else_opened.obj").vertices[0], first), 1e-5F);
}

TEST_F(MeshExport, writesTheFacesOfEachMesh_whenAPublishedMeshIsOfALowerLevel) {
    Reconstruction reconstruction = test::fakeReconstruction();
    StageMesh& coarse = threefold::test::stageOf(reconstruction, "coarse");
    coarse.stage.level = 1;
    coarse.vertices = reconstruction.vertices("level2");
    document_.result.set(makeResult(test::bundledSample(), {0, 6, 7}, reconstruction));
    exportMeshes(source(), {MeshFormat::obj, all(), folder_.path()});
    const std::vector<Faces>& levels = *reconstruction.levelFaces;
    EXPECT_EQ(readMesh(folder_ / "02691156_p0001_00_coarse.obj").faces, levels[1]);
    EXPECT_EQ(readMesh(folder_ / "02691156_p0001_00_refined1.obj").faces, levels[2]);
    EXPECT_EQ(readMesh(folder_ / "02691156_p0001_00_refined.obj").faces, levels[2]);
}

TEST_F(MeshExport, writesWorldSpace_inEveryFormat) {
    for (const MeshFormat format : meshFormats(mesh_format_filters::writable)) {
        SCOPED_TRACE(std::string(meshFormatExtension(format)));
        ExportChoice choice{format, all(), folder_.path()};
        choice.space = MeshSpace::world;
        exportMeshes(source(), choice);
        for (const ExportFile& file : exportFiles(source(), choice)) {
            const LoadedMesh read = readMesh(file.path);
            EXPECT_EQ(read.format, format);
            if (file.mesh.stage != "refined" || format == MeshFormat::stl) continue;
            const Points& expected = document_.result.current()->mesh(MeshId::result)->vertices;
            ASSERT_EQ(read.vertices.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_LT(glm::distance(read.vertices[i], expected[i]), 2e-6F);
        }
    }
}

TEST_F(MeshExport, writesAFittedMeshOfOtherFaces_inEveryFormatAndSpace) {
    document_.result.set(makeResult(test::bundledSample(), {0, 6, 7}, test::hullReconstruction()));
    const auto values = source(true).colours.at(stage("fitted")).values;
    EXPECT_EQ(values.size(), meshes().fitted->vertices.size());
    for (const MeshFormat format : meshFormats(mesh_format_filters::writable)) {
        for (const MeshSpace space : {MeshSpace::camera, MeshSpace::world}) {
            SCOPED_TRACE(std::string(meshFormatExtension(format)));
            ExportChoice choice{format, {stage("fitted")}, folder_.path(), space};
            choice.coloured = true;
            exportMeshes(source(true), choice);
            const LoadedMesh read = readMesh(exportFiles(source(), choice).at(0).path);
            const std::size_t faces = format == MeshFormat::xyz ? 0 : meshes().fitted->faces.size();
            EXPECT_EQ(read.faces.size(), faces);
            EXPECT_EQ(read.colours.size(), infoOf(format).carriesColours ? values.size() : 0);
        }
    }
}

TEST_F(MeshExport, namesEveryFileThatItWrites) {
    document_.look.set({.quantity = Quantity::photographs});
    for (const MeshFormat format : {MeshFormat::obj, MeshFormat::glb}) {
        ExportChoice choice{format, {stage("refined")}, folder_.path()};
        choice.coloured = true;
        const ExportFile file = exportFiles(source(true), choice).at(0);
        EXPECT_EQ(file.texture.size(), format == MeshFormat::obj ? 2U : 0U);
        std::vector<std::filesystem::path> named = file.texture;
        named.push_back(file.path);
        EXPECT_EQ(exportMeshes(source(true), choice).files, named);
        for (const auto& each : named) EXPECT_TRUE(std::filesystem::exists(each)) << each;
    }
}

TEST_F(MeshExport, writesThePhotographsAsATexture_whenTheyAreShown) {
    document_.look.set({.quantity = Quantity::photographs});
    EXPECT_EQ(source(true).photographs, (std::vector{0, 6, 7}));
    EXPECT_TRUE(source(false).photographs.empty());
    for (const MeshFormat format : {MeshFormat::obj, MeshFormat::glb, MeshFormat::ply}) {
        for (const MeshSpace space : {MeshSpace::camera, MeshSpace::world}) {
            ExportChoice choice{format, {stage("refined")}, folder_.path(), space};
            choice.coloured = true;
            exportMeshes(source(true), choice);
            const TexturedMesh read = readTexturedMesh(exportFiles(source(), choice).at(0).path);
            EXPECT_EQ(read.mesh.faces.size(), facesOf("refined").size());
            const bool carries = format != MeshFormat::ply;
            EXPECT_EQ(read.appearance.textures.size(), carries ? 1U : 0U);
            EXPECT_EQ(read.appearance.textureCoordinates.size(),
                      carries ? 3 * facesOf("refined").size() : 0U);
        }
    }
}

TEST_F(MeshExport, namesPhotographsThatTheTextureLacks_whenTheyCannotBeRead) {
    const auto sample =
        std::make_shared<const Sample>(findSample(test::sampleWithBrokenView(folder_, 6)));
    document_.result.set(makeResult(sample, {0, 6, 7}, test::fakeReconstruction()));
    document_.look.set({.quantity = Quantity::photographs});
    ExportChoice choice{MeshFormat::glb, {stage("refined")}, folder_.path()};
    choice.coloured = true;
    const ExportedFiles written = exportMeshes(source(true), choice);
    EXPECT_EQ(written.files.size(), 1U);
    ASSERT_EQ(written.notes.size(), 1U);
    EXPECT_THAT(written.notes[0], testing::HasSubstr("without view 6"));
}

TEST_F(MeshExport, writesTheScreensColours_whenTheFormatHasColours) {
    Look look;
    look.quantity = Quantity::distanceToTruth;
    document_.look.set(look);
    const SurfaceValues values =
        morphedValues(*document_.result.current(), kMorphResult, Quantity::distanceToTruth);
    ASSERT_TRUE(values.values);
    const render::ColourScale scale = colourScaleOf({document_}, MeshId::result);
    for (const MeshFormat format : meshFormats(mesh_format_filters::writable)) {
        SCOPED_TRACE(std::string(meshFormatExtension(format)));
        ExportChoice choice{format, {stage("refined")}, folder_.path()};
        choice.coloured = true;
        exportMeshes(source(true), choice);
        const LoadedMesh read = readMesh(exportFiles(source(), choice).at(0).path);
        if (!infoOf(format).carriesColours) {
            EXPECT_TRUE(read.colours.empty());
            continue;
        }
        ASSERT_EQ(read.colours.size(), values.values->size());
        for (std::size_t i = 0; i < read.colours.size(); ++i) {
            const glm::vec3 expected =
                render::colourAt(scale.map, scalePosition((*values.values)[i], scale));
            ASSERT_LT(glm::distance(read.colours[i], expected), 0.005F) << i;
        }
    }
}

TEST_F(MeshExport, throws_whenTheFolderIsMissing) {
    EXPECT_THROW(exportMeshes(source(), {MeshFormat::obj, all(), "/nonexistent/threefold"}),
                 IoError);
}

}  // namespace
}  // namespace threefold::ui
