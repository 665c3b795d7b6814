#include "engine/stereo/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"

namespace threefold::stereo {
namespace {

/// Squared distance of a point to a triangle (Ericson, Real-Time Collision Detection, 5.1.5).
float squaredDistance(glm::vec3 point, glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    const glm::vec3 ab = b - a;
    const glm::vec3 ac = c - a;
    const auto squared = [&](glm::vec3 nearest) {
        const glm::vec3 away = point - nearest;
        return glm::dot(away, away);
    };
    const float d1 = glm::dot(ab, point - a);
    const float d2 = glm::dot(ac, point - a);
    if (d1 <= 0 && d2 <= 0) return squared(a);
    const float d3 = glm::dot(ab, point - b);
    const float d4 = glm::dot(ac, point - b);
    if (d3 >= 0 && d4 <= d3) return squared(b);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return squared(a + d1 / (d1 - d3) * ab);
    const float d5 = glm::dot(ab, point - c);
    const float d6 = glm::dot(ac, point - c);
    if (d6 >= 0 && d5 <= d6) return squared(c);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return squared(a + d2 / (d2 - d6) * ac);
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return squared(b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b));
    const float sum = va + vb + vc;
    if (!(sum > 0)) return squared(a);  // degenerate
    return squared(a + (vb / sum) * ab + (vc / sum) * ac);
}

struct Crossing {
    float z;
    int sign;  // +1 where a ray along +z leaves the mesh, −1 where the ray enters
};

class MeshDistanceField {
  public:
    MeshDistanceField(const VoxelGrid& grid, const Mesh& mesh, float maxDistance)
        : grid_(grid), mesh_(mesh), maxDistance_(maxDistance), values_(grid.count(), maxDistance) {
        // For each plane x = …, the faces no farther away than the maximum distance.
        facesNear_.resize(static_cast<std::size_t>(grid.size.x));
        for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
            const auto [low, high] = boxOf(mesh.faces[i]);
            const int first = std::max(0, pointIndex(low.x - maxDistance, 0, true));
            const int last = std::min(grid.size.x - 1, pointIndex(high.x + maxDistance, 0, false));
            for (int x = first; x <= last; ++x)
                facesNear_[static_cast<std::size_t>(x)].push_back(i);
        }
    }

    std::vector<float> run(int threads, const std::stop_token& cancel) {
        parallelFor(threads, facesNear_.size(), cancel,
                    [&](std::size_t x, std::size_t /*thread*/) { fillSlice(int(x)); });
        return std::move(values_);
    }

  private:
    std::pair<glm::vec3, glm::vec3> boxOf(const glm::u32vec3& face) const {
        const glm::vec3 a = mesh_.vertices[face.x];
        const glm::vec3 b = mesh_.vertices[face.y];
        const glm::vec3 c = mesh_.vertices[face.z];
        return {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))};
    }

    /// Index of the first grid point that is not below the coordinate if `notBelow`, else of the
    /// last grid point that is not above the coordinate.
    int pointIndex(float coordinate, int axis, bool notBelow) const {
        const double index = coordinate / grid_.spacing - grid_.first[axis];
        return static_cast<int>(notBelow ? std::ceil(index) : std::floor(index));
    }

    /// Fills a plane x = …, which no other thread writes.
    void fillSlice(int x) {
        std::vector<std::vector<Crossing>> crossings(static_cast<std::size_t>(grid_.size.y));
        for (const std::size_t i : facesNear_[static_cast<std::size_t>(x)]) {
            const glm::u32vec3& face = mesh_.faces[i];
            addDistances(face, x);
            addCrossings(face, x, crossings);
        }
        for (int y = 0; y < grid_.size.y; ++y)
            applySigns(x, y, crossings[static_cast<std::size_t>(y)]);
    }

    /// Lowers the unsigned distances of a plane's points to their distances from one face, where
    /// these are smaller.
    void addDistances(const glm::u32vec3& face, int x) {
        const glm::vec3 a = mesh_.vertices[face.x];
        const glm::vec3 b = mesh_.vertices[face.y];
        const glm::vec3 c = mesh_.vertices[face.z];
        const auto [low, high] = boxOf(face);
        const int firstY = std::max(0, pointIndex(low.y - maxDistance_, 1, true));
        const int lastY = std::min(grid_.size.y - 1, pointIndex(high.y + maxDistance_, 1, false));
        const int firstZ = std::max(0, pointIndex(low.z - maxDistance_, 2, true));
        const int lastZ = std::min(grid_.size.z - 1, pointIndex(high.z + maxDistance_, 2, false));
        for (int y = firstY; y <= lastY; ++y)
            for (int z = firstZ; z <= lastZ; ++z) {
                float& value = values_[grid_.index({x, y, z})];
                const glm::vec3 point(grid_.position({x, y, z}));
                // The distance to the face's box rules out most faces without their exact distance.
                const glm::vec3 away = glm::max(glm::max(low - point, point - high), glm::vec3(0));
                if (glm::dot(away, away) >= value * value) continue;
                value = std::min(value, std::sqrt(squaredDistance(point, a, b, c)));
            }
    }

    /// Finds crossings of the face with the lines along z through a plane's points. Lines are
    /// shifted slightly so that none meets an edge with round coordinates.
    void addCrossings(const glm::u32vec3& face, int x,
                      std::vector<std::vector<Crossing>>& crossings) const {
        constexpr double kShift = 1e-4;
        const glm::dvec3 a(mesh_.vertices[face.x]);
        const glm::dvec3 b(mesh_.vertices[face.y]);
        const glm::dvec3 c(mesh_.vertices[face.z]);
        const double lineX = grid_.spacing * (grid_.first.x + x + kShift);
        const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if (area == 0) return;
        const auto [low, high] = boxOf(face);
        const int firstY = std::max(0, pointIndex(low.y, 1, true) - 1);
        const int lastY = std::min(grid_.size.y - 1, pointIndex(high.y, 1, false) + 1);
        for (int y = firstY; y <= lastY; ++y) {
            const double lineY = grid_.spacing * (grid_.first.y + y + 1.7 * kShift);
            const auto side = [&](const glm::dvec3& p, const glm::dvec3& q) {
                return (q.x - p.x) * (lineY - p.y) - (lineX - p.x) * (q.y - p.y);
            };
            const double ofC = side(a, b) / area;
            const double ofA = side(b, c) / area;
            const double ofB = 1 - ofA - ofC;
            if (ofA < 0 || ofB < 0 || ofC < 0) continue;
            crossings[static_cast<std::size_t>(y)].push_back(
                {static_cast<float>(ofA * a.z + ofB * b.z + ofC * c.z), area > 0 ? 1 : -1});
        }
    }

    void applySigns(int x, int y, std::vector<Crossing>& crossings) {
        std::ranges::sort(crossings, {}, &Crossing::z);
        int winding = 0;
        std::size_t next = 0;
        for (int z = 0; z < grid_.size.z; ++z) {
            const glm::ivec3 point(x, y, z);
            const auto height = static_cast<float>(grid_.position(point).z);
            // A ray along +z enters where the face looks down.
            for (; next < crossings.size() && crossings[next].z < height; ++next)
                winding -= crossings[next].sign;
            if (winding > 0) values_[grid_.index(point)] *= -1;
        }
    }

    const VoxelGrid& grid_;
    const Mesh& mesh_;
    float maxDistance_;
    std::vector<float> values_;
    std::vector<std::vector<std::size_t>> facesNear_;
};

}  // namespace

std::vector<float> signedDistance(const VoxelGrid& grid, const Mesh& mesh, float maxDistance,
                                  int threads, const std::stop_token& cancel) {
    return MeshDistanceField(grid, mesh, maxDistance).run(threads, cancel);
}

}  // namespace threefold::stereo
