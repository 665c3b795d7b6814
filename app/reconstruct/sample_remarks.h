#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/fitting/fit_mesh.h"
#include "engine/measures/silhouette.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold {

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

/// Remarks about a sample, a sentence each; never empty.
using Remarks = std::map<RemarkKind, std::string>;

/// Sets or replaces the remark of this kind; ignores an empty text.
void setRemark(Remarks& remarks, RemarkKind kind, std::string text);

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
