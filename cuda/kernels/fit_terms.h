#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/kernels/fit_mesh.h"
#include "cuda/runtime/stream.h"

namespace threefold::fitting {
class OutlineTerms;
}

namespace threefold::cuda {

/// A place on an outline (fitting::OutlineTerms::Place).
struct alignas(16) FitPlace {
    float column, row;              ///< pixels
    float normalColumn, normalRow;  ///< unit length, away from the object
    float plane[3];                 ///< the tangent plane's normal, times kNormalPixels
    float unused = 0;
};

/// One photograph's outline (fitting::OutlineTerms).
struct FitView {
    float rotation[9] = {};           ///< from the vertices' space to the camera's, row-major …
    float offset[3] = {};             ///< … rotation · v + offset
    std::uint64_t firstDistance = 0;  ///< in FitTermsArguments::distances: (size, size) of them
    std::uint64_t firstPlace = 0;     ///< in FitTermsArguments::places
    std::uint32_t placeCount = 0;
    std::int32_t size = 0;  ///< of the mask, 2 or more
    float pixel = 0;        ///< side of the mask's pixels in pixels of the 224×224 projection
};

/// The views of a fit, in host memory.
struct PackedFitViews {
    std::vector<FitView> views;
    std::vector<FitPlace> places;
    std::vector<float> distances;  ///< at the centres of the masks' pixels
    std::uint32_t mostPlaces = 0;  ///< of any view
};
PackedFitViews packFitViews(std::span<const fitting::OutlineTerms* const> views);

/// Values in the sum of all views at each vertex: the matrix's xx, xy, xz, yy, yz, zz, the vector.
inline constexpr int kFitValues = 9;

struct FitTermsArguments {
    const float* vertices = nullptr;  ///< (vertexCount, 3)
    const float* normals = nullptr;   ///< (vertexCount, 3), unit length or 0
    std::uint32_t vertexCount = 0;
    const FitView* views = nullptr;  ///< (viewCount)
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

}  // namespace threefold::cuda
