#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

/// The statements of an OBJ file that readMesh() passes over.
struct ObjSurface {
    Faces faces;                             ///< the same as readMesh()'s
    std::vector<std::uint32_t> nameOfFace;   ///< in `materialNames`; as many as faces
    std::vector<std::string> materialNames;  ///< "" first, which stands for none
    std::vector<glm::vec2> coordinates;      ///< three for each face, or none at all
    std::vector<std::string> libraries;      ///< what mtllib names, as it stands
};

/// Goes through the file once more, for `vertices` that readMesh() has found in it. Throws
/// FormatError, Cancelled.
ObjSurface decodeObjSurface(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                            const Points& vertices, const MeshReading& reading);

}  // namespace threefold
