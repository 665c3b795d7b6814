#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <nlohmann/json.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/sample/sample.h"

namespace threefold::test {

/// A known similarity transform from object space to another world.
struct OtherWorld {
    glm::dmat3 rotation{1.0};
    double scale = 1;
    glm::dvec3 shift{0.0};

    glm::dvec3 of(glm::dvec3 p) const { return scale * (rotation * p) + shift; }
};

/// A world rotated about all axes, 3.7 times as large, and moved.
OtherWorld someWorld();
glm::dmat3 turnAbout(glm::dvec3 axis, double radians);

/// A bundled sample.
Sample bundled(const std::string& category);

/// Pinhole intrinsics in continuous pixels.
struct Pinhole {
    int width = 137, height = 137;
    double focalX = 0, focalY = 0, principalX = 0, principalY = 0;
};
/// ShapeNet's intrinsics for an image of this side.
Pinhole shapeNetPinhole(int side);

/// Resamples a view's image bilinearly to another camera at the same position, with intrinsics
/// `pinhole` and rolled by `roll`. Pixels that see nothing of the image, or only transparent pixels
/// of the image, are white and transparent.
Image seenBy(const Image& image, const Pinhole& pinhole, double roll);

/// Matrix from camera to world with OpenGL's axes, row by row.
nlohmann::json openGlMatrix(const CameraRow& row, const OtherWorld& world, double roll = 0);
/// Matrix from world to camera with OpenCV's axes, row by row.
nlohmann::json openCvMatrix(const CameraRow& row, const OtherWorld& world);

/// Writes a valid transforms.json of `views` cameras at distance 2 that look at the origin, z up,
/// and the cameras' pictures of a grey disc of diameter 0.7 on white. Returns the transforms.json,
/// which tests may change.
nlohmann::json writeDiscScene(const std::filesystem::path& folder, int views = 3);
void writeJson(const std::filesystem::path& file, const nlohmann::json& json);

}  // namespace threefold::test
