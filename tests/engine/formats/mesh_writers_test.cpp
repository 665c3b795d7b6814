#include "engine/formats/meshes/mesh_files.h"

#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/support/temp_folder.h"

namespace threefold {
namespace {

using test::TempFolder;

TEST(MeshWriters, writesObjAsTheScriptsDo) {
    const Mesh mesh{{{0.5f, -0.25f, 1e-7f}, {-0.0f, 1234.5f, -0.8f}, {1, 2, 3}}, {{0, 1, 2}}};
    EXPECT_EQ(encodeMesh(MeshFormat::obj, mesh),
              "v 0.500000 -0.250000 0.000000\n"
              "v -0.000000 1234.500000 -0.800000\n"
              "v 1.000000 2.000000 3.000000\n"
              "f 1 2 3\n");
}

TEST(MeshWriters, writesXyzAsSavetxtDoes) {
    EXPECT_EQ(encodeMesh(MeshFormat::xyz, {{{0.1f, -0.8f, 0.f}}, {}}),
              "1.000000014901161194e-01 -8.000000119209289551e-01 0.000000000000000000e+00\n");
    char expected[200];
    for (const float value : {3.4e38f, 1e-45f, 1.17549435e-38f, -123456.789f}) {
        std::snprintf(expected, sizeof(expected), "%.18e %.18e %.18e\n", static_cast<double>(value),
                      0.0, 0.0);
        EXPECT_EQ(encodeMesh(MeshFormat::xyz, {{{value, 0, 0}}, {}}), expected);
    }
}

TEST(MeshWriters, writesNothing_whenMeshIsBroken) {
    const TempFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::obj, {{{0, nan, 0}}, {}}), InputError);
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::obj, {{{0, 0, 0}}, {{0, 0, 1}}}),
                 InputError);
    EXPECT_THROW(writeMesh(folder / "a.obj", MeshFormat::xyz,
                           {{{0, 0, std::numeric_limits<float>::infinity()}}, {}}),
                 InputError);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace threefold
