#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::stereo {

/// Points of a cubic lattice in a box. Their coordinates are whole multiples of the spacing, as
/// those of hull::extractSurface() are. z varies fastest.
struct Lattice {
    double spacing = 0;   ///< object units
    glm::ivec3 first{0};  ///< the lowest point, in spacings
    glm::ivec3 size{0};   ///< points along each axis

    /// Around a mesh whose longest side has `cells`, with `margin` points more on each side.
    static Lattice around(const Mesh& mesh, int cells, int margin);

    std::size_t count() const {
        return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
               static_cast<std::size_t>(size.z);
    }
    std::size_t index(glm::ivec3 at) const {
        return (static_cast<std::size_t>(at.x) * static_cast<std::size_t>(size.y) +
                static_cast<std::size_t>(at.y)) *
                   static_cast<std::size_t>(size.z) +
               static_cast<std::size_t>(at.z);
    }
    glm::dvec3 place(glm::ivec3 at) const { return spacing * glm::dvec3(first + at); }
};

/// The value at a place, linear between the lattice's points; `outside` beyond them.
float interpolated(const Lattice& lattice, std::span<const float> values, glm::dvec3 place,
                   float outside);

/// Signed distance to a closed mesh at each point, below 0 inside, between −`most` and `most`.
/// Inside is where the surface winds around a point; folds and overlaps do no harm. The same with
/// any number of threads. Throws Cancelled.
std::vector<float> signedDistance(const Lattice& lattice, const Mesh& mesh, float most, int threads,
                                  const std::stop_token& cancel);

}  // namespace threefold::stereo
