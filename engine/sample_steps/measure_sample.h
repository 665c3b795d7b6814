#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/measures/scores.h"
#include "engine/measures/silhouette.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/sample_steps/fit_sample.h"

namespace threefold {

/// A sample with its meshes compared with truth and photographs.
struct MeasuredSample {
    LoadedSample loaded;
    FittedReconstruction reconstruction;
    std::optional<SampleFit> fit = {};
    // The following are also empty if a comparison failed (LoadedSample::truthProblem).
    std::optional<Evaluation> evaluation = {};  ///< if requested, and there is a truth
    std::vector<SampleScores> scores = {};    ///< one per entry of `protocols`, if there is a truth
    SurfaceDistanceSummaries distances = {};  ///< if requested, and the truth has faces

    std::vector<ViewSilhouetteScores> silhouettes = {};
};

/// Options of measureSample().
struct MeasureOptions {
    /// Whether to compute MeasuredSample::evaluation: evaluateByPublishedProtocol() at the
    /// published τ, with the neighbours of each point.
    bool evaluation = true;
    std::vector<ScoreOptions> protocols = {};  ///< protocols of MeasuredSample::scores
    bool silhouettes = true;
    bool surfaceDistances = false;
    /// Whether an unusable truth is an error; otherwise LoadedSample::truthProblem says why.
    bool strictTruth = false;
    int threads = 1;  ///< for the silhouettes; 0: as many as the process may use
    std::stop_token cancel = {};
};

/// A sample's meshes and truth for each of MeasureOptions::protocols, before they are compared.
using SampleComparisons = std::vector<MeshComparisons>;

/// Compares a batch's meshes with their truths on a device: nearest neighbours, and earth mover's
/// distances if requested. Returns each sample's comparisons for measureSample(), which computes
/// those that the device skipped (too little memory, InputError). The comparisons refer to arrays
/// that the truths and meshes own: these arrays must outlive the comparisons, but truths and meshes
/// may be moved. Throws Cancelled, DeviceError.
std::vector<SampleComparisons> compareOnDevice(MeshOperations& operations,
                                               std::span<const GroundTruth* const> truths,
                                               std::span<const Reconstruction> meshes,
                                               const std::vector<ScoreOptions>& protocols,
                                               const std::stop_token& cancel);

/// Compares the meshes with the truth and with the views' masks at the photographs' resolution
/// (objectView()). Masks finer than the network's pictures come from the fit, or are read again.
/// `operations`: searches neighbours for `evaluation`, may throw DeviceError; null: the processor.
/// `comparisons`: from compareOnDevice(); empty: computed here. Throws Cancelled, and InputError if
/// options.strictTruth.
MeasuredSample measureSample(FittedSample fitted, const MeasureOptions& options,
                             MeshOperations* operations = nullptr,
                             SampleComparisons comparisons = {});

}  // namespace threefold
