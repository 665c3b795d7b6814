#include "engine/metrics/self_intersections.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <glm/common.hpp>

namespace threefold {
namespace {

using Corners = std::array<glm::vec3, 3>;

Corners cornersOf(const Points& vertices, const glm::u32vec3& face) {
    return {vertices[face.x], vertices[face.y], vertices[face.z]};
}

glm::vec2 without(glm::vec3 point, int axis) {
    return {point[(axis + 1) % 3], point[(axis + 2) % 3]};
}

/// The direction to project a face along without losing its area, 0…2; 3 where it has none.
int projectionOf(const Corners& face) {
    int axis = 0;
    while (axis < 3 &&
           orientation(without(face[0], axis), without(face[1], axis), without(face[2], axis)) == 0)
        ++axis;
    return axis;
}

/// Of a face and the segment pq in its plane: no edge's line, nor pq's, has them on two sides.
bool meetsInPlane(const Corners& face, glm::vec3 p, glm::vec3 q) {
    const int axis = projectionOf(face);
    std::array<glm::vec2, 3> corner;
    for (std::size_t i = 0; i < 3; ++i) corner[i] = without(face[i], axis);
    const glm::vec2 from = without(p, axis);
    const glm::vec2 to = without(q, axis);
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

/// Whether the segment pq meets a face; on which side of its plane p and q are is known.
bool meets(const Corners& face, glm::vec3 p, glm::vec3 q, int sideOfP, int sideOfQ) {
    if (sideOfP == sideOfQ) return sideOfP == 0 && meetsInPlane(face, p, q);
    const int first = orientation(p, q, face[0], face[1]);
    const int second = orientation(p, q, face[1], face[2]);
    if (first * second < 0) return false;
    const int third = orientation(p, q, face[2], face[0]);
    return third * first >= 0 && third * second >= 0;
}

using Sides = std::array<int, 3>;

/// On which side of a face's plane another's corners lie; `common` ≥ 0 lies in it.
Sides sidesOf(const Corners& face, const Corners& other, int common) {
    Sides side{};
    for (int i = 0; i < 3; ++i)
        if (i != common) side[i] = orientation(face[0], face[1], face[2], other[i]);
    return side;
}

/// All corners but the common one are strictly on one side: there is no other common point.
bool isBeside(const Sides& side, int common) {
    const int a = common == 0 ? 1 : 0;
    const int b = common == 2 ? 1 : 2;
    return side[a] != 0 && side[a] == side[b] && (common >= 0 || side[1] == side[0]);
}

/// Whether an edge of `other` meets `face`. With a common vertex only the edge beyond it can: what
/// meets elsewhere reaches this edge or that of the other face.
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
    int first = -1, second = -1;  ///< the corner of each that it is, where it is one
};

Common commonVertices(const glm::u32vec3& first, const glm::u32vec3& second) {
    Common common;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (first[i] == second[j]) common = {common.count + 1, i, j};
    return common;
}

bool intersect(const Points& vertices, const glm::u32vec3& first, const glm::u32vec3& second) {
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
    glm::vec3 least, most;
    std::uint32_t face;
};

/// Of the faces that have an area, in the order of their least x.
std::vector<FaceBox> boxesOf(const Points& vertices, const Faces& faces) {
    std::vector<FaceBox> boxes;
    boxes.reserve(faces.size());
    for (std::uint32_t i = 0; i < faces.size(); ++i) {
        const Corners face = cornersOf(vertices, faces[i]);
        if (projectionOf(face) == 3) continue;
        boxes.push_back({glm::min(glm::min(face[0], face[1]), face[2]),
                         glm::max(glm::max(face[0], face[1]), face[2]), i});
    }
    std::sort(boxes.begin(), boxes.end(), [](const FaceBox& a, const FaceBox& b) {
        return a.least.x < b.least.x || (a.least.x == b.least.x && a.face < b.face);
    });
    return boxes;
}

/// Strips of equal width across y.
class Strips {
  public:
    static constexpr std::size_t kCount = 64;

    explicit Strips(const std::vector<FaceBox>& boxes) {
        for (const FaceBox& box : boxes) {
            least_ = std::min(least_, static_cast<double>(box.least.y));
            most_ = std::max(most_, static_cast<double>(box.most.y));
        }
    }
    std::size_t at(float y) const {
        const double share = (y - least_) / (most_ - least_) * kCount;
        return share > 0 ? std::min(static_cast<std::size_t>(share), kCount - 1) : 0;
    }

  private:
    double least_ = std::numeric_limits<double>::infinity();
    double most_ = -std::numeric_limits<double>::infinity();
};

/// Calls `visit` once for each two boxes that meet: a sweep along x in each strip.
void visitPairs(const std::vector<FaceBox>& boxes, const auto& visit) {
    const Strips strips(boxes);
    std::array<std::vector<FaceBox>, Strips::kCount> within;
    for (const FaceBox& box : boxes) {
        const std::size_t last = strips.at(box.most.y);
        for (std::size_t i = strips.at(box.least.y); i <= last; ++i) within[i].push_back(box);
    }
    for (std::size_t strip = 0; strip < within.size(); ++strip) {
        const std::vector<FaceBox>& all = within[strip];
        for (auto a = all.begin(); a != all.end(); ++a)
            for (auto b = a + 1; b != all.end() && b->least.x <= a->most.x; ++b) {
                const float least = std::max(a->least.y, b->least.y);
                if (least > std::min(a->most.y, b->most.y) || b->least.z > a->most.z ||
                    a->least.z > b->most.z)
                    continue;
                if (strips.at(least) == strip) visit(a->face, b->face);
            }
    }
}

}  // namespace

std::vector<std::uint32_t> intersectingFaces(const Points& vertices, const Faces& faces) {
    std::vector<char> isCut(faces.size(), 0);
    visitPairs(boxesOf(vertices, faces), [&](std::uint32_t a, std::uint32_t b) {
        if (isCut[a] != 0 && isCut[b] != 0) return;
        if (intersect(vertices, faces[a], faces[b])) isCut[a] = isCut[b] = 1;
    });
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < faces.size(); ++i)
        if (isCut[i] != 0) found.push_back(i);
    return found;
}

}  // namespace threefold
