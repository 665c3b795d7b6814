#include "engine/metrics/near_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace threefold {
namespace {

using Triangle = std::array<glm::dvec3, 3>;

double squaredToSegment(const glm::dvec3& point, const glm::dvec3& a, const glm::dvec3& b) {
    const glm::dvec3 along = b - a;
    const double length = glm::dot(along, along);
    const double t = length > 0 ? std::clamp(glm::dot(point - a, along) / length, 0.0, 1.0) : 0.0;
    const glm::dvec3 apart = point - (a + t * along);
    return glm::dot(apart, apart);
}

// Above the triangle the distance to its plane, elsewhere that to the nearest of its edges.
double squaredToTriangle(const glm::dvec3& point, const Triangle& triangle) {
    const glm::dvec3 normal = glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    const double area = glm::dot(normal, normal);
    bool isAbove = area > 0;
    double nearest = squaredToSegment(point, triangle[2], triangle[0]);
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::dvec3& from = triangle[i];
        const glm::dvec3& to = triangle[(i + 1) % 3];
        isAbove = isAbove && glm::dot(glm::cross(to - from, point - from), normal) >= 0;
        nearest = std::min(nearest, squaredToSegment(point, from, to));
    }
    if (!isAbove) return nearest;
    const double height = glm::dot(point - triangle[0], normal);
    return height * height / area;
}

/// Lists the triangles that may be near to the points of each cell of a lattice. Only cells that
/// hold a point are kept.
class TriangleCells {
  public:
    TriangleCells(std::span<const glm::vec3> points, double distance) : distance_(distance) {
        for (const glm::vec3& point : points) {
            const Cell at = cellOf(glm::dvec3(point));
            cells_.try_emplace(keyOf(at), Listed{at, {}});
        }
    }

    void add(const Triangle& triangle) {
        const auto index = static_cast<std::uint32_t>(triangles_.size());
        triangles_.push_back(triangle);
        // The farthest centre of a cell that the triangle is near to.
        const double reach = distance_ * (1 + std::sqrt(3.0) / 2);
        const auto list = [&](Listed& cell) {
            glm::dvec3 centre;
            for (int axis = 0; axis < 3; ++axis)
                centre[axis] =
                    (static_cast<double>(cell.at[static_cast<std::size_t>(axis)]) + 0.5) *
                    distance_;
            if (squaredToTriangle(centre, triangle) <= reach * reach)
                cell.triangles.push_back(index);
        };
        const auto& [a, b, c] = triangle;
        const Cell low = cellOf(glm::min(glm::min(a, b), c) - distance_);
        const Cell high = cellOf(glm::max(glm::max(a, b), c) + distance_);
        double count = 1;  // of the cells of the triangle's box
        for (std::size_t axis = 0; axis < 3; ++axis)
            count *= static_cast<double>(high[axis] - low[axis] + 1);
        if (count > static_cast<double>(cells_.size())) {
            for (auto& [key, cell] : cells_) list(cell);
            return;
        }
        for (Cell at = low; at[0] <= high[0]; ++at[0])
            for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
                for (at[2] = low[2]; at[2] <= high[2]; ++at[2])
                    if (const auto cell = cells_.find(keyOf(at)); cell != cells_.end())
                        list(cell->second);
    }

    bool reaches(const glm::dvec3& point) const {
        const std::vector<std::uint32_t>& near = cells_.at(keyOf(cellOf(point))).triangles;
        return std::ranges::any_of(near, [&](std::uint32_t index) {
            return squaredToTriangle(point, triangles_[index]) <= distance_ * distance_;
        });
    }

  private:
    using Cell = std::array<std::int64_t, 3>;
    struct Listed {
        Cell at;
        std::vector<std::uint32_t> triangles;
    };

    // A cell's side is the distance.
    Cell cellOf(const glm::dvec3& point) const {
        const glm::dvec3 cell = glm::floor(point / distance_);
        constexpr double kFarthest = 1 << 20;  // further cells share the border's
        Cell at;
        for (int axis = 0; axis < 3; ++axis)
            at[static_cast<std::size_t>(axis)] =
                static_cast<std::int64_t>(std::clamp(cell[axis], -kFarthest, kFarthest - 1));
        return at;
    }
    static std::uint64_t keyOf(const Cell& cell) {
        std::uint64_t key = 0;
        for (const std::int64_t index : cell)
            key = (key << 21U) | (static_cast<std::uint64_t>(index) & 0x1fffffU);
        return key;
    }

    double distance_;
    std::vector<Triangle> triangles_;
    std::unordered_map<std::uint64_t, Listed> cells_;
};

}  // namespace

std::vector<bool> nearSurface(std::span<const glm::vec3> points,
                              std::span<const glm::vec3> vertices,
                              std::span<const glm::u32vec3> faces, double distance) {
    TriangleCells cells(points, distance);
    for (const glm::u32vec3& face : faces)
        cells.add({glm::dvec3(vertices[face.x]), glm::dvec3(vertices[face.y]),
                   glm::dvec3(vertices[face.z])});
    std::vector<bool> near(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) near[i] = cells.reaches(glm::dvec3(points[i]));
    return near;
}

}  // namespace threefold
