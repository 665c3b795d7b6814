#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/formats/meshes/mesh_appearance.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"

namespace threefold::test {

inline Mesh box(glm::vec3 half) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(
            half * glm::vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1));
    mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

/// A ball of radius 1 with `rings` rings from pole to pole.
inline Mesh ball(std::uint32_t rings) {
    Mesh mesh;
    const std::uint32_t around = 2 * rings;
    for (std::uint32_t i = 0; i <= rings; ++i)
        for (std::uint32_t j = 0; j < around; ++j) {
            const double down = 3.14159265358979 * i / rings;
            const double turn = 2 * 3.14159265358979 * j / around;
            const double reach = i == rings ? 0 : std::sin(down);
            mesh.vertices.emplace_back(reach * std::cos(turn), std::cos(down),
                                       reach * std::sin(turn));
        }
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t j = 0; j < around; ++j) {
            const std::uint32_t a = i * around + j;
            const std::uint32_t b = i * around + (j + 1) % around;
            if (i > 0) mesh.faces.emplace_back(a, b, a + around);
            if (i + 1 < rings) mesh.faces.emplace_back(b, b + around, a + around);
        }
    return mesh;
}

inline TexturedMesh plain(Mesh mesh) {
    TexturedMesh textured;
    textured.mesh.source = "shape.obj";
    textured.mesh.vertices = std::move(mesh.vertices);
    textured.mesh.faces = std::move(mesh.faces);
    return textured;
}

inline void writeText(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

}  // namespace threefold::test
