#include "engine/hull/lattice.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold::hull {
namespace {

glm::vec3 doubleArea(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
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

/// A closed, oriented, 2-manifold triangle mesh that stays one while its edges change. Half-edge h
/// belongs to face h / 3 and runs from from(h) to to(h), counter-clockwise around it.
class HalfEdges {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// `mesh` is closed, oriented and 2-manifold; others are not told apart.
    explicit HalfEdges(Mesh mesh)
        : places_(std::move(mesh.vertices)), any_(places_.size(), kNone), living_(places_.size()) {
        for (const glm::u32vec3 face : mesh.faces)
            from_.insert(from_.end(), {face.x, face.y, face.z});
        twin_.resize(from_.size());
        // Lists of each vertex's half-edges, through `chained`: a twin is among those of the other
        // end.
        std::vector<std::uint32_t> chained(from_.size());
        for (std::uint32_t edge = 0; edge < from_.size(); ++edge)
            chained[edge] = std::exchange(any_[from_[edge]], edge);
        for (std::uint32_t edge = 0; edge < from_.size(); ++edge) {
            std::uint32_t other = any_[to(edge)];
            while (to(other) != from_[edge]) other = chained[other];
            twin_[edge] = other;
        }
    }

    std::size_t edgeCount() const { return from_.size(); }      ///< of half-edges, dead ones too
    std::size_t vertexCount() const { return living_; }         ///< without dead ones
    std::size_t vertexSlots() const { return places_.size(); }  ///< with dead ones

    bool isAlive(std::uint32_t edge) const { return from_[edge] != kNone; }
    std::uint32_t from(std::uint32_t edge) const { return from_[edge]; }
    std::uint32_t to(std::uint32_t edge) const { return from_[next(edge)]; }
    static std::uint32_t next(std::uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }

    /// One half-edge that begins at the vertex; kNone for a dead vertex.
    std::uint32_t anyFrom(std::uint32_t vertex) const { return any_[vertex]; }
    /// The half-edge that begins at the same vertex, one face further clockwise.
    std::uint32_t turned(std::uint32_t edge) const { return next(twin_[edge]); }

    /// Calls `visit` for each half-edge that begins at the living vertex; ends where it returns
    /// false, and then returns false.
    bool visitFrom(std::uint32_t vertex, const auto& visit) const {
        std::uint32_t edge = any_[vertex];
        do {
            if (!visit(edge)) return false;
            edge = turned(edge);
        } while (edge != any_[vertex]);
        return true;
    }

    const glm::vec3& place(std::uint32_t vertex) const { return places_[vertex]; }
    /// Twice the area times the unit normal.
    glm::vec3 faceNormal(std::uint32_t edge) const {
        const std::uint32_t after = next(edge);
        return doubleArea(places_[from_[edge]], places_[from_[after]], places_[from_[next(after)]]);
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

    /// Moves the vertex unless a face around it would turn by more than 60° or vanish.
    bool move(std::uint32_t vertex, glm::vec3 to) {
        if (!mayMove(vertex, to, kNone)) return false;
        places_[vertex] = to;
        return true;
    }

    /// Joins the edge's ends in its middle, unless the mesh would no longer be a manifold of the
    /// same genus, a face would turn by more than 60°, or an edge become longer than `longest`.
    bool collapse(std::uint32_t edge, float longest) {
        const std::uint32_t other = twin_[edge];
        const std::uint32_t gone = from_[edge];
        const std::uint32_t kept = from_[other];
        const glm::vec3 middle = (places_[gone] + places_[kept]) / 2.0F;
        if (!isShort(gone, middle, longest) || !isShort(kept, middle, longest)) return false;
        if (!keepsManifold(edge)) return false;
        if (!mayMove(gone, middle, kept) || !mayMove(kept, middle, gone)) return false;
        for (std::uint32_t at = turned(edge); at != edge; at = turned(at)) from_[at] = kept;
        for (const std::uint32_t dead : {edge, other}) {
            const std::uint32_t after = next(dead);
            const std::uint32_t last = next(after);
            any_[from_[last]] = twin_[after];
            any_[kept] = twin_[last];
            pair(twin_[after], twin_[last]);
        }
        for (const std::uint32_t dead : {edge, other})
            from_[dead] = from_[next(dead)] = from_[next(next(dead))] = kNone;
        places_[kept] = middle;
        any_[gone] = kNone;
        --living_;
        return true;
    }

    /// Turns the edge to the other diagonal of its two faces where that makes these rounder
    /// (Delaunay's criterion) and they lie nearly in one plane.
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
        if (cosineAt(places_[top], places_[a], places_[b]) +
                cosineAt(places_[bottom], places_[a], places_[b]) >
            -kClearly)
            return false;
        const glm::vec3 sum = normal + otherNormal;
        if (turnsTooFar(sum, doubleArea(places_[top], places_[a], places_[bottom])) ||
            turnsTooFar(sum, doubleArea(places_[bottom], places_[b], places_[top])))
            return false;
        for (std::uint32_t at = turned(last); at != last; at = turned(at))
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
        any_[a] = last;
        any_[b] = otherLast;
        any_[top] = after;
        any_[bottom] = otherAfter;
        return true;
    }

    /// The living vertices and faces.
    Mesh mesh() const {
        Mesh result;
        std::vector<std::uint32_t> number(places_.size(), kNone);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (any_[i] == kNone) continue;
            number[i] = static_cast<std::uint32_t>(result.vertices.size());
            result.vertices.push_back(places_[i]);
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
                   !turnsTooFar(faceNormal(edge), doubleArea(to, places_[one], places_[other]));
        });
    }

    bool isShort(std::uint32_t vertex, glm::vec3 place, float longest) const {
        return visitFrom(vertex, [&](std::uint32_t edge) {
            const glm::vec3 along = places_[to(edge)] - place;
            return glm::dot(along, along) <= longest * longest;
        });
    }

    /// The ends have exactly two neighbours in common, those of the edge's faces, and none of these
    /// has but three neighbours (the link condition, Dey et al. 1999).
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
        for (std::uint32_t mine = turned(edge); mine != edge; mine = turned(mine))
            for (std::uint32_t its = turned(other); its != other; its = turned(its))
                common += to(mine) == to(its) ? 1 : 0;
        return common == 2;
    }

    void pair(std::uint32_t one, std::uint32_t other) {
        twin_[one] = other;
        twin_[other] = one;
    }

    Points places_;
    std::vector<std::uint32_t> from_;
    std::vector<std::uint32_t> twin_;
    std::vector<std::uint32_t> any_;
    std::size_t living_;
};

/// Edge of the equilateral triangles that cover the surface with so many vertices.
float evenEdge(const HalfEdges& mesh, std::size_t vertices) {
    double area = 0;
    for (std::uint32_t edge = 0; edge < mesh.edgeCount(); edge += 3)
        area += glm::length(mesh.faceNormal(edge)) / 2.0;
    return static_cast<float>(std::sqrt(2 * area / (std::sqrt(3.0) * double(vertices))));
}

/// Collapses short edges first, in rounds of growing length.
void coarsen(HalfEdges& mesh, std::size_t vertices, float edge, const std::stop_token& cancel) {
    constexpr float kFirst = 0.25F;
    constexpr float kGrowth = 1.15F;
    constexpr int kRounds = 18;  // to an edge that is three times as long
    constexpr float kLongest = 1.6F;
    float share = kFirst;
    for (int round = 0; round < kRounds; ++round, share *= kGrowth) {
        if (cancel.stop_requested()) throw Cancelled();
        const float most = share * edge;
        const float longest = kLongest * std::max(most, edge);
        for (std::uint32_t at = 0; at < mesh.edgeCount(); ++at) {
            if (!mesh.isAlive(at) || mesh.from(at) > mesh.to(at)) continue;
            const glm::vec3 along = mesh.place(mesh.to(at)) - mesh.place(mesh.from(at));
            if (glm::dot(along, along) > most * most || !mesh.collapse(at, longest)) continue;
            if (mesh.vertexCount() <= vertices) return;
        }
    }
}

/// The middle of the neighbours within the tangent plane, brought back to the field's zero level.
glm::vec3 relaxed(const HalfEdges& mesh, std::uint32_t vertex, const Field& field, float edge) {
    glm::vec3 sum(0);
    float count = 0;
    mesh.visitFrom(vertex, [&](std::uint32_t at) {
        sum += mesh.place(mesh.to(at));
        return ++count > 0;
    });
    const glm::vec3 normal = mesh.normal(vertex);
    const float length = glm::length(normal);
    glm::vec3 place = mesh.place(vertex);
    if (length == 0) return place;
    const glm::vec3 up = normal / length;
    constexpr float kPart = 0.5F;
    const glm::vec3 aside = sum / count - place;
    place += kPart * (aside - glm::dot(aside, up) * up);
    for (int step = 0; step < 2; ++step)
        place -= std::clamp(field(glm::dvec3(place), edge / 4), -edge / 4, edge / 4) * up;
    return place;
}

void relax(HalfEdges& mesh, const Field& field, float edge, int threads,
           const std::stop_token& cancel) {
    constexpr std::size_t kAtOnce = 128;
    for (std::uint32_t at = 0; at < mesh.edgeCount(); ++at)
        if (mesh.isAlive(at) && mesh.from(at) < mesh.to(at)) mesh.flip(at);
    const std::size_t count = mesh.vertexSlots();
    Points places(count);
    parallelFor(threads, (count + kAtOnce - 1) / kAtOnce, cancel,
                [&](std::size_t item, std::size_t /*thread*/) {
                    const std::size_t end = std::min(count, (item + 1) * kAtOnce);
                    for (std::size_t i = item * kAtOnce; i < end; ++i) {
                        const auto vertex = static_cast<std::uint32_t>(i);
                        if (mesh.anyFrom(vertex) != HalfEdges::kNone)
                            places[i] = relaxed(mesh, vertex, field, edge);
                    }
                });
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
        if (mesh.anyFrom(vertex) != HalfEdges::kNone) mesh.move(vertex, places[vertex]);
}

}  // namespace

Mesh evenMesh(Mesh fine, std::size_t vertices, const Field& field, int threads,
              const std::stop_token& cancel) {
    constexpr int kRounds = 4;
    HalfEdges mesh(std::move(fine));
    const float edge = evenEdge(mesh, vertices);
    coarsen(mesh, vertices, edge, cancel);
    HalfEdges even(mesh.mesh());
    for (int round = 0; round < kRounds; ++round) relax(even, field, edge, threads, cancel);
    return even.mesh();
}

}  // namespace threefold::hull
