#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/image.h"
#include "engine/formats/mesh_files.h"

namespace threefold {

inline constexpr std::uint32_t kNoMaterial = UINT32_MAX;

/// A face's colour: its texture's where it has one, else `colour`.
struct Material {
    static constexpr std::int32_t kNoTexture = -1;

    glm::vec3 colour{1.0F};             ///< sRGB-encoded, 0…1
    std::int32_t texture = kNoTexture;  ///< in TexturedMesh::textures
};

/// A mesh and what its surface looks like.
struct TexturedMesh {
    MeshFile mesh;
    /// As many as faces, kNoMaterial where a face has none; or empty.
    std::vector<std::uint32_t> materialOfFace;
    std::vector<Material> materials;
    /// Three for each face: (0, 0) is the texture's lower left corner, (1, 1) the upper right one;
    /// beyond that it repeats. Empty where no face has any.
    std::vector<glm::vec2> coordinates;
    std::vector<Image> textures;
    /// One line for each material or texture that is named and could not be had.
    std::vector<std::string> missing;
};

/// readMesh(), and of an OBJ the material libraries beside it with their textures: Kd and map_Kd.
/// What of those is missing or broken is listed, and no reason to fail. Throws as readMesh().
TexturedMesh readTexturedMesh(const std::filesystem::path& file, const MeshReading& reading = {});

}  // namespace threefold
