#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/kernels/device_limits.h"
#include "cuda/runtime/stream.h"

namespace threefold::fitting {
class MeshLevels;
class OutlineTerms;
}  // namespace threefold::fitting

namespace threefold::cuda {

/// The connectivity of a mesh and of its levels (fitting::MeshLevels), in device memory.
struct FitMesh {
    std::uint32_t vertexCount = 0;
    std::uint32_t levels = 0;  ///< 1 or more

    /// The faces around v are faceAround[aroundStart[v]] to before aroundStart[v + 1], ascending;
    /// one that names v twice is there twice.
    const std::uint32_t* faces = nullptr;  ///< (…, 3)
    const std::uint32_t* aroundStart = nullptr;
    const std::uint32_t* faceAround = nullptr;

    /// Neighbours in slices of 32 vertices, so that a warp reads them together: the k-th of v is
    /// neighbours[sliceStart[v / 32] + 32 k + v % 32].
    const std::uint32_t* sliceStart = nullptr;
    const std::uint32_t* neighbours = nullptr;
    const std::uint32_t* degrees = nullptr;  ///< (vertexCount): how many v has

    const std::uint32_t* levelVertices = nullptr;  ///< (levels), ascending
    /// The two ends whose midpoint v is, for v from levelVertices[0] on: (…, 2).
    const std::uint32_t* ends = nullptr;
    /// The vertices that level l + 1 adds as midpoints of v in level l, ascending, are
    /// midpoints[midpointStart[i]] to before midpointStart[i + 1], i = midpointLevel[l] + v; one of
    /// v with itself is there twice.
    const std::uint32_t* midpointLevel = nullptr;  ///< (levels − 1)
    const std::uint32_t* midpointStart = nullptr;
    const std::uint32_t* midpoints = nullptr;
};

/// Such a mesh in host memory, in one piece.
class PackedFitMesh {
  public:
    explicit PackedFitMesh(const fitting::MeshLevels& levels);

    std::span<const std::uint32_t> words() const { return words_; }
    /// With its parts where `words`, a copy of words(), lies.
    FitMesh at(const std::uint32_t* words) const;

  private:
    std::uint32_t vertexCount_;
    std::uint32_t levels_;
    std::vector<std::uint32_t> words_;
    std::vector<std::size_t> parts_;  ///< where each begins, as in FitMesh
};

/// A place on an outline (fitting::OutlineTerms::Place).
struct alignas(16) FitPlace {
    float column, row;              ///< pixels
    float normalColumn, normalRow;  ///< unit length, away from the object
    float plane[3];                 ///< the tangent plane's normal, times kNormalPixels
    float unused = 0;
};

/// One photograph's outline (fitting::OutlineTerms).
struct PackedOutline {
    float rotation[9] = {};           ///< from the vertices' space to the camera's, row-major …
    float offset[3] = {};             ///< … rotation · v + offset
    std::uint64_t firstDistance = 0;  ///< in FitTermsArguments::distances: (size, size) of them
    std::uint64_t firstPlace = 0;     ///< in FitTermsArguments::places
    std::uint32_t placeCount = 0;
    std::int32_t size = 0;  ///< of the mask, 2 or more
    float pixel = 0;        ///< side of the mask's pixels in pixels of the 224×224 projection
};

/// The views of a fit, in host memory.
struct PackedOutlines {
    std::vector<PackedOutline> views;
    std::vector<FitPlace> places;
    std::vector<float> distances;  ///< at the centres of the masks' pixels
    std::uint32_t mostPlaces = 0;  ///< of any view
};
PackedOutlines packOutlines(std::span<const fitting::OutlineTerms* const> views);

/// Values in the sum of all views at each vertex: the matrix's xx, xy, xz, yy, yz, zz, the vector.
inline constexpr int kFitValues = 9;

struct FitTermsArguments {
    const float* vertices = nullptr;  ///< (vertexCount, 3)
    const float* normals = nullptr;   ///< (vertexCount, 3), unit length or 0
    std::uint32_t vertexCount = 0;
    const PackedOutline* views = nullptr;  ///< (viewCount)
    const FitPlace* places = nullptr;
    const float* distances = nullptr;
    std::uint32_t viewCount = 0;
    std::uint32_t mostPlaces = 0;      ///< of any view
    bool withPlaces = true;            ///< false leaves out the places' terms
    std::uint32_t* nearest = nullptr;  ///< (viewCount, mostPlaces): the vertex each place draws
    float* byView = nullptr;           ///< (viewCount, kFitValues, vertexCount), written over
    double* energies = nullptr;        ///< (fitEnergies()), written over
    float* sum = nullptr;              ///< (kFitValues, vertexCount), written over
};

/// How many partial sums of the energy there are.
std::uint32_t fitEnergies(std::uint32_t vertexCount, std::uint32_t viewCount);

/// The unit normal of each vertex, as threefold::vertexNormals(): (vertexCount, 3) of both.
void launchFitNormals(Stream stream, const FitMesh& mesh, const float* vertices, float* normals);

/// The terms of all views (fitting::OutlineTerms::evaluate), added up view by view in their order:
/// the same bits on every run. Given the same projections the vertices that places draw are the
/// processor's: its operations in its order, none fused, the lowest index among equals. Nothing
/// where there is no vertex or no view.
void launchFitTerms(Stream stream, const FitTermsArguments& arguments);

/// What a step did.
struct FitOutcome {
    double energy;    ///< the sum of the energies given
    double movement;  ///< sum over the vertices
};

struct FitSolveArguments {
    FitMesh mesh;
    std::uint32_t level = 0;           ///< whose vertices move
    const float* start = nullptr;      ///< (vertexCount, 3): where the fit stays near …
    const float* curvature = nullptr;  ///< … and how that is curved: (vertexCount)
    const float* normals = nullptr;    ///< (vertexCount, 3)
    /// fitting::SurfaceWeights
    float bending = 0, spreading = 0, damping = 0, staying = 0;
    float* sum = nullptr;       ///< of launchFitTerms(); changed
    float* vertices = nullptr;  ///< (vertexCount, 3): moved
    const double* energies = nullptr;
    std::uint32_t energyCount = 0;
    FitOutcome* outcome = nullptr;
    float* workspace = nullptr;  ///< fitSolveWorkspace() bytes
};

/// Bytes of a launch's workspace.
std::size_t fitSolveWorkspace(std::uint32_t vertexCount);

/// A step of a fit but for the views' terms (fitting::ProcessorSteps::take): the surface's own
/// terms, up to kSolverSteps conjugate gradients, the movement. One block; vectors that it works
/// with lie in shared memory as far as a block of the device has it, in the workspace beyond. The
/// same bits on every run and with any amount of shared memory. Any number of vertices but 0.
void launchFitSolve(Stream stream, const DeviceLimits& limits, const FitSolveArguments& arguments);

}  // namespace threefold::cuda
