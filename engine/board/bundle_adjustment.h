#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/board/radial_lens.h"
#include "engine/board/square_corners.h"
#include "engine/transform.h"

namespace threefold::board {

/// Prior of a lens: mean and standard deviation of each parameter.
struct LensPrior {
    RadialLens mean, sigma;
};

/// Detected corners of one marker in one photograph.
struct MarkerObservation {
    std::size_t photoIndex = 0;
    std::size_t markerIndex = 0;
    SquareCorners corners = {};  ///< continuous pixels
};

/// Observations and known values of a bundle adjustment.
struct BundleAdjustmentProblem {
    std::vector<LensPrior> lensPriors;            ///< one for each lens
    std::vector<std::size_t> lensIndices;         ///< index of each photograph's lens
    std::vector<MarkerObservation> observations;  ///< sorted by photoIndex
    double markerSide = 1;                        ///< length of each marker's side
    /// Whether marker poses are constants. If not, all but the first are unknowns.
    bool markerPosesKnown = true;
};

/// Observations in one photograph of a problem.
std::span<const MarkerObservation> observationsOf(const BundleAdjustmentProblem& problem,
                                                  std::size_t photograph);

/// Values that a bundle adjustment solves for.
struct BundleAdjustmentState {
    std::vector<RadialLens> lenses;           ///< as many as BundleAdjustmentProblem::lensPriors
    std::vector<RigidTransform> poses;        ///< world → camera, of each photograph
    std::vector<RigidTransform> markerPoses;  ///< marker → world, of each marker
};

/// Reprojected minus observed position of a corner, pixels.
glm::dvec2 cornerResidual(const BundleAdjustmentProblem& problem,
                          const BundleAdjustmentState& state, const MarkerObservation& observed,
                          std::size_t corner);

/// Number of parameters of a pose's step: a rotation vector (radians), applied after the pose's
/// rotation, and an addition to the translation.
inline constexpr std::size_t kPoseParameters = 6;

void applyStep(RigidTransform& pose, std::span<const double, kPoseParameters> step);

/// Derivatives of cornerResidual() with respect to the values that it depends on.
struct CornerDerivatives {
    std::array<glm::dvec2, kLensParameters> lens;
    std::array<glm::dvec2, kPoseParameters> pose;        ///< a step of the photograph's pose
    std::array<glm::dvec2, kPoseParameters> markerPose;  ///< a step of the marker's pose
};

CornerDerivatives cornerDerivatives(const BundleAdjustmentProblem& problem,
                                    const BundleAdjustmentState& state,
                                    const MarkerObservation& observed, std::size_t corner);

/// Root mean square of cornerResidual() over a marker's corners, pixels.
double reprojectionError(const BundleAdjustmentProblem& problem, const BundleAdjustmentState& state,
                         const MarkerObservation& observed);

/// Minimises the corners' residuals, under a Cauchy loss, plus the residuals of the lenses' priors,
/// from the start values in `state`. Runs four times; the scale of the loss is twice the median of
/// reprojectionError() before each run, at least 0.1 pixels. The time of a step grows at most with
/// the third power of the number of unknown poses: fast enough for some hundred photographs without
/// a sparse solver such as Ceres. Throws Cancelled.
void adjustBundle(const BundleAdjustmentProblem& problem, BundleAdjustmentState& state,
                  const std::stop_token& cancel);

}  // namespace threefold::board
