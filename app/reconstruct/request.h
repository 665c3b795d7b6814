#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options/model_options.h"
#include "engine/model/mesh_stages.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample/posed_photos/camera_file.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {

/// Samples of `threefold reconstruct`, and how they are read.
struct SampleSources {
    std::vector<std::string> given;  ///< as given: samples, images, test lists
    std::filesystem::path imageRoot;
    std::filesystem::path truthRoot;
    TruthSpaceChoice truthSpace = TruthSpaceChoice::byFormat;
    /// Views; the first defines the space of the meshes. Empty: defaultViews().
    std::vector<int> views;
    ObjectPlacement object;           ///< placement of the object in the user's own photographs
    bool findCamerasByBoard = false;  ///< compute cameras from the printed board first
    bool cutOutPhotographs = false;   ///< cut out photographs without masks first
};

/// Files that `threefold reconstruct` writes for each sample.
struct WrittenFiles {
    std::vector<std::string> formats;  ///< formats to write: "obj"
    std::string stage;                 ///< a published mesh's name, or "all"
    /// Space of the written vertices: the first view's camera, or the world of ShapeNet or of the
    /// user's own cameras.
    MeshSpace space = MeshSpace::camera;
    bool hull = false;             ///< also write the visual hull of all photographs
    int texture = 0;               ///< side of the textures in pixels; 0: none
    bool keepExposure = false;     ///< do not change exposure and white balance of photographs
    bool writeVisibility = false;  ///< also write which texels a photograph shows

    /// Whether a published mesh is written; `isResult`: `mesh` is the network's last mesh.
    bool wants(std::string_view mesh, bool isResult) const {
        return stage == "all" || (stage == kPublishedStageNames.back() ? isResult : mesh == stage);
    }
};

/// The options of `threefold reconstruct`.
struct ReconstructRequest {
    ModelOptions model;
    SampleSources sources;
    std::optional<FitRequest> fit;  ///< for resolveFit(); nullopt: no fitted mesh
    /// Value of --vertices, for the hull; nullopt: kDefaultHullVertices. `fit`, if set, also has
    /// this number.
    std::optional<std::size_t> vertices;
    WrittenFiles written;
    std::filesystem::path output;
    std::filesystem::path trace;  ///< file for a Chrome trace of the run; empty: none
    bool json = false;
};

/// Warning with the formats that are written without the requested texture: "xyz: written without
/// the texture, …"; empty without such formats, and for the default formats. Throws UsageError if
/// no format carries textures.
std::string textureWarning(const WrittenFiles& written);

/// Throws UsageError for a size that is not above zero, an up vector of length zero, or a value
/// that is not finite.
void requireValidPlacement(const ObjectPlacement& object);

}  // namespace threefold
