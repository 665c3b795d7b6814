#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// Names of exported meshes beside those of MorphStage.
inline constexpr std::string_view kComparedMesh = "compared";

/// The names of the meshes that may be exported of such a result, in the order of the slider: its
/// stages with as many vertices as the network's result, the fitted mesh, and kComparedMesh.
std::vector<std::string> exportableMeshes(const MeshMorph& morph);

struct ExportChoice {
    MeshFormat format = MeshFormat::obj;
    std::vector<std::string> meshes = {};  ///< of exportableMeshes()
    std::filesystem::path folder;
    MeshSpace space = MeshSpace::view;  ///< of the reference view, as the published scripts do
    /// The shown quantity as vertex colour, or the photographs as a texture where they are what is
    /// shown, where the format carries it.
    bool coloured = false;
    std::string name = {};  ///< prefix of the files' names; empty: the sample's
};

/// The meshes of a document to export, kept alive for writing on another thread.
struct ExportSource {
    ResultRef result;
    OpenedMeshRef comparison;
    /// Values at the vertices and their unshaded colours.
    struct Colours {
        std::vector<float> values;
        std::vector<glm::vec3> colours;  ///< sRGB-encoded; grey where there is no value
    };
    std::map<std::string, Colours>
        colours;  ///< of a mesh by its name; none where the quantity has no values
    std::vector<int> photographs = {};  ///< the texture's views, where they are shown

    bool has(std::string_view mesh) const;
};
/// For the window's thread; takes some milliseconds with colours.
ExportSource exportSource(const Document& document, bool coloured);

/// One file to be written: "{name}_{mesh}.obj", or "{name of the compared file}_compared.obj".
struct ExportFile {
    std::filesystem::path path;
    std::string mesh;
};
std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice);

/// Writes them, in seconds with a texture. Throws as writeMesh() and bakeTexture() do; files
/// already written stay, each is whole.
void exportMeshes(const ExportSource& source, const ExportChoice& choice);

}  // namespace threefold::ui
