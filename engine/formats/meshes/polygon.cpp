#include <algorithm>
#include <array>
#include <vector>

#include <glm/vec2.hpp>

#include "engine/formats/meshes/mesh_readers.h"

namespace threefold {
namespace {

/// Maximum number of corners for ear clipping, whose time grows with the square of this number, or
/// faster in hostile files.
constexpr std::size_t kMaxEarCorners = 128;

double cross(glm::dvec2 a, glm::dvec2 b) {
    return a.x * b.y - a.y * b.x;
}

/// Projects the polygon along its dominant normal axis; the result is counter-clockwise.
std::vector<glm::dvec2> flattened(std::span<const std::uint32_t> corners, const Points& points) {
    glm::dvec3 normal(0.0);  // Newell's normal: valid for concave and slightly bent polygons, too
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const glm::dvec3 a = points[corners[i]];
        const glm::dvec3 b = points[corners[(i + 1) % corners.size()]];
        normal += glm::dvec3((a.y - b.y) * (a.z + b.z), (a.z - b.z) * (a.x + b.x),
                             (a.x - b.x) * (a.y + b.y));
    }
    const glm::dvec3 magnitude = glm::abs(normal);
    const int droppedAxis = magnitude.x > magnitude.y ? (magnitude.x > magnitude.z ? 0 : 2)
                                                      : (magnitude.y > magnitude.z ? 1 : 2);
    const int first = (droppedAxis + 1) % 3;
    const int second = (droppedAxis + 2) % 3;
    const double sign = normal[droppedAxis] < 0 ? -1 : 1;
    std::vector<glm::dvec2> flat;
    flat.reserve(corners.size());
    for (const std::uint32_t corner : corners)
        flat.emplace_back(points[corner][first] * sign, points[corner][second]);
    return flat;
}

bool isConvex(std::span<const glm::dvec2> flat) {
    const std::size_t count = flat.size();
    for (std::size_t i = 0; i < count; ++i) {
        const glm::dvec2 along = flat[(i + 1) % count] - flat[i];
        if (cross(along, flat[(i + 2) % count] - flat[(i + 1) % count]) < 0) return false;
    }
    return true;
}

bool contains(const std::array<glm::dvec2, 3>& triangle, glm::dvec2 point) {
    for (std::size_t i = 0; i < 3; ++i)
        if (cross(triangle[(i + 1) % 3] - triangle[i], point - triangle[i]) < 0) return false;
    return true;
}

class TriangleSink {
  public:
    TriangleSink(LoadedMesh& mesh, std::span<const std::uint32_t> corners,
                 std::vector<std::uint32_t>* cornerIndices)
        : mesh_(mesh), corners_(corners), cornerIndices_(cornerIndices) {}

    void add(std::size_t a, std::size_t b, std::size_t c) {
        if (!addTriangle(mesh_, {corners_[a], corners_[b], corners_[c]}) ||
            cornerIndices_ == nullptr)
            return;
        for (const std::size_t corner : {a, b, c})
            cornerIndices_->push_back(static_cast<std::uint32_t>(corner));
    }
    void fan(std::span<const std::size_t> ring) {
        for (std::size_t i = 1; i + 1 < ring.size(); ++i) add(ring[0], ring[i], ring[i + 1]);
    }

  private:
    LoadedMesh& mesh_;
    std::span<const std::uint32_t> corners_;
    std::vector<std::uint32_t>* cornerIndices_;
};

bool isEar(std::span<const std::size_t> ring, std::size_t ear, std::span<const glm::dvec2> flat) {
    const std::size_t count = ring.size();
    const std::size_t before = ring[(ear + count - 1) % count];
    const std::size_t after = ring[(ear + 1) % count];
    const std::array triangle{flat[before], flat[ring[ear]], flat[after]};
    if (cross(triangle[1] - triangle[0], triangle[2] - triangle[1]) <= 0) return false;
    return std::ranges::none_of(ring, [&](std::size_t corner) {
        const bool isOwnCorner = flat[corner] == triangle[0] || flat[corner] == triangle[1] ||
                                 flat[corner] == triangle[2];
        return !isOwnCorner && contains(triangle, flat[corner]);
    });
}

void cutEars(std::span<const glm::dvec2> flat, TriangleSink& triangles) {
    std::vector<std::size_t> ring(flat.size());
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = i;
    while (ring.size() > 3) {
        std::size_t ear = 0;
        while (ear < ring.size() && !isEar(ring, ear, flat)) ++ear;
        if (ear == ring.size()) break;  // the polygon crosses itself: no triangulation is correct
        const std::size_t count = ring.size();
        triangles.add(ring[(ear + count - 1) % count], ring[ear], ring[(ear + 1) % count]);
        ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.fan(ring);
}

}  // namespace

bool addTriangle(LoadedMesh& mesh, const glm::u32vec3& face) {
    if (face.x == face.y || face.y == face.z || face.z == face.x) {
        ++mesh.unreadContent["triangles without area"];
        return false;
    }
    reserveGrowing(mesh.faces, 1);
    mesh.faces.push_back(face);
    return true;
}

void addPolygon(LoadedMesh& mesh, std::span<const std::uint32_t> corners,
                std::vector<std::uint32_t>* cornerIndices) {
    TriangleSink triangles(mesh, corners, cornerIndices);
    const Points& points = mesh.vertices;
    const bool canClipEars =
        corners.size() > 3 && corners.size() <= kMaxEarCorners &&
        std::ranges::all_of(corners, [&](std::uint32_t corner) { return corner < points.size(); });
    if (canClipEars) {
        const std::vector<glm::dvec2> flat = flattened(corners, points);
        if (!isConvex(flat)) return cutEars(flat, triangles);
    }
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) triangles.add(0, i, i + 1);
}

}  // namespace threefold
