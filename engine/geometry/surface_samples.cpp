#include "engine/geometry/surface_samples.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/random_numbers.h"

namespace threefold {
namespace {

/// Next random number from 0 to 1, 1 excluded.
double nextFraction(std::uint64_t& state) {
    return static_cast<double>(splitMix64(state) >> 11U) * 0x1p-53;
}

}  // namespace

SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count) {
    requireValidFaces(mesh.vertices.size(), mesh.faces);
    std::vector<double> cumulativeAreas;  // running sums of twice the areas of the faces
    cumulativeAreas.reserve(mesh.faces.size());
    double totalArea = 0;
    for (const glm::u32vec3& face : mesh.faces) {
        totalArea += glm::length(doubledAreaNormal(mesh.vertices, face));
        cumulativeAreas.push_back(totalArea);
    }
    if (!(totalArea > 0) || !std::isfinite(totalArea))
        throw InputError({"mesh", "", "its faces have no area", "Export the mesh again."});

    SurfaceSamples samples;
    samples.points.reserve(count);
    samples.normals.reserve(count);
    std::uint64_t random = 20190817;
    for (std::size_t i = 0; i < count; ++i) {
        const double target = totalArea * (static_cast<double>(i) + nextFraction(random)) /
                              static_cast<double>(count);
        const auto match = std::ranges::upper_bound(cumulativeAreas, target);
        const auto index = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
            match - cumulativeAreas.begin(), std::ssize(cumulativeAreas) - 1));
        const glm::u32vec3& face = mesh.faces[index];
        const double root = std::sqrt(nextFraction(random));
        const double second = nextFraction(random);
        samples.points.emplace_back((1 - root) * glm::dvec3(mesh.vertices[face.x]) +
                                    root * (1 - second) * glm::dvec3(mesh.vertices[face.y]) +
                                    root * second * glm::dvec3(mesh.vertices[face.z]));
        const glm::dvec3 normal = doubledAreaNormal(mesh.vertices, face);
        const double length = glm::length(normal);
        samples.normals.emplace_back(length > 0 ? normal / length : glm::dvec3(0.0));
    }
    return samples;
}

}  // namespace threefold
