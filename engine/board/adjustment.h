#pragma once

#include <array>
#include <cstddef>
#include <stop_token>
#include <vector>

#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace threefold::board {

/// x ↦ rotation · x + shift.
struct Rigid {
    glm::dmat3 rotation{1.0};
    glm::dvec3 translation{0.0};

    glm::dvec3 operator()(glm::dvec3 point) const { return rotation * point + translation; }
};

/// A camera's lens in OpenCV's axes (y down, looking along +z), pixels.
struct AdjustedLens {
    double focal = 1, centreX = 0, centreY = 0, k1 = 0, k2 = 0;

    glm::dvec2 pixelOf(glm::dvec3 inCamera) const;
};

/// The four corners of one marker in one photograph.
struct MarkerSeen {
    std::size_t photo = 0;
    std::size_t marker = 0;
    std::array<glm::dvec2, 4> corners = {};  ///< pixels
};

/// A bundle adjustment: start values before solve(), the result after.
struct Adjustment {
    std::vector<AdjustedLens> lenses;
    /// Prior of each lens: means and standard deviations of its five values.
    std::vector<AdjustedLens> mean, sigma;
    std::vector<std::size_t> lensOf;  ///< of each photograph
    std::vector<Rigid> poses;         ///< world → camera, of each photograph
    std::vector<Rigid> markerPoses;   ///< marker → world, of each marker
    bool markerPosesKnown = true;     ///< they stay; else all but the first are measured
    double side = 1;                  ///< of each marker
    std::vector<MarkerSeen> seen;

    /// Where a corner falls, less where it was seen.
    glm::dvec2 residual(const MarkerSeen& each, std::size_t corner) const;
    /// Root mean square over the corners of a marker, pixels.
    double error(const MarkerSeen& each) const;

    /// Bundle adjustment: minimises the residuals under a Cauchy loss, plus the lenses' priors. The
    /// loss's scale is twice the median of error(), at least 0.1 pixels. Throws Cancelled.
    void solve(const std::stop_token& cancel);
};

/// The least-squares homography from points of a plane to pixels; at least four of either, no three
/// in a line. False where there is none.
bool findHomography(const std::vector<glm::dvec2>& from, const std::vector<glm::dvec2>& to,
                    glm::dmat3& homography);

/// The pose of a plane z = 0 that `homography` maps into the picture of a lens without distortion.
Rigid poseOfHomography(const glm::dmat3& homography, const AdjustedLens& lens);

}  // namespace threefold::board
