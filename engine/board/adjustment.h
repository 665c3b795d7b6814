#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "engine/transform.h"

namespace threefold::board {

/// Lens in pixels, in OpenCV's camera axes (y down, looking along +z).
struct AdjustedLens {
    double focal = 1, centreX = 0, centreY = 0, k1 = 0, k2 = 0;

    glm::dvec2 pixelOf(glm::dvec3 inCamera) const;
};

/// Detected corners of one marker in one photograph.
struct MarkerObservation {
    std::size_t photo = 0;
    std::size_t marker = 0;
    std::array<glm::dvec2, 4> corners = {};  ///< pixels
};

/// Bundle adjustment: start values before solve(), the result after.
struct Adjustment {
    std::vector<AdjustedLens> lenses;
    /// Prior of each lens: means and standard deviations of its five values.
    std::vector<AdjustedLens> mean, sigma;
    std::vector<std::size_t> lensOf;          ///< index of each photograph's lens
    std::vector<RigidTransform> poses;        ///< world → camera, of each photograph
    std::vector<RigidTransform> markerPoses;  ///< marker → world, of each marker
    bool markerPosesKnown = true;             ///< fixed; else all but the first are solved for
    double side = 1;                          ///< length of each marker's side
    std::vector<MarkerObservation> observations;

    /// Reprojected minus observed position of a corner, pixels.
    glm::dvec2 residual(const MarkerObservation& observed, std::size_t corner) const;
    /// Root mean square of residual() over a marker's corners, pixels.
    double reprojectionError(const MarkerObservation& observed) const;

    /// Minimises the residuals under a Cauchy loss, plus the lenses' priors. The scale of the loss
    /// is twice the median of reprojectionError(), at least 0.1 pixels. Throws Cancelled.
    void solve(const std::stop_token& cancel);
};

/// Fits a homography from plane points to pixels by least squares; takes at least four pairs, no
/// three points in a line. nullopt if there is no solution.
std::optional<glm::dmat3> findHomography(const std::vector<glm::dvec2>& from,
                                         const std::vector<glm::dvec2>& to);

/// Pose of the plane z = 0 from its homography into the picture of a lens without distortion.
RigidTransform poseOfHomography(const glm::dmat3& homography, const AdjustedLens& lens);

}  // namespace threefold::board
