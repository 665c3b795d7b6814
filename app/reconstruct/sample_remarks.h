#pragma once

#include <span>
#include <string>

#include "engine/fitting/fit_mesh.h"
#include "engine/measures/silhouette.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold {

/// Sentence about views without a mask, whose background counts as object; empty: none.
std::string maskRemark(const std::string& sample,
                       std::span<const ViewSilhouetteScores> silhouettes);

/// Sentence with the views that the fitted mesh overlaps least; empty unless
/// FitResult::hasLowOverlap().
std::string overlapRemark(const std::string& sample, const FitResult& fit);

/// Assumptions about a ground truth, separated by "; ": its space, if the space was detected, and
/// GroundTruth::notes. Empty: none.
std::string truthRemark(const Sample& sample, const GroundTruth& truth);

}  // namespace threefold
