#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/sample_steps/measure_sample.h"
#include "engine/web_page/web_page.h"

namespace threefold {

/// Options of webResultOfSample().
struct WebSampleOptions {
    int textureSide = 0;  ///< side of the textures in texels; 0: none
    int threads = 0;      ///< threads that bake textures; 0: all available
    std::stop_token cancel = {};
};

/// Measures of webResultOfSample(): measures against the truth, then Chamfer distance and
/// F(τ) under the surface protocol, which do not depend on the number of vertices, then
/// silhouettes.
std::vector<WebMeasure> webMeasures();

/// Results of one mesh; null: not measured.
struct WebScores {
    const Scores* truthScores = nullptr;
    /// Scores under Protocol::surface, if `truthScores` are under another protocol.
    const Scores* surfaceScores = nullptr;
    const SilhouetteMeans* silhouettes = nullptr;
};

/// Numbers of a mesh for webMeasures(); "–" for numbers that were not measured.
std::vector<WebNumber> webNumbers(const WebScores& measured);

/// Views from which a sample's meshes come, and views with which the meshes were compared.
struct WebViews {
    std::span<const int> input;        ///< views of the network
    std::span<const int> fitted = {};  ///< used by the fit; empty: none, or unknown
    /// Silhouettes with which the meshes were compared.
    std::span<const ViewSilhouetteScores> silhouettes = {};
};

/// Note above a sample's numbers: the input views; the views whose silhouettes were compared, and
/// how many of them the fit used; τ, if it is given.
std::string webNote(const WebViews& views, std::optional<double> tau);

/// WebMesh::caption of the fitted mesh: "fitted to 24 photographs".
std::string fitCaption(std::size_t photographs);

/// Transforms points from the space of `camera` to the world.
Points worldPoints(std::span<const glm::vec3> points, const Camera& camera);

/// Sets `values` of the truth's points: their distances to the surface of `mesh`. Points farther
/// away than √τ are drawn red. Does nothing for a mesh without faces.
void setDistancesToMesh(WebMesh& truth, const WebMesh& mesh, double tau);

/// The truth's points as a mesh named "truth", with the caption "ground truth, 6000 points",
/// transformed from the space of `camera` to the world. If `mesh` is not null, the points get their
/// distances by setDistancesToMesh().
WebMesh webTruth(const GroundTruth& truth, const Camera& camera, const WebMesh* mesh, double tau);

/// A measured sample for a page: photographs of the network and of the fit, the network's published
/// meshes, the hull if depths moved it, the fitted mesh, and the truth's points; with distances to
/// the truth and the numbers of webMeasures(); without a fallback picture. Adds to `notes` why a
/// mesh has no texture, or a photograph is missing. Throws Cancelled.
WebResult webResultOfSample(const MeasuredSample& measured, const WebSampleOptions& options,
                            std::vector<std::string>& notes);

}  // namespace threefold
