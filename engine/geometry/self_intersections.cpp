#include "engine/geometry/self_intersections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "engine/bounding_box.h"
#include "engine/geometry/exact_orientation.h"

namespace threefold {
namespace {

using Corners = std::array<glm::vec3, 3>;

Corners cornersOf(std::span<const glm::vec3> vertices, const glm::u32vec3& face) {
    return {vertices[face.x], vertices[face.y], vertices[face.z]};
}

glm::vec2 dropAxis(glm::vec3 point, int axis) {
    return {point[(axis + 1) % 3], point[(axis + 2) % 3]};
}

/// Axis (0…2) along which the face can be projected without losing its area; 3 for a face without
/// area.
int projectionAxisOf(const Corners& face) {
    int axis = 0;
    while (axis < 3 && orientation(dropAxis(face[0], axis), dropAxis(face[1], axis),
                                   dropAxis(face[2], axis)) == 0)
        ++axis;
    return axis;
}

/// Whether a face and a segment pq in its plane meet: no line of an edge or of pq separates them.
bool meetsInPlane(const Corners& face, glm::vec3 p, glm::vec3 q) {
    const int axis = projectionAxisOf(face);
    std::array<glm::vec2, 3> corner;
    for (std::size_t i = 0; i < 3; ++i) corner[i] = dropAxis(face[i], axis);
    const glm::vec2 from = dropAxis(p, axis);
    const glm::vec2 to = dropAxis(q, axis);
    const int inside = orientation(corner[0], corner[1], corner[2]);
    std::array<int, 3> sides;
    for (std::size_t i = 0; i < 3; ++i) {
        const glm::vec2 next = corner[(i + 1) % 3];
        if (orientation(corner[i], next, from) == -inside &&
            orientation(corner[i], next, to) == -inside)
            return false;
        sides[i] = orientation(from, to, corner[i]);
    }
    return sides[0] == 0 || sides[1] != sides[0] || sides[2] != sides[0];
}

/// Whether the segment pq meets a face. `sideOfP`, `sideOfQ`: sides of the face's plane on which p
/// and q lie.
bool meets(const Corners& face, glm::vec3 p, glm::vec3 q, int sideOfP, int sideOfQ) {
    if (sideOfP == sideOfQ) return sideOfP == 0 && meetsInPlane(face, p, q);
    const int first = orientation(p, q, face[0], face[1]);
    const int second = orientation(p, q, face[1], face[2]);
    if (first * second < 0) return false;
    const int third = orientation(p, q, face[2], face[0]);
    return third * first >= 0 && third * second >= 0;
}

using Sides = std::array<int, 3>;

/// Side of the face's plane for each corner of another face; 0 for the common corner, if any.
Sides sidesOf(const Corners& face, const Corners& other, int common) {
    Sides side{};
    for (int i = 0; i < 3; ++i)
        if (i != common) side[i] = orientation(face[0], face[1], face[2], other[i]);
    return side;
}

/// Whether all corners except the common one are strictly on one side of the plane, so that the
/// faces have no other common point.
bool isBeside(const Sides& side, int common) {
    const int a = common == 0 ? 1 : 0;
    const int b = common == 2 ? 1 : 2;
    return side[a] != 0 && side[a] == side[b] && (common >= 0 || side[1] == side[0]);
}

/// Whether an edge of `other` meets `face`. With a common vertex, only the opposite edge is tested:
/// any other intersection reaches the opposite edge of one of the two faces.
bool edgesMeet(const Corners& face, const Corners& other, const Sides& side, int common) {
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        if (common >= 0 && (i == common || j == common)) continue;
        if (meets(face, other[i], other[j], side[i], side[j])) return true;
    }
    return false;
}

struct Common {
    int count = 0;
    int first = -1, second = -1;  ///< corner of each face, if there is one common vertex
};

Common commonVertices(const glm::u32vec3& first, const glm::u32vec3& second) {
    Common common;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (first[i] == second[j]) common = {common.count + 1, i, j};
    return common;
}

bool intersect(std::span<const glm::vec3> vertices, const glm::u32vec3& first,
               const glm::u32vec3& second) {
    const Common common = commonVertices(first, second);
    if (common.count > 1) return false;
    const Corners a = cornersOf(vertices, first);
    const Corners b = cornersOf(vertices, second);
    const Sides ofB = sidesOf(a, b, common.second);
    if (isBeside(ofB, common.second)) return false;
    const Sides ofA = sidesOf(b, a, common.first);
    if (isBeside(ofA, common.first)) return false;
    return edgesMeet(a, b, ofB, common.second) || edgesMeet(b, a, ofA, common.first);
}

struct FaceBox {
    Box3f box;
    std::uint32_t face;
};

/// Boxes of the faces with an area, ordered by minimum x.
std::vector<FaceBox> boxesOf(std::span<const glm::vec3> vertices,
                             std::span<const glm::u32vec3> faces) {
    std::vector<FaceBox> boxes;
    boxes.reserve(faces.size());
    for (std::uint32_t i = 0; i < faces.size(); ++i) {
        const Corners face = cornersOf(vertices, faces[i]);
        if (projectionAxisOf(face) == 3) continue;
        boxes.push_back({boundsOf(face), i});
    }
    std::sort(boxes.begin(), boxes.end(), [](const FaceBox& a, const FaceBox& b) {
        return a.box.min.x < b.box.min.x || (a.box.min.x == b.box.min.x && a.face < b.face);
    });
    return boxes;
}

/// Strips of equal width along y.
class Strips {
  public:
    static constexpr std::size_t kCount = 64;

    explicit Strips(const std::vector<FaceBox>& boxes) {
        for (const FaceBox& each : boxes) {
            low_ = std::min(low_, static_cast<double>(each.box.min.y));
            high_ = std::max(high_, static_cast<double>(each.box.max.y));
        }
    }
    std::size_t at(float y) const {
        const double strip = (y - low_) / (high_ - low_) * kCount;
        return strip > 0 ? std::min(static_cast<std::size_t>(strip), kCount - 1) : 0;
    }

  private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

/// Calls `visit` once for each pair of overlapping boxes: a sweep along x in each strip.
void visitPairs(const std::vector<FaceBox>& boxes, const auto& visit) {
    const Strips strips(boxes);
    std::array<std::vector<FaceBox>, Strips::kCount> within;
    for (const FaceBox& each : boxes) {
        const std::size_t last = strips.at(each.box.max.y);
        for (std::size_t i = strips.at(each.box.min.y); i <= last; ++i) within[i].push_back(each);
    }
    for (std::size_t strip = 0; strip < within.size(); ++strip) {
        const std::vector<FaceBox>& stripBoxes = within[strip];
        for (auto a = stripBoxes.begin(); a != stripBoxes.end(); ++a)
            for (auto b = a + 1; b != stripBoxes.end() && b->box.min.x <= a->box.max.x; ++b) {
                const float overlapLow = std::max(a->box.min.y, b->box.min.y);
                if (overlapLow > std::min(a->box.max.y, b->box.max.y) ||
                    b->box.min.z > a->box.max.z || a->box.min.z > b->box.max.z)
                    continue;
                if (strips.at(overlapLow) == strip) visit(a->face, b->face);
            }
    }
}

}  // namespace

std::vector<std::uint32_t> intersectingFaces(std::span<const glm::vec3> vertices,
                                             std::span<const glm::u32vec3> faces) {
    std::vector<char> intersects(faces.size(), 0);
    visitPairs(boxesOf(vertices, faces), [&](std::uint32_t a, std::uint32_t b) {
        if (intersects[a] != 0 && intersects[b] != 0) return;
        if (intersect(vertices, faces[a], faces[b])) intersects[a] = intersects[b] = 1;
    });
    std::vector<std::uint32_t> cutFaces;
    for (std::uint32_t i = 0; i < faces.size(); ++i)
        if (intersects[i] != 0) cutFaces.push_back(i);
    return cutFaces;
}

}  // namespace threefold
