#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/metrics/scores.h"
#include "engine/metrics/silhouette.h"
#include "engine/pipeline/evaluate.h"
#include "engine/pipeline/fit_sample.h"

namespace threefold {

/// A sample whose meshes were compared with its truth and its photographs.
struct MeasuredSample {
    LoadedSample loaded;
    Reconstruction reconstruction;
    std::optional<SampleFit> fit = {};
    std::optional<Evaluation> evaluation = {};  ///< where there is a truth and no `scoring`
    std::vector<SampleScores> scores = {};      ///< with a truth: one for each of `scoring`
    std::vector<ViewSilhouettes> silhouettes = {};
};

struct MeasureOptions {
    std::vector<ScoreOptions> scoring = {};  ///< none: evaluate() at the published τ
    bool silhouettes = true;
    bool strictTruth = false;  ///< a truth that cannot be used is thrown, not a truthProblem
    std::stop_token cancel = {};
};

/// One sample's meshes and truth, before they are compared under each of MeasureOptions::scoring.
using SampleComparisons = std::vector<MeshComparison>;

/// Lets a device search the nearest neighbours of a batch's meshes and, if the earth mover's
/// distance is requested, match their points. Returns each sample's comparisons for
/// measureSample(), which computes whatever is missing: the device leaves out comparisons for which
/// it has no memory, or that InputError refuses. Truths and meshes outlive the comparisons, or are
/// moved. Throws Cancelled, DeviceError.
std::vector<SampleComparisons> compareOnDevice(MeshOperations& device,
                                               std::span<const GroundTruth* const> truths,
                                               std::span<const Reconstruction> meshes,
                                               const std::vector<ScoreOptions>& scoring,
                                               const std::stop_token& cancel);

/// Compares the meshes with the truth, and with the views' masks at the photographs' resolution
/// (objectView()); masks finer than the network's pictures come from the fit, or are read again.
/// `device`: searches the neighbours for `evaluation`, throws DeviceError; null: the processor.
/// `comparisons`: by compareOnDevice(); empty: they are made here. Throws Cancelled, and InputError
/// if truths are strict.
MeasuredSample measureSample(FittedSample fitted, const MeasureOptions& options,
                             MeshOperations* device = nullptr, SampleComparisons comparisons = {});

}  // namespace threefold
