#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/kernels/fit_mesh.h"
#include "cuda/runtime/stream.h"

namespace threefold::fitting {
class ViewOutline;
}

namespace threefold::cuda {

/// Sample point of an outline (fitting::ViewOutline::TangentPoint).
struct alignas(16) PackedTangentPoint {
    float column, row;              ///< pixels
    float normalColumn, normalRow;  ///< unit length, away from the object
    float plane[3];                 ///< the tangent plane's normal, times kPixelsPerNormalUnit
    float unused = 0;
};

/// One photograph's outline (fitting::ViewOutline).
struct PackedOutline {
    float linear[9] = {};  ///< vertex space to camera space, x and y times the zoom; row-major
    float offset[3] = {};  ///< camera coordinates are linear · v + offset
    /// Index of the first of the view's (side, side) values in FitTermsArguments::distances.
    std::uint64_t firstDistance = 0;
    std::uint64_t firstPoint = 0;  ///< index into FitTermsArguments::points
    std::uint32_t pointCount = 0;
    std::int32_t side = 0;  ///< side of the mask in pixels, 2 or more
    float pixelSize = 0;    ///< side of a mask pixel in pixels of the 224×224 projection
};

/// Outlines of all views of a fit, in host memory.
struct PackedOutlines {
    std::vector<PackedOutline> views;
    std::vector<PackedTangentPoint> points;
    std::vector<float> distances;  ///< signed distances at the centres of the masks' pixels
    std::uint32_t maxPoints = 0;   ///< maximum over the views
};
/// Packs the outlines of all views, in order.
PackedOutlines packOutlines(std::span<const fitting::ViewOutline* const> views);

/// Values per vertex: xx, xy, xz, yy, yz, zz of a symmetric 3×3 matrix, then a 3-vector.
inline constexpr int kFitValuesPerVertex = 9;

/// Arguments of launchFitTerms(). All pointers are device memory.
struct FitTermsArguments {
    const float* vertices = nullptr;  ///< (vertexCount, 3)
    const float* normals = nullptr;   ///< (vertexCount, 3), unit length or 0
    std::uint32_t vertexCount = 0;
    const PackedOutline* views = nullptr;  ///< (viewCount)
    const PackedTangentPoint* points = nullptr;
    const float* distances = nullptr;
    std::uint32_t viewCount = 0;
    std::uint32_t maxPoints = 0;       ///< maximum over the views
    bool withOutlinePoints = true;     ///< false omits the terms of tangent points
    std::uint32_t* nearest = nullptr;  ///< (viewCount, maxPoints): vertex matched to each point
    float* viewTerms = nullptr;  ///< (viewCount, kFitValuesPerVertex, vertexCount); overwritten
    double* energies = nullptr;  ///< (fitEnergyCount()); overwritten
    float* termSums = nullptr;   ///< (kFitValuesPerVertex, vertexCount); overwritten
};

/// Number of partial sums in FitTermsArguments::energies.
std::uint32_t fitEnergyCount(std::uint32_t vertexCount, std::uint32_t viewCount);

/// Computes unit vertex normals as threefold::vertexNormals() does. `vertices` and `normals`:
/// (vertexCount, 3).
void launchFitNormals(Stream stream, const FitMesh& mesh, const float* vertices, float* normals);

/// Sums the terms of all views (fitting::evaluateOutlineTerms) in view order, which gives the same
/// bits on every run. For equal projections each point matches the same vertex as on the processor:
/// the kernel runs the same operations in the same order, fuses none, and takes the lowest index
/// among equal matches. Does nothing without vertices or views.
void launchFitTerms(Stream stream, const FitTermsArguments& arguments);

}  // namespace threefold::cuda
