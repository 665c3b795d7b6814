#pragma once

#include <span>
#include <stop_token>

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

namespace threefold {

/// p → scale · rotation · (p − from) + to.
struct Alignment {
    glm::dmat3 rotation{1.0};
    double scale = 1;
    glm::dvec3 from{0.0}, to{0.0};

    glm::dvec3 operator()(glm::dvec3 point) const {
        return scale * (rotation * (point - from)) + to;
    }
    double degrees() const;  ///< by which it turns, 0…180
};

/// Whether a cloud stands where another one does: boxes whose diagonals differ by less than a third
/// and whose middles are less than a quarter of a diagonal apart. Neither may be empty.
bool inPlace(std::span<const glm::vec3> points, std::span<const glm::vec3> target);

/// The similarity that lays `points` upon `target`, both evenly on a surface: iterated closest
/// points in both directions (Besl and McKay 1992; the rotation after Horn 1987), from as large and
/// in the same middle. From the 24 turns by right angles only where one ends nearer by a fifth than
/// without a turn: symmetric objects stay. Of each cloud 2 000 points, evenly chosen. Takes about
/// half a second. Throws InputError (fewer than three points, all in one place, not finite) and
/// Cancelled.
Alignment alignTo(std::span<const glm::vec3> points, std::span<const glm::vec3> target,
                  const std::stop_token& cancel = {});

}  // namespace threefold
