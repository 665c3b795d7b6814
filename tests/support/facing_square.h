#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"

namespace threefold::test {

/// Red, green, blue and alpha of a pixel.
inline std::array<int, 4> pixel(const Image& image, int column, int row) {
    const std::size_t at = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                            static_cast<std::size_t>(column)) *
                           4;
    return {image.rgba[at], image.rgba[at + 1], image.rgba[at + 2], image.rgba[at + 3]};
}

/// Adds a square of width `size` that faces the camera, in camera space and object units.
inline void addSquare(Points& vertices, Faces& faces, glm::vec3 centre, float size) {
    const auto first = static_cast<unsigned>(vertices.size());
    const float half = size / 2;
    for (const auto& [x, y] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}})
        vertices.push_back(centre + glm::vec3(x, y, 0));
    faces.emplace_back(first, first + 1, first + 2);
    faces.emplace_back(first, first + 2, first + 3);
}

}  // namespace threefold::test
