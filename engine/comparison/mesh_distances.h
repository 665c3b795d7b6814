#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/mesh.h"

namespace threefold {

/// Distances between the meshes of two runs, over all vertices of all samples, in object units:
/// vertex by vertex if a sample's meshes have equal vertex counts and equal faces (or one mesh is a
/// point cloud, without faces), else from each vertex to the nearest vertex of the other mesh.
struct MeshDistances {
    std::size_t sampleCount = 0;          ///< samples with a finite distance
    std::size_t vertexByVertexCount = 0;  ///< samples compared vertex by vertex
    double mean = 0;
    double p995 = 0;  ///< 99.5th percentile (nearest rank), rounded to float32
    double max = 0;
};

/// Accumulates MeshDistances. Holds four bytes for each distance: a percentile needs all distances.
class MeshDistanceAccumulator {
  public:
    /// Adds the distances between a sample's meshes, except for vertices that are not finite.
    /// Returns the maximum; nullopt without a finite distance.
    std::optional<double> add(const Mesh& first, const Mesh& second);

    /// nullopt if no finite distance was added.
    std::optional<MeshDistances> distances() const;

  private:
    void addDistance(double distance);

    MeshDistances partial_;  ///< `sampleCount`, `vertexByVertexCount`, `max` so far
    double sum_ = 0;
    std::vector<float> distances_;
};

}  // namespace threefold
