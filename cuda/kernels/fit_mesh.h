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

}  // namespace threefold::cuda
