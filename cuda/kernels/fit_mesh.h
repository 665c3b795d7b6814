#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace threefold::fitting {
class MeshLevels;
}

namespace threefold::cuda {

/// The connectivity of a mesh and of its levels (fitting::MeshLevels), in device memory.
struct FitMesh {
    std::uint32_t vertexCount = 0;
    std::uint32_t levels = 0;  ///< number of levels, 1 or more

    /// Faces around v, ascending: vertexFaces[vertexFaceOffsets[v] … vertexFaceOffsets[v + 1] − 1].
    /// A face that names v twice is listed twice.
    const std::uint32_t* faces = nullptr;  ///< (…, 3)
    const std::uint32_t* vertexFaceOffsets = nullptr;
    const std::uint32_t* vertexFaces = nullptr;

    /// Neighbours in sliced ELLPACK (slices of 32 vertices), for coalesced reads by a warp: the
    /// k-th neighbour of v is sellNeighbours[sellSliceOffsets[v / 32] + 32 k + v % 32].
    const std::uint32_t* sellSliceOffsets = nullptr;
    const std::uint32_t* sellNeighbours = nullptr;
    const std::uint32_t* degrees = nullptr;  ///< (vertexCount): number of neighbours

    /// (levels): number of vertices of each level, ascending.
    const std::uint32_t* levelVertices = nullptr;
    /// Ends of the edge whose midpoint is v, for v from levelVertices[0] on: (…, 2).
    const std::uint32_t* ends = nullptr;
    /// Midpoints that level l + 1 adds on edges of v in level l, ascending:
    /// midpoints[midpointStart[i] … midpointStart[i + 1] − 1], i = midpointLevelOffsets[l] + v. A
    /// midpoint whose two ends are both v is listed twice.
    const std::uint32_t* midpointLevelOffsets = nullptr;  ///< (levels − 1)
    const std::uint32_t* midpointStart = nullptr;
    const std::uint32_t* midpoints = nullptr;
};

/// FitMesh in one contiguous block of host memory.
class PackedFitMesh {
  public:
    explicit PackedFitMesh(const fitting::MeshLevels& levels);

    std::span<const std::uint32_t> words() const { return words_; }
    /// FitMesh of the arrays in `words`, which is a copy of words(), for instance in device memory.
    FitMesh at(const std::uint32_t* words) const;

  private:
    std::uint32_t vertexCount_;
    std::uint32_t levels_;
    std::vector<std::uint32_t> words_;
    std::vector<std::size_t>
        starts_;  ///< index of the first word of each array, in the order of FitMesh
};

}  // namespace threefold::cuda
