#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/shown_values.h"

namespace threefold::ui {

/// Name of the opened mesh, in addition to the names of MorphStage.
inline constexpr std::string_view kOpenedMesh = "compared";

/// Names of the meshes that can be exported: the stages from the first published one on, which end
/// with the fitted mesh, in the order of the slider; then kOpenedMesh.
std::vector<std::string> exportableMeshes(const MeshMorph& morph);

struct ExportChoice {
    MeshFormat format = MeshFormat::obj;
    std::vector<std::string> meshes = {};  ///< of exportableMeshes()
    std::filesystem::path folder;
    MeshSpace space = MeshSpace::view;  ///< the reference view's, as in the published scripts
    /// Writes the shown quantity as vertex colours, or the shown photographs as a texture, if the
    /// format supports it.
    bool coloured = false;
    std::string name = {};  ///< prefix of the file names; empty: the sample's name
};

/// Meshes of a document to export, kept alive for writing on another thread.
struct ExportSource {
    ResultRef result;
    OpenedMeshRef opened;
    /// Values at the vertices, with their unshaded colours.
    struct Colours {
        std::vector<float> values;
        std::vector<glm::vec3> colours;  ///< sRGB; grey: no value
    };
    std::map<std::string, Colours> colours;  ///< by mesh name; only meshes with values
    std::vector<int> photographs = {};       ///< the texture's views; empty: none

    bool has(std::string_view mesh) const;
};
/// Collects meshes and colours to export. GUI thread only; takes some milliseconds with colours.
ExportSource exportSource(const ShownValues& shown, bool coloured);

/// File of a mesh to write: "{name}_{mesh}.obj", or "{name of the opened file or
/// result}_compared.obj".
struct ExportFile {
    std::filesystem::path path;
    std::string mesh;
    std::vector<std::filesystem::path> texture = {};  ///< textureFilesOf(); empty: no texture
};
std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice);

/// Writes exportFiles() and returns all written files; takes seconds with a texture. Throws like
/// writeMesh() and bakeTexture(); files already written stay, each complete.
std::vector<std::filesystem::path> exportMeshes(const ExportSource& source,
                                                const ExportChoice& choice);

}  // namespace threefold::ui
