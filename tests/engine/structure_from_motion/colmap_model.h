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

/// Makes `program` a fake COLMAP that prints the progress of features and matches, and returns the
/// models in numbered folders below `models`; of features inside of masks, those below
/// `models`-in-masks, if that exists. It ends with an error if a mask is missing. $FAKE_COLMAP
/// makes it "fail" at matching, find "none", or "hang" with a child process whose id it writes to
/// $FAKE_COLMAP_CHILD. Like COLMAP, it refuses options that its version (`names`) does not have,
/// in that version's words.
enum class ColmapNames { until312, since313 };
void writeFakeColmap(const std::filesystem::path& program, const std::filesystem::path& models,
                     ColmapNames names = ColmapNames::until312);

}  // namespace threefold::test
