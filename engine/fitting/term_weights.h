#pragma once

/// Weights of the terms of a fit, for every device. Includes no other headers, as the GPU's
/// compiler reads this file, too. Chosen by measurement on thirteen objects and two models; half or
/// twice any weight changes F(τ) by less than a point on average.
namespace threefold::fitting {

/// A fit minimises a sum of weight · residual², residuals in pixels:
/// - a vertex at distance d beyond the outline adds kOutsideWeight · robustWeight(d²) · d²;
/// - an outline point at offset o from the vertex nearest to it adds robustWeight(|o|²) ·
///   ((o · normal)² + kTangentWeight · (o · tangent)²) · vertexCount / outlinePointCount.
inline constexpr float kOutsideWeight = 2;
inline constexpr float kTangentWeight = 0.05F;
/// Pixels per unit of the difference between normals.
inline constexpr float kPixelsPerNormalUnit = 10;
inline constexpr float kGemanMcClureScale = 20;  ///< pixels

/// Robust weight of a residual, 1…0, given its square in pixels² (Geman and McClure 1985).
constexpr float robustWeight(float squared) {
    constexpr float kScale = kGemanMcClureScale * kGemanMcClureScale;
    return kScale / (kScale + squared);
}

/// Largest z in front of a camera, object units: −kNearPlane of views/camera.h. A larger z of a
/// vertex is clamped to this value.
inline constexpr float kMaxCameraZ = -1e-3F;

/// Scale in object units beyond which a moved vertex is hardly held at its start: for a movement of
/// m, the weight is anchor · (1 + m² / kAnchorScaleUnits²)⁻². Only the offset along the vertex's
/// normal counts, so that vertices can spread along the surface.
inline constexpr double kAnchorScaleUnits = 0.006;

/// Maximum number of conjugate-gradient iterations of a step, and the squared residual, relative to
/// the first, at which they end.
inline constexpr int kMaxSolverIterations = 40;
inline constexpr double kSolverTolerance = 1e-6;

}  // namespace threefold::fitting
