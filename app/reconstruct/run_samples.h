#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "app/reconstruct/request.h"
#include "engine/fitting/fit_mesh.h"
#include "engine/metrics/measures.h"
#include "engine/metrics/silhouette.h"
#include "engine/network/service/network_service.h"
#include "engine/pipeline/hull_sample.h"
#include "engine/profile/span.h"
#include "engine/sample/mesh_space.h"
#include "engine/stage.h"
#include "engine/texturing/exposure.h"

namespace threefold {

/// A sample's meshes against the truth.
struct SampleMeasures {
    std::filesystem::path truth;
    MeshSpace truthSpace = MeshSpace::view;  ///< the space of the file's coordinates
    ByMesh<Measures> meshes;
};

/// What a fitted mesh is made of, and what depths from photographs came to.
struct SampleSurface {
    FitRequest::From from = FitRequest::From::network;
    std::optional<DepthSurface> depth = {};  ///< without mesh and maps; none: not looked for
    std::string depthProblem = {};           ///< PhotographSurface::depthProblem
};

/// What the photographs' colours were changed by for a mesh's texture.
struct TextureExposures {
    std::string mesh;                 ///< name of its files, without an extension
    std::vector<Exposure> exposures;  ///< one for each photograph that the texture is made of
};

/// What became of one sample.
struct SampleResult {
    std::string given;  ///< as named on the command line or in the list
    std::string name;   ///< "02691156_p0001_00"; empty if it was not found
    std::filesystem::path source;
    std::vector<int> views;          ///< those it was made from
    std::vector<std::string> notes;  ///< what was assumed of photographs of one's own
    StageTimings timings;            ///< `load` first, then the network's stages
    double networkMs = 0;            ///< of all but `load`, on the wall
    std::vector<std::filesystem::path> files;
    std::optional<SampleMeasures> measures;    ///< absent without a usable ground truth
    std::vector<ViewSilhouettes> silhouettes;  ///< one for each view
    std::optional<FitResult> fit;              ///< if requested and possible
    SampleSurface surface;                     ///< of the fitted mesh
    std::string fitDefault;      ///< defaultFitNote(); empty: the fit was asked for, or none
    std::string fitWarning;      ///< why there is no fit
    std::string textureWarning;  ///< why meshes have no texture
    std::vector<TextureExposures> exposures;  ///< of each textured mesh; none with textureAsTaken
    std::optional<SampleHull> hull;           ///< if requested and possible
    std::string hullWarning;                  ///< why there is no hull
    std::string missingImages;  ///< of photographs of one's own, which are not there; empty: none
    std::string maskWarning;    ///< which views have no mask, and what to do; empty: all have one
    std::string warning;        ///< why there are no measures, or what was guessed for them
    std::string error;          ///< empty: done

    bool done() const { return error.empty(); }
};

/// Called for each sample, done or failed, on one thread.
using ResultFunction = std::function<void(const SampleResult&)>;

/// Reconstructs the samples and writes what the request names into `folder`; several overlap
/// (engine/pipeline/pipeline.h). A bad sample becomes a result with an error and the next one is
/// taken; stops early when `cancel` is requested. Reports in the order of the samples. `spans` gets
/// the times if the request names a trace: the parts, and the network's stages.
std::vector<SampleResult> runSamples(NetworkService& network, const ReconstructRequest& request,
                                     const std::filesystem::path& folder,
                                     const std::vector<NamedSample>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans);

}  // namespace threefold
