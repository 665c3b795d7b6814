#include "engine/hull/isotropic_remesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold::hull {
namespace {

glm::vec3 areaVector(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    return glm::cross(b - a, c - a);
}

bool turnsTooFar(glm::vec3 before, glm::vec3 after) {
    constexpr float kCosine = 0.5F;
    return glm::dot(before, after) <= kCosine * glm::length(before) * glm::length(after);
}

/// Cosine of the angle at `tip`.
float cosineAt(glm::vec3 tip, glm::vec3 one, glm::vec3 other) {
    return glm::dot(glm::normalize(one - tip), glm::normalize(other - tip));
}

/// A closed, oriented, 2-manifold triangle mesh whose invariants survive edge operations. Half-edge
/// h belongs to face h / 3 and runs from from(h) to to(h), counter-clockwise around the face.
class HalfEdges {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// `mesh` must be 2-manifold. Throws InputError unless it is closed and oriented.
    explicit HalfEdges(Mesh mesh)
        : positions_(std::move(mesh.vertices)),
          outgoing_(positions_.size(), kNone),
          livingVertices_(positions_.size()) {
        for (const glm::u32vec3 face : mesh.faces)
            from_.insert(from_.end(), {face.x, face.y, face.z});
        twin_.resize(from_.size());
        // Linked lists of each vertex's half-edges, through `chained`: a twin is in the list of the
        // other end.
        std::vector<std::uint32_t> chained(from_.size());
        for (std::uint32_t edge = 0; edge < from_.size(); ++edge)
            chained[edge] = std::exchange(outgoing_[from_[edge]], edge);
        for (std::uint32_t edge = 0; edge < from_.size(); ++edge) {
            std::uint32_t other = outgoing_[to(edge)];
            while (other != kNone && to(other) != from_[edge]) other = chained[other];
            twin_[edge] = other;
        }
        // Two faces on one side of an edge would share a twin.
        for (std::uint32_t edge = 0; edge < from_.size(); ++edge)
            if (twin_[edge] == kNone || twin_[twin_[edge]] != edge)
                throw InputError({"mesh", fmt::format("edge {} {}", from_[edge], to(edge)),
                                  "does not lie between two faces of one orientation",
                                  "Close the mesh, and orient its faces alike."});
    }

    std::size_t halfEdgeSlots() const { return from_.size(); }  ///< half-edges, including dead ones
    std::size_t vertexCount() const { return livingVertices_; }    ///< living vertices
    std::size_t vertexSlots() const { return positions_.size(); }  ///< vertices including dead ones

    bool isAlive(std::uint32_t edge) const { return from_[edge] != kNone; }
    std::uint32_t from(std::uint32_t edge) const { return from_[edge]; }
    std::uint32_t to(std::uint32_t edge) const { return from_[next(edge)]; }
    static std::uint32_t next(std::uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }

    /// One half-edge from the vertex; kNone for a dead vertex.
    std::uint32_t anyFrom(std::uint32_t vertex) const { return outgoing_[vertex]; }
    /// The next half-edge from the same vertex, clockwise.
    std::uint32_t nextFrom(std::uint32_t edge) const { return next(twin_[edge]); }

    /// Calls `visit` for each half-edge from a living vertex until `visit` returns false; returns
    /// false in this case.
    bool visitFrom(std::uint32_t vertex, const auto& visit) const {
        std::uint32_t edge = outgoing_[vertex];
        do {
            if (!visit(edge)) return false;
            edge = nextFrom(edge);
        } while (edge != outgoing_[vertex]);
        return true;
    }

    const glm::vec3& position(std::uint32_t vertex) const { return positions_[vertex]; }
    /// Twice the area times the unit normal.
    glm::vec3 faceNormal(std::uint32_t edge) const {
        const std::uint32_t after = next(edge);
        return areaVector(positions_[from_[edge]], positions_[from_[after]],
                          positions_[from_[next(after)]]);
    }

    /// The sum of the faces' normals around the vertex.
    glm::vec3 normal(std::uint32_t vertex) const {
        glm::vec3 sum(0);
        visitFrom(vertex, [&](std::uint32_t edge) {
            sum += faceNormal(edge);
            return true;
        });
        return sum;
    }

    /// Moves a vertex unless a face around it would turn by more than 60° or vanish.
    bool move(std::uint32_t vertex, glm::vec3 to) {
        if (!mayMove(vertex, to, kNone)) return false;
        positions_[vertex] = to;
        return true;
    }

    /// Collapses an edge to its midpoint, unless the mesh would lose its manifoldness or genus, a
    /// face would turn by more than 60°, or an edge would become longer than `maxLength`.
    bool collapse(std::uint32_t edge, float maxLength) {
        const std::uint32_t other = twin_[edge];
        const std::uint32_t removed = from_[edge];
        const std::uint32_t remaining = from_[other];
        const glm::vec3 midpoint = (positions_[removed] + positions_[remaining]) / 2.0F;
        if (!isShort(removed, midpoint, maxLength) || !isShort(remaining, midpoint, maxLength))
            return false;
        if (!keepsManifold(edge)) return false;
        if (!mayMove(removed, midpoint, remaining) || !mayMove(remaining, midpoint, removed))
            return false;
        for (std::uint32_t at = nextFrom(edge); at != edge; at = nextFrom(at))
            from_[at] = remaining;
        for (const std::uint32_t dead : {edge, other}) {
            const std::uint32_t after = next(dead);
            const std::uint32_t last = next(after);
            outgoing_[from_[last]] = twin_[after];
            outgoing_[remaining] = twin_[last];
            pair(twin_[after], twin_[last]);
        }
        for (const std::uint32_t dead : {edge, other})
            from_[dead] = from_[next(dead)] = from_[next(next(dead))] = kNone;
        positions_[remaining] = midpoint;
        outgoing_[removed] = kNone;
        --livingVertices_;
        return true;
    }

    /// Flips an edge to the other diagonal of its two faces if these get rounder (Delaunay's
    /// criterion) and are nearly coplanar.
    bool flip(std::uint32_t edge) {
        const std::uint32_t other = twin_[edge];
        const std::uint32_t after = next(edge);
        const std::uint32_t last = next(after);
        const std::uint32_t otherAfter = next(other);
        const std::uint32_t otherLast = next(otherAfter);
        const std::uint32_t a = from_[edge];
        const std::uint32_t b = from_[other];
        const std::uint32_t top = from_[last];
        const std::uint32_t bottom = from_[otherLast];
        const glm::vec3 normal = faceNormal(edge);
        const glm::vec3 otherNormal = faceNormal(other);
        constexpr float kFlat = 0.9F;
        if (glm::dot(normal, otherNormal) < kFlat * glm::length(normal) * glm::length(otherNormal))
            return false;
        constexpr float kClearly = 1e-3F;
        if (cosineAt(positions_[top], positions_[a], positions_[b]) +
                cosineAt(positions_[bottom], positions_[a], positions_[b]) >
            -kClearly)
            return false;
        const glm::vec3 sum = normal + otherNormal;
        if (turnsTooFar(sum, areaVector(positions_[top], positions_[a], positions_[bottom])) ||
            turnsTooFar(sum, areaVector(positions_[bottom], positions_[b], positions_[top])))
            return false;
        for (std::uint32_t at = nextFrom(last); at != last; at = nextFrom(at))
            if (to(at) == bottom) return false;
        // Faces (a, bottom, top) and (b, top, bottom): each keeps one half-edge of each old face.
        from_[edge] = bottom;
        from_[other] = top;
        const std::uint32_t afterTwin = twin_[after];
        const std::uint32_t otherAfterTwin = twin_[otherAfter];
        from_[after] = top;
        from_[last] = a;
        from_[otherAfter] = bottom;
        from_[otherLast] = b;
        const std::uint32_t lastTwin = twin_[last];
        const std::uint32_t otherLastTwin = twin_[otherLast];
        pair(edge, other);
        pair(after, lastTwin);
        pair(last, otherAfterTwin);
        pair(otherAfter, otherLastTwin);
        pair(otherLast, afterTwin);
        outgoing_[a] = last;
        outgoing_[b] = otherLast;
        outgoing_[top] = after;
        outgoing_[bottom] = otherAfter;
        return true;
    }

    /// The living vertices and faces.
    Mesh mesh() const {
        Mesh result;
        std::vector<std::uint32_t> number(positions_.size(), kNone);
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            if (outgoing_[i] == kNone) continue;
            number[i] = static_cast<std::uint32_t>(result.vertices.size());
            result.vertices.push_back(positions_[i]);
        }
        for (std::size_t i = 0; i < from_.size(); i += 3)
            if (from_[i] != kNone)
                result.faces.emplace_back(number[from_[i]], number[from_[i + 1]],
                                          number[from_[i + 2]]);
        return result;
    }

  private:
    bool mayMove(std::uint32_t vertex, glm::vec3 to, std::uint32_t without) const {
        return visitFrom(vertex, [&](std::uint32_t edge) {
            const std::uint32_t after = next(edge);
            const std::uint32_t one = from_[after];
            const std::uint32_t other = from_[next(after)];
            return one == without || other == without ||
                   !turnsTooFar(faceNormal(edge),
                                areaVector(to, positions_[one], positions_[other]));
        });
    }

    bool isShort(std::uint32_t vertex, glm::vec3 position, float maxLength) const {
        return visitFrom(vertex, [&](std::uint32_t edge) {
            const glm::vec3 along = positions_[to(edge)] - position;
            return glm::dot(along, along) <= maxLength * maxLength;
        });
    }

    /// Link condition (Dey et al. 1999): the ends have exactly two common neighbours, the opposite
    /// corners of the edge's faces, and each of these has more than three neighbours.
    bool keepsManifold(std::uint32_t edge) const {
        const auto neighbourCount = [&](std::uint32_t vertex) {
            int count = 0;
            visitFrom(vertex, [&](std::uint32_t) { return ++count > 0; });
            return count;
        };
        const std::uint32_t other = twin_[edge];
        if (neighbourCount(from_[next(next(edge))]) <= 3) return false;
        if (neighbourCount(from_[next(next(other))]) <= 3) return false;
        int common = 0;
        for (std::uint32_t ofOne = nextFrom(edge); ofOne != edge; ofOne = nextFrom(ofOne))
            for (std::uint32_t ofOther = nextFrom(other); ofOther != other;
                 ofOther = nextFrom(ofOther))
                common += to(ofOne) == to(ofOther) ? 1 : 0;
        return common == 2;
    }

    void pair(std::uint32_t one, std::uint32_t other) {
        twin_[one] = other;
        twin_[other] = one;
    }

    Points positions_;
    std::vector<std::uint32_t> from_;
    std::vector<std::uint32_t> twin_;
    std::vector<std::uint32_t> outgoing_;
    std::size_t livingVertices_;
};

/// Edge length of equilateral triangles that cover the surface with this number of vertices.
float evenEdgeLength(const HalfEdges& mesh, std::size_t vertices) {
    double area = 0;
    for (std::uint32_t edge = 0; edge < mesh.halfEdgeSlots(); edge += 3)
        area += glm::length(mesh.faceNormal(edge)) / 2.0;
    return static_cast<float>(std::sqrt(2 * area / (std::sqrt(3.0) * double(vertices))));
}

/// Collapses edges in rounds of growing length, short edges first.
void coarsen(HalfEdges& mesh, std::size_t vertices, float edgeLength,
             const std::stop_token& cancel) {
    constexpr float kFirstRatio = 0.25F;
    constexpr float kGrowth = 1.15F;
    constexpr int kRounds = 18;  // the last one at 0.25 · 1.15¹⁷ = 2.7 times the edge length
    constexpr float kMaxLength = 1.6F;
    float ratio = kFirstRatio;
    for (int round = 0; round < kRounds; ++round, ratio *= kGrowth) {
        if (cancel.stop_requested()) throw Cancelled();
        const float limit = ratio * edgeLength;
        const float maxLength = kMaxLength * std::max(limit, edgeLength);
        for (std::uint32_t i = 0; i < mesh.halfEdgeSlots(); ++i) {
            if (!mesh.isAlive(i) || mesh.from(i) > mesh.to(i)) continue;
            const glm::vec3 along = mesh.position(mesh.to(i)) - mesh.position(mesh.from(i));
            if (glm::dot(along, along) > limit * limit || !mesh.collapse(i, maxLength)) continue;
            if (mesh.vertexCount() <= vertices) return;
        }
    }
}

/// New position of a vertex: halfway to the mean of its neighbours within the tangent plane, then
/// towards the field's zero level in two steps of at most a quarter of an edge.
glm::vec3 relaxed(const HalfEdges& mesh, std::uint32_t vertex, const DistanceField& field,
                  float edgeLength) {
    glm::vec3 sum(0);
    float count = 0;
    mesh.visitFrom(vertex, [&](std::uint32_t i) {
        sum += mesh.position(mesh.to(i));
        ++count;
        return true;
    });
    const glm::vec3 normal = mesh.normal(vertex);
    const float length = glm::length(normal);
    glm::vec3 position = mesh.position(vertex);
    if (length == 0) return position;
    const glm::vec3 up = normal / length;
    constexpr float kStep = 0.5F;
    const glm::vec3 aside = sum / count - position;
    position += kStep * (aside - glm::dot(aside, up) * up);
    for (int step = 0; step < 2; ++step)
        position -= std::clamp(field(glm::dvec3(position), edgeLength / 4), -edgeLength / 4,
                               edgeLength / 4) *
                    up;
    return position;
}

void relax(HalfEdges& mesh, const DistanceField& field, float edgeLength, int threads,
           const std::stop_token& cancel) {
    constexpr std::size_t kChunk = 128;
    for (std::uint32_t at = 0; at < mesh.halfEdgeSlots(); ++at)
        if (mesh.isAlive(at) && mesh.from(at) < mesh.to(at)) mesh.flip(at);
    const std::size_t count = mesh.vertexSlots();
    Points positions(count);
    parallelFor(threads, (count + kChunk - 1) / kChunk, cancel,
                [&](std::size_t chunk, std::size_t /*thread*/) {
                    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
                    for (std::size_t i = chunk * kChunk; i < end; ++i) {
                        const auto vertex = static_cast<std::uint32_t>(i);
                        if (mesh.anyFrom(vertex) != HalfEdges::kNone)
                            positions[i] = relaxed(mesh, vertex, field, edgeLength);
                    }
                });
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
        if (mesh.anyFrom(vertex) != HalfEdges::kNone) mesh.move(vertex, positions[vertex]);
}

}  // namespace

Mesh remeshIsotropic(Mesh fine, std::size_t vertices, const DistanceField& field, int threads,
                     const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    HalfEdges mesh(std::move(fine));
    const float edgeLength = evenEdgeLength(mesh, vertices);
    coarsen(mesh, vertices, edgeLength, cancel);
    HalfEdges even(mesh.mesh());
    for (int round = 0; round < kRounds; ++round) relax(even, field, edgeLength, threads, cancel);
    return even.mesh();
}

}  // namespace threefold::hull
