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
    std::vector<ScorePair> scores = {};         ///< with a truth: one for each of `scoring`
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

/// Has the device search the neighbours of the network's meshes of a batch, and match them where
/// the earth mover's distance is asked for. Returns for each sample what measureSample() goes on
/// from: what the device has no room for, or cannot compare, is left to that. Truths and meshes
/// outlive the comparisons, or are moved. Throws Cancelled, DeviceError.
std::vector<SampleComparisons> compareOnDevice(Backend& device,
                                               std::span<const GroundTruth* const> truths,
                                               std::span<const Reconstruction> meshes,
                                               const std::vector<ScoreOptions>& scoring,
                                               const std::stop_token& cancel);

/// Compares the meshes with the truth, and with the views' photographs as finely as these show them
/// (objectView()): what the network did not see so fine is taken from the fit's, or read again.
/// `device`: searches the neighbours for `evaluation`, throws DeviceError; null: the processor.
/// `comparisons`: by compareOnDevice(); empty: they are made here. Throws Cancelled, and InputError
/// if truths are strict.
MeasuredSample measureSample(FittedSample fitted, const MeasureOptions& options,
                             Backend* device = nullptr, SampleComparisons comparisons = {});

}  // namespace threefold
