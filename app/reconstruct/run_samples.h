#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/options/given_samples.h"
#include "app/reconstruct/request.h"
#include "engine/fitting/fit_mesh.h"
#include "engine/metrics/measures.h"
#include "engine/metrics/silhouette.h"
#include "engine/network/service/network_service.h"
#include "engine/pipeline/hull_sample.h"
#include "engine/profile/span.h"
#include "engine/run_step.h"
#include "engine/sample/mesh_space.h"
#include "engine/texturing/exposure.h"

namespace threefold {

/// Measures of a sample's meshes against the truth.
struct SampleMeasures {
    std::filesystem::path truth;
    MeshSpace truthSpace = MeshSpace::view;  ///< the space of the file's coordinates
    ByMesh<Measures> meshes;
};

/// Source of a fitted mesh, and result of depth from photographs.
struct SampleSurface {
    FitSurface from = FitSurface::network;
    std::optional<DepthSurface> depth = {};  ///< without mesh and maps; nullopt: not computed
    std::string depthProblem = {};           ///< PhotographSurface::depthProblem
    std::string choice = {};                 ///< SampleFit::choice
};

/// Colour corrections of the photographs for a mesh's texture.
struct TextureExposures {
    std::string mesh;                 ///< name of its files, without an extension
    std::vector<Exposure> exposures;  ///< one per photograph of the texture
};

/// Result of one sample.
struct SampleResult {
    std::string given;  ///< as named on the command line or in the list
    std::string name;   ///< "02691156_p0001_00"; empty if it was not found
    std::filesystem::path source;
    std::vector<int> views;          ///< views used
    std::vector<std::string> notes;  ///< assumptions about the user's own photographs
    StepTimings timings;             ///< `load` first, then the network's stages
    double networkMilliseconds = 0;  ///< wall time of all stages except `load`
    std::vector<std::filesystem::path> files;
    std::optional<SampleMeasures> measures;    ///< absent without a usable ground truth
    std::vector<ViewSilhouettes> silhouettes;  ///< one for each view
    std::optional<FitResult> fit;              ///< if requested and possible
    SampleSurface surface;                     ///< of the fitted mesh
    std::string fitDefault;      ///< defaultFitNote(); empty: the fit was requested, or none
    std::string fitWarning;      ///< why there is no fit
    std::string overlapWarning;  ///< the fitted mesh and the masks disagree; empty: they do not
    std::string textureWarning;  ///< why meshes have no texture
    std::vector<TextureExposures> exposures;  ///< of each textured mesh; none with textureAsTaken
    std::optional<SampleHull> hull;           ///< if requested and possible
    std::string hullWarning;                  ///< why there is no hull
    std::string missingImages;  ///< missing files of the user's own photographs; empty: none
    std::string maskWarning;    ///< views without a mask, with a remedy; empty: none
    std::string warning;        ///< why there are no measures, or assumptions made for them
    std::string error;          ///< empty: done

    bool succeeded() const { return error.empty(); }
};

/// Overlap of a fitted mesh with the masks, in the mean, below which masks or cameras are wrong.
inline constexpr double kMinFitOverlap = 0.8;

/// Called for each sample, done or failed, on one thread.
using ResultFunction = std::function<void(const SampleResult&)>;

/// Reconstructs the samples and writes what the request names into `folder`; several overlap
/// (engine/pipeline/pipeline.h). A bad sample becomes a result with an error and the next one is
/// taken; stops early when `cancel` is requested. Reports in the order of the samples. If the
/// request names a trace, `spans` receives the times of pipeline steps and network stages.
std::vector<SampleResult> runSamples(NetworkService& network, const ReconstructRequest& request,
                                     const std::filesystem::path& folder,
                                     const std::vector<NamedSample>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans);

}  // namespace threefold
