#include "engine/sample/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold {
namespace {

/// SplitMix64: the same numbers on every machine, unlike the standard's distributions.
class RandomFractions {
  public:
    double next() {  // 0…1, 1 excluded
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
    }

  private:
    std::uint64_t state_ = 20190817;
};

glm::dvec3 twiceArea(const Mesh& mesh, const glm::u32vec3& face) {
    const glm::dvec3 a = mesh.vertices[face.x];
    return glm::cross(glm::dvec3(mesh.vertices[face.y]) - a, glm::dvec3(mesh.vertices[face.z]) - a);
}

}  // namespace

SurfaceSamples sampleSurface(const Mesh& mesh, std::size_t count) {
    std::vector<double> sums;  // running sums of the areas of the faces
    sums.reserve(mesh.faces.size());
    double whole = 0;
    for (const glm::u32vec3& face : mesh.faces) {
        for (int corner = 0; corner < 3; ++corner)
            if (face[corner] >= mesh.vertices.size())
                throw InputError({"mesh", fmt::format("face {}", sums.size()),
                                  fmt::format("names the vertex {}, there are {}", face[corner],
                                              mesh.vertices.size()),
                                  "Export the mesh again."});
        whole += glm::length(twiceArea(mesh, face));
        sums.push_back(whole);
    }
    if (!(whole > 0) || !std::isfinite(whole))
        throw InputError({"mesh", "", "its faces have no area", "Export the mesh again."});

    SurfaceSamples samples;
    samples.points.reserve(count);
    samples.normals.reserve(count);
    RandomFractions random;
    for (std::size_t i = 0; i < count; ++i) {
        const double at =
            whole * (static_cast<double>(i) + random.next()) / static_cast<double>(count);
        const auto found = std::ranges::upper_bound(sums, at);
        const auto number = static_cast<std::size_t>(
            std::min<std::ptrdiff_t>(found - sums.begin(), std::ssize(sums) - 1));
        const glm::u32vec3& face = mesh.faces[number];
        const double root = std::sqrt(random.next());
        const double second = random.next();
        samples.points.emplace_back((1 - root) * glm::dvec3(mesh.vertices[face.x]) +
                                    root * (1 - second) * glm::dvec3(mesh.vertices[face.y]) +
                                    root * second * glm::dvec3(mesh.vertices[face.z]));
        const glm::dvec3 normal = twiceArea(mesh, face);
        const double length = glm::length(normal);
        samples.normals.emplace_back(length > 0 ? normal / length : glm::dvec3(0.0));
    }
    return samples;
}

}  // namespace threefold
