#include "ui/mesh_export.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/formats/mesh_writers.h"
#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

ResultRef result() {
    return makeResult(test::sampleWithoutTruth(), {0, 6, 7}, test::fakeReconstruction());
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(MeshExport, namesFiles_asTheScriptsDo) {
    ExportChoice choice{ExportFormat::obj, true, true, "/somewhere"};
    const auto files = exportFiles(*result(), choice);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path, "/somewhere/02691156_p0001_00_coarse.obj");
    EXPECT_EQ(files[1].path, "/somewhere/02691156_p0001_00_predict.obj");
    choice = {ExportFormat::xyz, false, true, "/somewhere"};
    EXPECT_EQ(exportFiles(*result(), choice).at(0).path.filename(),
              "02691156_p0001_00_predict.xyz");
}

TEST(MeshExport, writesCameraSpace_inBothFormats) {
    const threefold::test::TempFolder folder;
    const ResultRef shown = result();
    exportMeshes(*shown, {ExportFormat::obj, true, true, folder.path()});
    exportMeshes(*shown, {ExportFormat::xyz, false, true, folder.path()});
    const Reconstruction& meshes = shown->reconstruction;
    EXPECT_EQ(textOf(folder / "02691156_p0001_00_predict.obj"),
              formatObj({meshes.refined, meshes.faces()}));
    EXPECT_EQ(textOf(folder / "02691156_p0001_00_coarse.obj"),
              formatObj({meshes.coarse, meshes.faces()}));
    EXPECT_EQ(textOf(folder / "02691156_p0001_00_predict.xyz"), formatXyz(meshes.refined));
    EXPECT_FALSE(std::filesystem::exists(folder / "02691156_p0001_00_coarse.xyz"));
}

TEST(MeshExport, throws_whenTheFolderIsNotThere) {
    EXPECT_THROW(
        exportMeshes(*result(), {ExportFormat::obj, false, true, "/nonexistent/threefold"}),
        IoError);
}

}  // namespace
}  // namespace threefold::ui
