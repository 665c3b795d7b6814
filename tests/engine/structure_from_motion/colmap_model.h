#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/views/lens.h"
#include "engine/views/pose.h"

namespace threefold::test {

/// A registered picture of a written model.
struct ModelPicture {
    std::string name;
    Pose pose;
};

/// Lens of pictures of 40 × 30 pixels.
inline Lens smallLens() {
    return {
        .width = 40, .height = 30, .focalX = 50, .focalY = 50, .principalX = 20, .principalY = 15};
}

/// Writes cameras.bin, images.bin and points3D.bin as COLMAP does, with one SIMPLE_RADIAL camera.
/// Every picture shows every point; the points' reprojection error is `error`.
void writeColmapModel(const std::filesystem::path& folder, const Lens& lens,
                      std::span<const ModelPicture> pictures, std::span<const glm::dvec3> points,
                      double error);

/// Versions of COLMAP, by the names of their options and their progress lines.
enum class ColmapNames { until312, since313 };
/// Makes `program` a fake COLMAP, which prints its progress and outputs the models in the numbered
/// folders below `models`. With masks, the fake COLMAP outputs the models below `models`-in-masks
/// if this folder exists, and ends with an error if a mask is missing. With $FAKE_COLMAP "fail",
/// matching fails; with "none", the mapper finds no model; with "hang", the mapper hangs with a
/// child process, whose id is written to the file that $FAKE_COLMAP_CHILD names. Like COLMAP, the
/// program refuses options that the version `names` does not have.
void writeFakeColmap(const std::filesystem::path& program, const std::filesystem::path& models,
                     ColmapNames names = ColmapNames::until312);

}  // namespace threefold::test
