#pragma once

/// What the terms of a fit weigh, for every device that computes them. Without other headers: the
/// GPU's compiler reads it too. Chosen by measurement on thirteen objects and two models; half or
/// twice any of them changes F(τ) by less than a point in the mean.
namespace threefold::fitting {

inline constexpr float kOutWeight = 2;
inline constexpr float kAlongWeight = 0.05F;
inline constexpr float kNormalPixels = 10;  ///< pixels that a wrong normal counts for
inline constexpr float kRobustPixels = 20;

/// Of a residual of that many squared pixels (Geman and McClure 1985), 1…0.
constexpr float robustWeight(float squared) {
    constexpr float kScale = kRobustPixels * kRobustPixels;
    return kScale / (kScale + squared);
}

/// Before a camera, object units: a vertex behind it counts as there.
inline constexpr float kNearestDepth = -1e-3F;

/// Object units: a vertex that moved further from the start may go where it will. With m the
/// movement, its weight is staying · (1 + m² / reach²)⁻².
inline constexpr double kStayingReach = 0.006;

/// Most conjugate gradients of a step, and the share of the first squared residual that is enough.
inline constexpr int kSolverSteps = 40;
inline constexpr double kSolverEnough = 1e-6;

}  // namespace threefold::fitting
