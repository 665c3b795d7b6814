#include "engine/hull/half_edges.h"

#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

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

}  // namespace

HalfEdges::HalfEdges(Mesh mesh)
    : places_(std::move(mesh.vertices)), any_(places_.size(), kNone), living_(places_.size()) {
    for (const glm::u32vec3 face : mesh.faces) from_.insert(from_.end(), {face.x, face.y, face.z});
    twin_.resize(from_.size());
    // Lists of each vertex's half-edges, through `chained`: a twin is among those of the other end.
    std::vector<std::uint32_t> chained(from_.size());
    for (std::uint32_t edge = 0; edge < from_.size(); ++edge)
        chained[edge] = std::exchange(any_[from_[edge]], edge);
    for (std::uint32_t edge = 0; edge < from_.size(); ++edge) {
        std::uint32_t other = any_[to(edge)];
        while (to(other) != from_[edge]) other = chained[other];
        twin_[edge] = other;
    }
}

glm::vec3 HalfEdges::faceNormal(std::uint32_t edge) const {
    const std::uint32_t after = next(edge);
    return doubleArea(places_[from_[edge]], places_[from_[after]], places_[from_[next(after)]]);
}

glm::vec3 HalfEdges::normal(std::uint32_t vertex) const {
    glm::vec3 sum(0);
    visitFrom(vertex, [&](std::uint32_t edge) {
        sum += faceNormal(edge);
        return true;
    });
    return sum;
}

bool HalfEdges::mayMove(std::uint32_t vertex, glm::vec3 to, std::uint32_t without) const {
    return visitFrom(vertex, [&](std::uint32_t edge) {
        const std::uint32_t after = next(edge);
        const std::uint32_t one = from_[after];
        const std::uint32_t other = from_[next(after)];
        return one == without || other == without ||
               !turnsTooFar(faceNormal(edge), doubleArea(to, places_[one], places_[other]));
    });
}

bool HalfEdges::move(std::uint32_t vertex, glm::vec3 to) {
    if (!mayMove(vertex, to, kNone)) return false;
    places_[vertex] = to;
    return true;
}

bool HalfEdges::isShort(std::uint32_t vertex, glm::vec3 place, float longest) const {
    return visitFrom(vertex, [&](std::uint32_t edge) {
        const glm::vec3 along = places_[to(edge)] - place;
        return glm::dot(along, along) <= longest * longest;
    });
}

/// The ends have exactly two neighbours in common, those of the edge's faces, and none of these has
/// but three neighbours (the link condition, Dey et al. 1999).
bool HalfEdges::keepsManifold(std::uint32_t edge) const {
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

void HalfEdges::pair(std::uint32_t one, std::uint32_t other) {
    twin_[one] = other;
    twin_[other] = one;
}

bool HalfEdges::collapse(std::uint32_t edge, float longest) {
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

bool HalfEdges::flip(std::uint32_t edge) {
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

Mesh HalfEdges::mesh() const {
    Mesh result;
    std::vector<std::uint32_t> number(places_.size(), kNone);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        if (any_[i] == kNone) continue;
        number[i] = static_cast<std::uint32_t>(result.vertices.size());
        result.vertices.push_back(places_[i]);
    }
    for (std::size_t i = 0; i < from_.size(); i += 3)
        if (from_[i] != kNone)
            result.faces.emplace_back(number[from_[i]], number[from_[i + 1]], number[from_[i + 2]]);
    return result;
}

}  // namespace threefold::hull
