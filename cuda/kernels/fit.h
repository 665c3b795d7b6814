#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/stream.h"

namespace threefold::fitting {
class MeshLevels;
class ViewOutline;
}  // namespace threefold::fitting

namespace threefold::cuda {

/// The connectivity of a mesh and of its levels (fitting::MeshLevels), in device memory.
struct FitMesh {
    std::uint32_t vertexCount = 0;
    std::uint32_t levels = 0;  ///< 1 or more

    /// Faces around v, ascending: faceAround[aroundStart[v] … aroundStart[v + 1] − 1]. A face that
    /// names v twice is listed twice.
    const std::uint32_t* faces = nullptr;  ///< (…, 3)
    const std::uint32_t* aroundStart = nullptr;
    const std::uint32_t* faceAround = nullptr;

    /// Neighbours in slices of 32 vertices, for coalesced reads by a warp: the k-th neighbour of v
    /// is sellNeighbours[sellSliceOffsets[v / 32] + 32 k + v % 32].
    const std::uint32_t* sellSliceOffsets = nullptr;
    const std::uint32_t* sellNeighbours = nullptr;
    const std::uint32_t* degrees = nullptr;  ///< (vertexCount): neighbours of each vertex

    const std::uint32_t* levelVertices = nullptr;  ///< (levels), ascending
    /// Ends of the edge whose midpoint is v, for v from levelVertices[0] on: (…, 2).
    const std::uint32_t* ends = nullptr;
    /// Midpoints that level l + 1 adds on edges of v in level l, ascending:
    /// midpoints[midpointStart[i] … midpointStart[i + 1] − 1], i = midpointLevel[l] + v. The
    /// midpoint of v with itself is listed twice.
    const std::uint32_t* midpointLevel = nullptr;  ///< (levels − 1)
    const std::uint32_t* midpointStart = nullptr;
    const std::uint32_t* midpoints = nullptr;
};

/// FitMesh in one contiguous block of host memory.
class PackedFitMesh {
  public:
    explicit PackedFitMesh(const fitting::MeshLevels& levels);

    std::span<const std::uint32_t> words() const { return words_; }
    /// View of the mesh in `words`, a copy of words(), for instance in device memory.
    FitMesh at(const std::uint32_t* words) const;

  private:
    std::uint32_t vertexCount_;
    std::uint32_t levels_;
    std::vector<std::uint32_t> words_;
    std::vector<std::size_t>
        starts_;  ///< index of the first word of each array, in the order of FitMesh
};

/// Sample point of an outline (fitting::ViewOutline::TangentPoint).
struct alignas(16) PackedTangentPoint {
    float column, row;              ///< pixels
    float normalColumn, normalRow;  ///< unit length, away from the object
    float plane[3];                 ///< the tangent plane's normal, times kNormalPixels
    float unused = 0;
};

/// One photograph's outline (fitting::ViewOutline).
struct PackedOutline {
    float linear[9] = {};  ///< vertex space to camera space, x and y times the zoom; row-major
    float offset[3] = {};  ///< camera coordinates are linear · v + offset
    /// Index into FitTermsArguments::distances, of (size, size) values.
    std::uint64_t firstDistance = 0;
    std::uint64_t firstPoint = 0;  ///< index into FitTermsArguments::points
    std::uint32_t pointCount = 0;
    std::int32_t size = 0;  ///< side of the mask in pixels, 2 or more
    float pixel = 0;        ///< side of a mask pixel in pixels of the 224×224 projection
};

/// Outlines of all views of a fit, in host memory.
struct PackedOutlines {
    std::vector<PackedOutline> views;
    std::vector<PackedTangentPoint> points;
    std::vector<float> distances;  ///< signed distances at the centres of the masks' pixels
    std::uint32_t maxPoints = 0;   ///< of any view
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
    std::uint32_t maxPoints = 0;       ///< of any view
    bool withOutlinePoints = true;     ///< false omits the terms of tangent points
    std::uint32_t* nearest = nullptr;  ///< (viewCount, maxPoints): vertex matched to each point
    float* viewTerms = nullptr;  ///< (viewCount, kFitValuesPerVertex, vertexCount), written over
    double* energies = nullptr;  ///< (fitEnergies()), written over
    float* termSums = nullptr;   ///< (kFitValuesPerVertex, vertexCount), written over
};

/// Number of partial sums in FitTermsArguments::energies.
std::uint32_t fitEnergies(std::uint32_t vertexCount, std::uint32_t viewCount);

/// Unit vertex normals as threefold::vertexNormals(). `vertices` and `normals`: (vertexCount, 3).
void launchFitNormals(Stream stream, const FitMesh& mesh, const float* vertices, float* normals);

/// Sums the terms of all views (fitting::evaluateOutlineTerms) in view order: the same bits on
/// every run. For equal projections each point matches the same vertex as on the processor: the
/// same operations in the same order, none fused, the lowest index among equals. Does nothing
/// without vertices or views.
void launchFitTerms(Stream stream, const FitTermsArguments& arguments);

/// Result of one step.
struct FitOutcome {
    double energy;    ///< sum of FitSolveArguments::energies
    double movement;  ///< sum of the vertices' displacements
};

/// Arguments of launchFitSolve(). All pointers are device memory.
struct FitSolveArguments {
    FitMesh mesh;
    std::uint32_t level = 0;               ///< level whose vertices move
    const float* start = nullptr;          ///< (vertexCount, 3): positions at the start of the fit
    const float* restLaplacian = nullptr;  ///< (vertexCount): FitStart::restLaplacian
    const float* normals = nullptr;        ///< (vertexCount, 3)
    /// fitting::RegularisationWeights
    float bending = 0, tangentialSmoothing = 0, damping = 0, anchor = 0;
    float* termSums = nullptr;  ///< from launchFitTerms(); modified
    float* vertices = nullptr;  ///< (vertexCount, 3): moved
    const double* energies = nullptr;
    std::uint32_t energyCount = 0;
    FitOutcome* outcome = nullptr;
    float* workspace = nullptr;  ///< fitSolveWorkspace() bytes
};

/// Bytes of a launch's workspace.
std::size_t fitSolveWorkspace(std::uint32_t vertexCount);

/// Solves one step of a fit (fitting::CpuFitSolver::step) from the views' terms: adds the surface
/// terms, runs up to kMaxSolverIterations conjugate gradients, moves the vertices. One block: its
/// vectors fill the block's shared memory first, then the workspace. The same bits on every run and
/// with any amount of shared memory. At least one vertex.
void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments);

}  // namespace threefold::cuda
