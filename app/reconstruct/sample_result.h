#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/measures/silhouette.h"
#include "engine/model/run_step.h"
#include "engine/sample/mesh_space.h"
#include "engine/sample_steps/fit_request.h"
#include "engine/sample_steps/hull_sample.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/texturing/exposure.h"

namespace threefold {

/// Measures of a sample's meshes against the truth.
struct SampleMeasures {
    std::filesystem::path truth;
    MeshSpace truthSpace = MeshSpace::camera;  ///< the space of the file's coordinates
    ByMesh<ChamferAndFScores> meshes;
};

/// Source of a fitted mesh, and result of depth from photographs.
struct SampleSurface {
    FitSource from = FitSource::network;
    std::optional<DepthResult> depth = {};  ///< without maps; nullopt: not computed
    std::string choice = {};                ///< SampleFit::choiceReason
};

/// Colour corrections of the photographs for a mesh's texture.
struct TextureExposures {
    std::string mesh;                           ///< name of its files, without an extension
    std::vector<ExposureCorrection> exposures;  ///< one per photograph of the texture
};

/// Subject of a remark about a sample, in the order of reports.
enum class RemarkKind {
    missingImages,  ///< missing files of the user's own photographs
    defaultFit,     ///< defaultFitNote(): no option requested the fit
    masks,          ///< views without a mask, with a remedy
    measures,       ///< why there are no measures, or assumptions about the truth
    fit,            ///< why there is no fit
    overlap,        ///< the fitted mesh and the masks disagree
    hull,           ///< why there is no hull
    texture,        ///< why a mesh has no texture; the last such mesh counts
};

/// Key of a remark in the JSON document of `reconstruct --json`: "missing_images", "fit_warning".
std::string_view remarkKey(RemarkKind kind);

/// Result of one sample.
struct SampleResult {
    std::string given;  ///< as named on the command line or in the list
    std::string name;   ///< "02691156_p0001_00"; empty if the sample was not found
    std::filesystem::path source;
    std::vector<int> views;          ///< views used
    std::vector<std::string> notes;  ///< assumptions about the user's own photographs
    StepTimings timings;             ///< `load` first, then the network's run steps
    double backendMilliseconds = 0;  ///< wall time of all run steps but `load`
    std::vector<std::filesystem::path> files;
    std::optional<SampleMeasures> measures;         ///< absent without a usable ground truth
    std::vector<ViewSilhouetteScores> silhouettes;  ///< one for each view
    std::optional<FitResult> fit;                   ///< if requested and possible
    std::vector<std::string> fitNotes;              ///< SampleFit::notes
    SampleSurface surface;                          ///< of the fitted mesh
    std::vector<TextureExposures> exposures;    ///< of each textured mesh; none with keepExposure
    std::optional<SampleHull> hull;             ///< if requested and possible
    std::map<RemarkKind, std::string> remarks;  ///< a sentence each; never empty
    std::string error;                          ///< empty: done

    bool succeeded() const { return error.empty(); }
    /// Sets or replaces the remark of this kind; ignores an empty text.
    void setRemark(RemarkKind kind, std::string text);
};

/// Moves the fit's outcome into the result and adds its remarks; drops depth maps, which are too
/// large to keep. `requested`: the fit that the options name.
void setFit(SampleResult& result, SampleFit& fit, const FitRequest& requested);

/// Copies times and measures and adds their remarks; if the truth cannot be read, only the measures
/// are missing. `truthRoot`: folder in which truths were searched; empty: beside the images.
void setMeasures(SampleResult& result, const MeasuredSample& measured,
                 const std::filesystem::path& truthRoot);

}  // namespace threefold
