#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Distances between the meshes of two runs, over all vertices of all samples, in object units:
/// vertex by vertex if a sample's meshes have equal vertex counts and equal faces (or one has none,
/// as a point cloud), else from each vertex to the nearest vertex of the other mesh.
struct MeshDistances {
    std::size_t samples = 0;
    std::size_t vertexByVertex = 0;  ///< samples compared vertex by vertex
    double mean = 0;
    double p995 = 0;  ///< 99.5th percentile (nearest rank), within 0.02 % of its value
    double largest = 0;
};

/// Sums for MeshDistances, in memory that does not grow with the number of samples.
class MeshDistanceSums {
  public:
    /// Adds the finite distances between a sample's meshes. Returns the maximum; nullopt without a
    /// finite distance, or if a mesh has no vertices.
    std::optional<double> add(const Mesh& first, const Mesh& second);

    /// nullopt if no finite distance was added.
    std::optional<MeshDistances> distances() const;

  private:
    void addDistance(double distance);
    double percentile(double fraction) const;

    MeshDistances made_;  ///< `samples`, `vertexByVertex`, `largest` so far
    std::uint64_t count_ = 0;
    double sum_ = 0;
    std::vector<std::uint64_t> bins_;  ///< number of distances by binOf()
};

}  // namespace threefold
