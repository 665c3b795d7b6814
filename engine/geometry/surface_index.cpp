#include "engine/geometry/surface_index.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace threefold {
namespace {

using TriangleCorners = std::array<glm::dvec3, 3>;

/// Kind of feature of a triangle on which the closest point lies.
enum class Feature { corner, edge, inside };

struct ClosestPoint {
    glm::dvec3 point{0.0};
    Feature feature = Feature::inside;
    int corner = 0;  ///< index of the corner, or of the corner where the edge begins
};

/// Point of segment ab nearest to p, and the feature on which it lies: 0 for a, 1 for b, 2 for a
/// point between them.
std::pair<glm::dvec3, int> closestOnSegment(const glm::dvec3& p, const glm::dvec3& a,
                                            const glm::dvec3& b) {
    const glm::dvec3 along = b - a;
    const double length = glm::dot(along, along);
    const double t = length > 0 ? glm::dot(p - a, along) / length : 0.0;
    if (!(t > 0)) return {a, 0};
    if (t >= 1) return {b, 1};
    return {a + t * along, 2};
}

ClosestPoint closestOn(const TriangleCorners& corners, const glm::dvec3& p) {
    const auto& [a, b, c] = corners;
    const glm::dvec3 normal = glm::cross(b - a, c - a);
    const double area = glm::dot(normal, normal);
    const auto isWithin = [&](const glm::dvec3& from, const glm::dvec3& to) {
        return glm::dot(glm::cross(to - from, p - from), normal) > 0;
    };
    if (area > 0 && isWithin(a, b) && isWithin(b, c) && isWithin(c, a))
        return {p - glm::dot(p - a, normal) / area * normal};
    ClosestPoint closest;
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
        const int next = (i + 1) % 3;
        const auto [point, end] = closestOnSegment(p, corners[static_cast<std::size_t>(i)],
                                                   corners[static_cast<std::size_t>(next)]);
        const glm::dvec3 apart = p - point;
        const double distance = glm::dot(apart, apart);
        if (distance >= nearest) continue;
        nearest = distance;
        closest = {point, end == 2 ? Feature::edge : Feature::corner, end == 1 ? next : i};
    }
    return closest;
}

}  // namespace

/// Bounding volume hierarchy: each node has a box around its faces, half of which go to each child.
class SurfaceIndex::Tree {
  public:
    Tree(std::span<const glm::vec3> vertices, std::span<const glm::u32vec3> faces) {
        corners_.reserve(faces.size());
        faces_.assign(faces.begin(), faces.end());
        for (const glm::u32vec3& face : faces)
            corners_.push_back({glm::dvec3(vertices[face.x]), glm::dvec3(vertices[face.y]),
                                glm::dvec3(vertices[face.z])});
        order_.resize(faces.size());
        for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
        nodes_.reserve(2 * faces.size() / kLeafFaces + 1);
        build(0, order_.size());
        vertices_.assign(vertices.begin(), vertices.end());
    }

    struct NearestFace {
        double squared = std::numeric_limits<double>::infinity();
        std::uint32_t face = 0;
        ClosestPoint closest;
    };

    /// Nearest face within a distance whose square is `squared`. NearestFace::squared is infinite
    /// if there is none.
    NearestFace nearest(const glm::dvec3& point,
                        double squared = std::numeric_limits<double>::infinity()) const {
        constexpr double kNone = std::numeric_limits<double>::infinity();
        const double bound = std::nextafter(squared, kNone);
        NearestFace hit{bound, 0, {}};
        search(0, point, hit);
        if (hit.squared == bound) hit.squared = kNone;
        return hit;
    }

    /// Normal of the nearest feature, not normalised.
    glm::dvec3 normalAt(const NearestFace& hit) const {
        std::call_once(sumOnce_, [this] { sumNormals(); });
        const glm::u32vec3& face = faces_[hit.face];
        const auto& [point, feature, corner] = hit.closest;
        if (feature == Feature::inside) return faceNormal(hit.face);
        if (feature == Feature::corner) return vertexNormals_[welded_[face[corner]]];
        return edgeNormals_.at(edgeOf(face[corner], face[(corner + 1) % 3]));
    }

  private:
    static constexpr std::size_t kLeafFaces = 4;
    struct Node {
        Box3d box;
        std::size_t begin = 0, end = 0;  ///< range of a leaf's faces in order_
        /// Index of the second child; the first is the next node. 0: the node is a leaf.
        std::size_t right = 0;
    };
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    std::size_t build(std::size_t begin, std::size_t end) {
        const std::size_t index = nodes_.size();
        nodes_.emplace_back();
        Box3d box;
        Box3d centres;
        for (std::size_t i = begin; i < end; ++i) {
            for (const glm::dvec3& corner : corners_[order_[i]]) box.include(corner);
            centres.include(centreOf(order_[i]));
        }
        nodes_[index].box = box;
        if (end - begin <= kLeafFaces) {
            nodes_[index].begin = begin;
            nodes_[index].end = end;
            return index;
        }
        const glm::dvec3 size = centres.max - centres.min;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const std::size_t middle = begin + (end - begin) / 2;
        const auto at = [&](std::size_t i) {
            return order_.begin() + static_cast<std::ptrdiff_t>(i);
        };
        std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
            return centreOf(a)[axis] < centreOf(b)[axis];
        });
        build(begin, middle);
        const std::size_t right = build(middle, end);
        nodes_[index].right = right;
        return index;
    }

    void search(std::size_t index, const glm::dvec3& point, NearestFace& hit) const {
        const Node& node = nodes_[index];
        if (node.right == 0) {
            for (std::size_t i = node.begin; i < node.end; ++i) {
                const ClosestPoint closest = closestOn(corners_[order_[i]], point);
                const glm::dvec3 apart = point - closest.point;
                const double squared = glm::dot(apart, apart);
                if (squared < hit.squared) hit = {squared, order_[i], closest};
            }
            return;
        }
        std::size_t first = index + 1;
        std::size_t second = node.right;
        double firstDistance = nodes_[first].box.squaredDistanceTo(point);
        double secondDistance = nodes_[second].box.squaredDistanceTo(point);
        if (secondDistance < firstDistance) {
            std::swap(first, second);
            std::swap(firstDistance, secondDistance);
        }
        if (firstDistance < hit.squared) search(first, point, hit);
        if (secondDistance < hit.squared) search(second, point, hit);
    }

    glm::dvec3 centreOf(std::uint32_t face) const {
        const auto& [a, b, c] = corners_[face];
        return (a + b + c) / 3.0;
    }

    glm::dvec3 faceNormal(std::uint32_t face) const {
        const auto& [a, b, c] = corners_[face];
        const glm::dvec3 normal = glm::cross(b - a, c - a);
        const double length = glm::length(normal);
        return length > 0 ? normal / length : glm::dvec3(0.0);
    }

    Edge edgeOf(std::uint32_t a, std::uint32_t b) const {
        return std::minmax({welded_[a], welded_[b]});
    }

    // Sums the normals of vertices and edges, which only signed distances need.
    void sumNormals() const {
        std::map<std::tuple<float, float, float>, std::uint32_t> known;
        welded_.reserve(vertices_.size());
        for (const glm::vec3& vertex : vertices_)
            welded_.push_back(known
                                  .try_emplace({vertex.x, vertex.y, vertex.z},
                                               static_cast<std::uint32_t>(known.size()))
                                  .first->second);
        vertexNormals_.resize(known.size(), glm::dvec3(0.0));
        for (std::uint32_t face = 0; face < corners_.size(); ++face) {
            const glm::dvec3 normal = faceNormal(face);
            const TriangleCorners& corners = corners_[face];
            for (int i = 0; i < 3; ++i) {
                const auto at = [&](int corner) {
                    return corners[static_cast<std::size_t>(corner % 3)];
                };
                const glm::dvec3 toNext = at(i + 1) - at(i);
                const glm::dvec3 toPrevious = at(i + 2) - at(i);
                const double lengths = glm::length(toNext) * glm::length(toPrevious);
                const double cosine =
                    lengths > 0 ? std::clamp(glm::dot(toNext, toPrevious) / lengths, -1.0, 1.0)
                                : 1.0;
                vertexNormals_[welded_[faces_[face][i]]] += std::acos(cosine) * normal;
                edgeNormals_[edgeOf(faces_[face][i], faces_[face][(i + 1) % 3])] += normal;
            }
        }
    }

    std::vector<TriangleCorners> corners_;
    Faces faces_;
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
    Points vertices_;
    mutable std::once_flag sumOnce_;
    mutable std::vector<std::uint32_t> welded_;
    mutable std::vector<glm::dvec3> vertexNormals_;
    mutable std::map<Edge, glm::dvec3> edgeNormals_;
};

SurfaceIndex::SurfaceIndex(std::span<const glm::vec3> vertices, std::span<const glm::u32vec3> faces)
    : tree_(std::make_shared<const Tree>(vertices, faces)) {}

std::vector<double> SurfaceIndex::distances(std::span<const glm::vec3> points) const {
    std::vector<double> found;
    found.reserve(points.size());
    for (const glm::vec3& point : points)
        found.push_back(std::sqrt(tree_->nearest(glm::dvec3(point)).squared));
    return found;
}

std::vector<bool> SurfaceIndex::within(std::span<const glm::vec3> points, double distance) const {
    const double squared = distance * distance;
    std::vector<bool> found;
    found.reserve(points.size());
    for (const glm::vec3& point : points)
        found.push_back(tree_->nearest(glm::dvec3(point), squared).squared <= squared);
    return found;
}

std::vector<double> SurfaceIndex::signedDistances(std::span<const glm::vec3> points) const {
    std::vector<double> found;
    found.reserve(points.size());
    for (const glm::vec3& point : points) {
        const Tree::NearestFace hit = tree_->nearest(glm::dvec3(point));
        const double distance = std::sqrt(hit.squared);
        const bool isInside =
            glm::dot(glm::dvec3(point) - hit.closest.point, tree_->normalAt(hit)) < 0;
        found.push_back(isInside ? -distance : distance);
    }
    return found;
}

}  // namespace threefold
