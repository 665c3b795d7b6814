#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/error.h"
#include "engine/sample_rendering/render_samples.h"
#include "engine/sample_rendering/source_mesh.h"
#include "tests/hostile/private_mounts.h"
#include "tests/hostile/whole_files.h"

namespace threefold::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FullDisk : public CompleteFiles {
  protected:
    FullDisk() : CompleteFiles(1) {}

    /// Expects success, or an error that names a file in the folder and the reason.
    void expectReported(const ProcessResult& result, const std::string& out,
                        const char* reason) const {
        if (result.exitCode == 0) return;
        EXPECT_THAT(result.errors, HasSubstr((folder_ / out).string() + "/"));
        EXPECT_THAT(result.errors, HasSubstr(reason));
    }
};

// Sizes: a mesh has 150 kB as OBJ and 190 kB as XYZ, the journal 2 kB, the report 118 kB.
TEST_F(FullDisk, costsNoMeasure_whenNoFileMayGrow) {
    runUndisturbed(eval("whole", "--overwrite"), "whole");
    for (const std::size_t max : {400U, 1'200U, 8'000U, 100'000U, 170'000U, 191'000U}) {
        SCOPED_TRACE(std::to_string(max) + " bytes a file");
        const std::string out = "full" + std::to_string(max);
        const ProcessResult result =
            runWithTimeout(eval(out, "--overwrite"), [&] { limitTo(RLIMIT_FSIZE, max); });
        expectReported(result, out, "File too large");
        expectSameFiles(out);
        if (max == 400 || max == 170'000) expectResumes(out);
    }
}

TEST_F(FullDisk, costsNoMeasure_whenTheDiskIsSmall) {
    runUndisturbed(eval("whole", "--overwrite"), "whole");
    const bool permitted = withPrivateMounts([&] {
        for (const std::size_t kib : {4U, 64U, 160U, 350U, 420U, 500U}) {
            SCOPED_TRACE(std::to_string(kib) + " KiB");
            const std::string out = "disk" + std::to_string(kib);
            mountDisk(folder_ / out, kib << 10U);
            const ProcessResult result = runWithTimeout(eval(out, "--overwrite"));
            expectReported(result, out, "No space left on device");
            expectSameFiles(out);
            mountDisk(folder_ / out, std::size_t{64} << 20U, true);
            if (kib == 4 || kib == 420) expectResumes(out);
        }
    });
    if (!permitted) GTEST_SKIP() << "this user may not mount a small disk";
}

TEST_F(FullDisk, leavesOnlyWholeMeshes_whenNoFileMayGrow) {
    runUndisturbed(reconstruct("whole"), "whole");
    for (const std::size_t max : {1'000U, 160'000U, 200'000U}) {
        SCOPED_TRACE(std::to_string(max) + " bytes a file");
        const std::string out = "full" + std::to_string(max);
        const ProcessResult result =
            runWithTimeout(reconstruct(out), [&] { limitTo(RLIMIT_FSIZE, max); });
        EXPECT_NE(result.exitCode, 0);
        expectReported(result, out, "File too large");
        expectSameFiles(out);
    }
}

TEST_F(FullDisk, isReportedAndLeavesNoHiddenFiles_whenNoInodesAreLeft) {
    const std::string mesh = (folder_ / "mesh.obj").string();
    std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                           "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const bool permitted = withPrivateMounts([&] {
        for (std::size_t files = 1; files < 9; ++files) {
            SCOPED_TRACE(std::to_string(files) + " files");
            const std::filesystem::path out = folder_ / ("few" + std::to_string(files));
            mountDiskWithMaxFiles(out, files);
            const ProcessResult result =
                runThreefold({"render", mesh, "-o", out.string(), "--views", "2", "--size", "64"});
            EXPECT_EQ(result.exitCode, 1);
            EXPECT_THAT(result.errors,
                        AllOf(HasSubstr(out.string()), HasSubstr("No space left on device")));
            for (const auto& each : std::filesystem::directory_iterator(out))
                EXPECT_FALSE(each.path().filename().string().starts_with(".threefold-"))
                    << each.path();
        }
    });
    if (!permitted) GTEST_SKIP() << "this user may not mount a small disk";
}

TEST_F(FullDisk, hidesNoMissingDevice) {
    const std::filesystem::path mesh = folder_ / "face.obj";
    std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const SourceMesh meshes[] = {nameMesh(mesh, "cat")};
    RenderOptions options;
    options.side = 32;
    options.points = 100;
    options.views.count = 2;
    options.raster.tier = RasterTier::cuda;
    const bool permitted = withPrivateMounts([&] {
        const std::filesystem::path out = folder_ / "small";
        mountDisk(out, std::size_t{64} << 10U);
        EXPECT_THROW(renderSamples(meshes, out, options, 1, {}, {}), DeviceError);
    });
    if (!permitted) GTEST_SKIP() << "this user may not mount a small disk";
}

}  // namespace
}  // namespace threefold::test
