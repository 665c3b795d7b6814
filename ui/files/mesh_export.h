#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_writers.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"

namespace threefold::ui {

enum class ExportedMesh { coarse, refined1, refined, comparison };
inline constexpr std::array kAllExported{ExportedMesh::coarse, ExportedMesh::refined1,
                                         ExportedMesh::refined, ExportedMesh::comparison};
inline constexpr std::array kExportFormats{MeshFormat::obj, MeshFormat::ply, MeshFormat::stl,
                                           MeshFormat::glb, MeshFormat::xyz};

struct ExportChoice {
    MeshFormat format = MeshFormat::obj;
    std::vector<ExportedMesh> meshes = {ExportedMesh::refined};
    std::filesystem::path folder;
    MeshSpace space = MeshSpace::view;  ///< of the reference view, as the published scripts do
    bool coloured = false;  ///< the shown quantity as vertex colour, where the format carries it
};

/// What a document has to export; holds on to it, so that writing may take its time elsewhere.
struct ExportSource {
    ResultRef result;
    OpenedMeshRef comparison;
    /// What the vertices are coloured by, and the colours that the screen gives them before light.
    struct Colours {
        std::vector<float> values;
        std::vector<glm::vec3> colours;  ///< sRGB-encoded; grey where there is no value
    };
    std::map<ExportedMesh, Colours> colours;  ///< none where the quantity has no values

    bool has(ExportedMesh mesh) const;
};
/// Of the window's thread; some milliseconds where colours are wanted.
ExportSource exportSource(const Document& document, bool coloured);

/// One file to be written: "02691156_p0001_00_predict.obj" for the refined mesh (METHOD.md §10),
/// "…_coarse.obj" for the coarse one, "…_refined1.obj", and "{its name}_compared.obj".
struct ExportFile {
    std::filesystem::path path;
    ExportedMesh mesh = ExportedMesh::refined;
};
std::vector<ExportFile> exportFiles(const ExportSource& source, const ExportChoice& choice);

/// Writes them. Throws as writeMesh() does; files already written stay, each is whole.
void exportMeshes(const ExportSource& source, const ExportChoice& choice);

}  // namespace threefold::ui
