#pragma once

#include <cstddef>
#include <span>

#include "engine/mesh.h"

namespace threefold {

struct SurfaceSamples {
    Points points;
    Points normals;  ///< unit face normals at the points
};

/// Number of points of the surface protocol (METHOD.md §9).
inline constexpr std::size_t kSurfaceSamples = 10'000;

/// Throws InputError if a face's vertex index is not below `vertexCount`.
void requireValidFaces(std::size_t vertexCount, std::span<const glm::u32vec3> faces);

/// Stratified random points, one in each of `count` equal fractions of the mesh's area.
/// Deterministic. Throws InputError for a mesh without area, or a vertex index out of range.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSamples);

/// The unit normal of each vertex: the sum of its faces' normals, weighted by area (Gouraud 1971)
/// and normalised; 0 where it has no face or none of non-zero area. Throws InputError where a
/// face's vertex index is out of range.
std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces);

}  // namespace threefold
