#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/mesh.h"

namespace threefold {

/// Next number of SplitMix64 (Steele, Lea and Flood 2014); equal on every machine, unlike the
/// standard library's distributions. Any state is a valid seed.
inline std::uint64_t splitMix(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

struct SurfaceSamples {
    Points points;
    Points normals;  ///< unit face normals at the points
};

/// Number of points of the surface protocol (METHOD.md §9).
inline constexpr std::size_t kSurfaceSamples = 10'000;

/// Throws InputError if a vertex index of a face is out of range.
void requireVertices(std::size_t vertices, std::span<const glm::u32vec3> faces);

/// Stratified random points, one in each of `count` equal fractions of the mesh's area.
/// Deterministic. Throws InputError for a mesh without area, or a vertex index out of range.
SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count = kSurfaceSamples);

/// The unit normal of each vertex: the sum of its faces' normals, weighted by area (Gouraud 1971)
/// and normalised; 0 where it has no face or none of non-zero area. Throws InputError where a
/// face's vertex index is out of range.
std::vector<glm::vec3> vertexNormals(std::span<const glm::vec3> vertices,
                                     std::span<const glm::u32vec3> faces);

}  // namespace threefold
