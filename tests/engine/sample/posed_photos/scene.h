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

/// A known similarity from object space to another world.
struct OtherWorld {
    glm::dmat3 rotation{1.0};
    double scale = 1;
    glm::dvec3 shift{0.0};

    glm::dvec3 of(glm::dvec3 p) const { return scale * (rotation * p) + shift; }
};

/// Turned about all axes, 3.7 times as large, moved.
OtherWorld someWorld();
glm::dmat3 turnAbout(glm::dvec3 axis, double radians);

/// A bundled sample.
Sample bundled(const std::string& category);

/// Pinhole intrinsics in continuous pixels.
struct Pinhole {
    int width = 137, height = 137;
    double focalX = 0, focalY = 0, principalX = 0, principalY = 0;
};
/// ShapeNet's own for an image of this side.
Pinhole shapeNetPinhole(int side);

/// View `view` of the sample as `pinhole` at the same place, turned by `roll` about its axis, would
/// have seen it: bilinear, transparent outside.
Image seenBy(const Image& image, const Pinhole& pinhole, double roll);

/// Camera to world, OpenGL axes, by rows.
nlohmann::json openGlMatrix(const CameraRow& row, const OtherWorld& world, double roll = 0);
/// World to camera, OpenCV axes.
nlohmann::json openCvMatrix(const CameraRow& row, const OtherWorld& world);

/// Three cameras 2 units from the origin and looking at it, z up, with pictures of a grey disc of
/// diameter 0.7 on white: a transforms.json that is right, for tests to spoil.
nlohmann::json writeDiscScene(const std::filesystem::path& folder, int views = 3);
void writeJson(const std::filesystem::path& file, const nlohmann::json& json);

}  // namespace threefold::test
