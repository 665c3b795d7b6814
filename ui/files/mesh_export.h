#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_writing.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/shown_document.h"

namespace threefold::ui {

/// Name of opened meshes in files and settings, where stages have MorphStage::name.
inline constexpr std::string_view kOpenedMeshName = "opened";

/// A mesh to export: a stage of the result, or an opened mesh.
struct ExportedMesh {
    MeshId id;               ///< `firstPublished`, `result` (all later stages), `fitted`, or opened
    std::string stage = {};  ///< MorphStage::name; empty for opened meshes

    /// Name in files and settings: `stage`, or kOpenedMeshName.
    std::string_view name() const { return id.isOpened() ? kOpenedMeshName : stage; }
    auto operator<=>(const ExportedMesh&) const = default;
};

/// Meshes that can be exported, in the slider's order: the result's stages from the first published
/// one to the fitted mesh (of the published model, if there is no result), then the opened meshes.
std::vector<ExportedMesh> exportableMeshes(const Document& document);

/// The stage of exportableMeshes() that is nearest to the stage slider. Where the result lacks a
/// mesh of that stage, or the stage comes before the first published one: the network's result.
ExportedMesh exportableMeshAtSlider(const Document& document);

/// Meshes to export, and how.
struct ExportChoice {
    MeshFormat format = MeshFormat::obj;
    std::vector<ExportedMesh> meshes = {};  ///< of exportableMeshes()
    std::filesystem::path folder;
    MeshSpace space = MeshSpace::camera;  ///< the reference view's space, as in published scripts
    /// Writes the shown quantity as vertex colours, or the shown photographs as a texture, if the
    /// format supports it.
    bool coloured = false;
    std::string name = {};  ///< prefix of the file names; empty: the sample's name
};

/// Meshes of a document to export, kept alive for writing on another thread.
struct ExportSource {
    ResultRef result;
    std::map<MeshId, OpenedMeshRef> opened;  ///< no null values
    /// Values at the vertices, with their unshaded colours.
    struct Colours {
        std::vector<float> values;
        std::vector<glm::vec3> colours;  ///< sRGB; grey: no value
    };
    std::map<ExportedMesh, Colours> colours = {};  ///< only meshes with values
    std::vector<int> photographs = {};             ///< the texture's views; empty: none

    bool has(const ExportedMesh& mesh) const;
};
/// Collects meshes and colours to export. GUI thread only; takes some milliseconds with colours.
ExportSource exportSource(const ShownDocument& shown, bool coloured);

/// File of a mesh to write:
/// - a stage: "{name}_{stage}.obj",
/// - an opened mesh: "{its file's name without extension, or its title}_opened.obj",
/// - further opened meshes of that name: "…_opened_2.obj" and so on.
struct ExportFile {
    std::filesystem::path path;
    ExportedMesh mesh;
    std::vector<std::filesystem::path> texture = {};  ///< textureFilesOf(); empty: no texture
};
std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice);

/// Files that exportMeshes() has written.
struct ExportedFiles {
    std::vector<std::filesystem::path> files;
    /// A line for each photograph that the texture lacks, and for each mesh without a texture.
    std::vector<std::string> notes;
};
/// Writes exportFiles(); takes seconds with a texture. Skips photographs that cannot be read, and
/// textures of meshes that no photograph shows. Throws like writeMesh(); files already written
/// stay, each complete.
ExportedFiles exportMeshes(const ExportSource& source, const ExportChoice& choice);

}  // namespace threefold::ui
