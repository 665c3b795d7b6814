#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/mesh.h"

namespace threefold {

/// SplitMix64 (Steele, Lea and Flood 2014): the next number, the same on every machine, unlike the
/// standard's distributions. Any state is good to begin with.
inline std::uint64_t splitMix(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

struct SurfaceSamples {
    Points points;
    Points normals;  ///< of the faces they lie on, of length 1
};

/// As many as METHOD.md §9's surface protocol takes.
inline constexpr std::size_t kSurfaceSamples = 10'000;

/// Throws InputError where a face names a vertex that is not there.
void requireVertices(std::size_t vertices, std::span<const glm::u32vec3> faces);

/// Random points, one in each of `count` equal shares of the mesh's area; always the same for the
/// same mesh. Throws InputError for a mesh without area, or faces with missing vertices.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSamples);

/// The unit normal of each vertex: the sum of its faces' normals, weighted by area (Gouraud 1971)
/// and normalised; 0 where it has no face or none of non-zero area. Throws InputError where a
/// face's vertex index is out of range.
std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces);

}  // namespace threefold
