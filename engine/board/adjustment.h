#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/transform.h"
#include "engine/views/lens.h"

namespace threefold::board {

/// Parameters of a lens that are solved for, those of COLMAP's RADIAL model: focal length and
/// principal point in continuous pixels (the first pixel's centre is at (0.5, 0.5)), radial
/// distortion.
struct RadialLens {
    double focal = 1, principalX = 0, principalY = 0, k1 = 0, k2 = 0;

    Lens toLens(ImageSize size) const;
};

/// Prior of a lens: mean and standard deviation of each parameter.
struct LensPrior {
    RadialLens mean, sigma;
};

/// Pixel of a point in camera space, in OpenCV's axes (y down, looking along +z).
glm::dvec2 projectOpenCv(const RadialLens& lens, glm::dvec3 inCamera);

/// Detected corners of one marker in one photograph.
struct MarkerObservation {
    std::size_t photographIndex = 0;
    std::size_t markerIndex = 0;
    std::array<glm::dvec2, 4> corners = {};  ///< continuous pixels
};

/// Observations and known values of a bundle adjustment.
struct BundleAdjustmentProblem {
    std::vector<LensPrior> priors;                ///< of each lens
    std::vector<std::size_t> lensIndices;         ///< of each photograph
    std::vector<MarkerObservation> observations;  ///< by ascending photograph
    double markerSide = 1;                        ///< length of each marker's side
    bool markerPosesKnown = true;                 ///< fixed; else all but the first are solved for
};

/// Observations in one photograph of a problem.
std::span<const MarkerObservation> observationsOf(const BundleAdjustmentProblem& problem,
                                                  std::size_t photograph);

/// Values that a bundle adjustment solves for.
struct BundleAdjustmentState {
    std::vector<RadialLens> lenses;           ///< as many as BundleAdjustmentProblem::priors
    std::vector<RigidTransform> poses;        ///< world → camera, of each photograph
    std::vector<RigidTransform> markerPoses;  ///< marker → world, of each marker
};

/// Reprojected minus observed position of a corner, pixels.
glm::dvec2 cornerResidual(const BundleAdjustmentProblem& problem,
                          const BundleAdjustmentState& state, const MarkerObservation& observed,
                          std::size_t corner);
/// Root mean square of cornerResidual() over a marker's corners, pixels.
double reprojectionError(const BundleAdjustmentProblem& problem, const BundleAdjustmentState& state,
                         const MarkerObservation& observed);

/// Minimises the residuals from the start values in `state`, under a Cauchy loss, plus the lenses'
/// priors. The scale of the loss is twice the median of reprojectionError(), at least 0.1 pixels.
/// Throws Cancelled.
void adjustBundle(const BundleAdjustmentProblem& problem, BundleAdjustmentState& state,
                  const std::stop_token& cancel);

/// Fits a homography from plane points to pixels by least squares; takes at least four pairs, no
/// three points in a line. nullopt if there is no solution.
std::optional<glm::dmat3> findHomography(const std::vector<glm::dvec2>& from,
                                         const std::vector<glm::dvec2>& to);

/// Pose of the plane z = 0 from its homography into the picture of a lens without distortion.
RigidTransform poseOfHomography(const glm::dmat3& homography, const RadialLens& lens);

}  // namespace threefold::board
