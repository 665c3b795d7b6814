#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/reconstruct/sample_remarks.h"
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

/// A sample that was found, with the views to reconstruct it from.
struct FoundSample {
    std::string name;  ///< "02691156_p0001_00"
    std::filesystem::path source;
    std::vector<int> views;
};

/// Fit of a sample, without photographs and depth maps, which are too large to keep.
struct FitSummary {
    FitResult result;
    std::vector<std::string> notes = {};    ///< SampleFit::notes
    FitSource source = FitSource::network;  ///< of the fitted mesh
    std::optional<DepthResult> depth = {};  ///< without maps; nullopt: not computed
    std::string choice = {};                ///< SampleFit::choiceReason
};

/// Measures of a sample's meshes against the truth.
struct SampleMeasures {
    std::filesystem::path truth;
    MeshSpace truthSpace = MeshSpace::camera;  ///< the space of the file's coordinates
    ByMesh<ChamferAndFScores> meshes;
};

/// Times and measures of a sample's meshes.
struct TimesAndMeasures {
    StepTimings timings;                            ///< `load` first, then the network's run steps
    double backendMilliseconds = 0;                 ///< wall time of all run steps but `load`
    std::optional<SampleMeasures> measures;         ///< absent without a usable ground truth
    std::vector<ViewSilhouetteScores> silhouettes;  ///< one for each view
};

/// Colour corrections of the photographs for a mesh's texture.
struct TextureExposures {
    std::string mesh;                           ///< name of its files, without an extension
    std::vector<ExposureCorrection> exposures;  ///< one per photograph of the texture
};

/// Files that were written for a sample.
struct WrittenSample {
    std::vector<std::filesystem::path> files;
    std::vector<TextureExposures> exposures;  ///< of each textured mesh; none with keepExposure
};

/// Result of one sample, made by resultOf() from the outcomes of the sample's steps.
struct SampleResult {
    std::string given;               ///< as named on the command line or in the list
    FoundSample found;               ///< empty if the sample was not found
    std::optional<FitSummary> fit;   ///< if requested and possible
    TimesAndMeasures measured;       ///< empty if the sample failed before it was measured
    std::optional<SampleHull> hull;  ///< if requested and possible
    WrittenSample written;           ///< of a failed sample: files before the failure
    std::vector<std::string> notes;  ///< assumptions about the user's own photographs
    Remarks remarks;
    std::string error;  ///< empty: done

    bool succeeded() const { return error.empty(); }
};

}  // namespace threefold
