#include "engine/hull/half_edge_mesh.h"

#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"

namespace threefold::hull {
namespace {

/// Cross product of two edges: the face's normal, twice its area long.
glm::vec3 areaVector(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
    return glm::cross(b - a, c - a);
}

bool turnsTooFar(glm::vec3 before, glm::vec3 after) {
    constexpr float kCosine = 0.5F;  // of 60°
    return glm::dot(before, after) <= kCosine * glm::length(before) * glm::length(after);
}

/// Cosine of the angle at `tip`.
float cosineAt(glm::vec3 tip, glm::vec3 one, glm::vec3 other) {
    return glm::dot(glm::normalize(one - tip), glm::normalize(other - tip));
}

}  // namespace

HalfEdgeMesh::HalfEdgeMesh(Mesh mesh)
    : positions_(std::move(mesh.vertices)),
      outgoing_(positions_.size(), kNone),
      aliveVertices_(positions_.size()) {
    for (const glm::u32vec3 face : mesh.faces) from_.insert(from_.end(), {face.x, face.y, face.z});
    twin_.resize(from_.size());
    // `chained` makes a linked list of the half-edges that leave each vertex. A half-edge's twin is
    // in the list of the vertex that the half-edge leads to.
    std::vector<std::uint32_t> chained(from_.size());
    for (std::uint32_t halfEdge = 0; halfEdge < from_.size(); ++halfEdge)
        chained[halfEdge] = std::exchange(outgoing_[from_[halfEdge]], halfEdge);
    for (std::uint32_t halfEdge = 0; halfEdge < from_.size(); ++halfEdge) {
        std::uint32_t other = outgoing_[toVertex(halfEdge)];
        while (other != kNone && toVertex(other) != from_[halfEdge]) other = chained[other];
        twin_[halfEdge] = other;
    }
    // If two faces lie on one side of an edge, their half-edges have the same twin.
    for (std::uint32_t halfEdge = 0; halfEdge < from_.size(); ++halfEdge)
        if (twin_[halfEdge] == kNone || twin_[twin_[halfEdge]] != halfEdge)
            throw InputError({"mesh",
                              fmt::format("edge {} {}", from_[halfEdge], toVertex(halfEdge)),
                              "is not shared by two consistently oriented faces",
                              "Close the mesh, and orient its faces alike."});
}

glm::vec3 HalfEdgeMesh::faceNormal(std::uint32_t halfEdge) const {
    const std::uint32_t after = next(halfEdge);
    return areaVector(positions_[from_[halfEdge]], positions_[from_[after]],
                      positions_[from_[next(after)]]);
}

glm::vec3 HalfEdgeMesh::normal(std::uint32_t vertex) const {
    glm::vec3 sum(0);
    visitOutgoing(vertex, [&](std::uint32_t halfEdge) {
        sum += faceNormal(halfEdge);
        return true;
    });
    return sum;
}

bool HalfEdgeMesh::move(std::uint32_t vertex, glm::vec3 to) {
    if (!canMove(vertex, to, kNone)) return false;
    positions_[vertex] = to;
    return true;
}

bool HalfEdgeMesh::collapse(std::uint32_t halfEdge, float maxLength) {
    const std::uint32_t other = twin_[halfEdge];
    const std::uint32_t removed = from_[halfEdge];
    const std::uint32_t remaining = from_[other];
    const glm::vec3 midpoint = (positions_[removed] + positions_[remaining]) / 2.0F;
    if (!allEdgesAtMost(removed, midpoint, maxLength) ||
        !allEdgesAtMost(remaining, midpoint, maxLength))
        return false;
    if (!keepsManifold(halfEdge)) return false;
    if (!canMove(removed, midpoint, remaining) || !canMove(remaining, midpoint, removed))
        return false;
    for (std::uint32_t at = nextOutgoing(halfEdge); at != halfEdge; at = nextOutgoing(at))
        from_[at] = remaining;
    for (const std::uint32_t dead : {halfEdge, other}) {
        const std::uint32_t after = next(dead);
        const std::uint32_t last = next(after);
        outgoing_[from_[last]] = twin_[after];
        outgoing_[remaining] = twin_[last];
        setTwins(twin_[after], twin_[last]);
    }
    for (const std::uint32_t dead : {halfEdge, other})
        from_[dead] = from_[next(dead)] = from_[next(next(dead))] = kNone;
    positions_[remaining] = midpoint;
    outgoing_[removed] = kNone;
    --aliveVertices_;
    return true;
}

bool HalfEdgeMesh::flip(std::uint32_t halfEdge) {
    const std::uint32_t other = twin_[halfEdge];
    const std::uint32_t after = next(halfEdge);
    const std::uint32_t last = next(after);
    const std::uint32_t otherAfter = next(other);
    const std::uint32_t otherLast = next(otherAfter);
    const std::uint32_t a = from_[halfEdge];
    const std::uint32_t b = from_[other];
    const std::uint32_t top = from_[last];
    const std::uint32_t bottom = from_[otherLast];
    const glm::vec3 normal = faceNormal(halfEdge);
    const glm::vec3 otherNormal = faceNormal(other);
    constexpr float kMinCosine = 0.9F;
    if (glm::dot(normal, otherNormal) < kMinCosine * glm::length(normal) * glm::length(otherNormal))
        return false;
    // Without this margin, rounding could make a flip and its inverse both pass the test.
    constexpr float kMinCosineExcess = 1e-3F;
    if (cosineAt(positions_[top], positions_[a], positions_[b]) +
            cosineAt(positions_[bottom], positions_[a], positions_[b]) >
        -kMinCosineExcess)
        return false;
    const glm::vec3 sum = normal + otherNormal;
    if (turnsTooFar(sum, areaVector(positions_[top], positions_[a], positions_[bottom])) ||
        turnsTooFar(sum, areaVector(positions_[bottom], positions_[b], positions_[top])))
        return false;
    for (std::uint32_t at = nextOutgoing(last); at != last; at = nextOutgoing(at))
        if (toVertex(at) == bottom) return false;
    // New faces (a, bottom, top) and (b, top, bottom): each has one outer edge of each old face.
    from_[halfEdge] = bottom;
    from_[other] = top;
    const std::uint32_t afterTwin = twin_[after];
    const std::uint32_t otherAfterTwin = twin_[otherAfter];
    from_[after] = top;
    from_[last] = a;
    from_[otherAfter] = bottom;
    from_[otherLast] = b;
    const std::uint32_t lastTwin = twin_[last];
    const std::uint32_t otherLastTwin = twin_[otherLast];
    setTwins(halfEdge, other);
    setTwins(after, lastTwin);
    setTwins(last, otherAfterTwin);
    setTwins(otherAfter, otherLastTwin);
    setTwins(otherLast, afterTwin);
    outgoing_[a] = last;
    outgoing_[b] = otherLast;
    outgoing_[top] = after;
    outgoing_[bottom] = otherAfter;
    return true;
}

Mesh HalfEdgeMesh::mesh() const {
    Mesh result;
    std::vector<std::uint32_t> number(positions_.size(), kNone);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        if (outgoing_[i] == kNone) continue;
        number[i] = static_cast<std::uint32_t>(result.vertices.size());
        result.vertices.push_back(positions_[i]);
    }
    for (std::size_t i = 0; i < from_.size(); i += 3)
        if (from_[i] != kNone)
            result.faces.emplace_back(number[from_[i]], number[from_[i + 1]], number[from_[i + 2]]);
    return result;
}

bool HalfEdgeMesh::canMove(std::uint32_t vertex, glm::vec3 to, std::uint32_t ignoredVertex) const {
    return visitOutgoing(vertex, [&](std::uint32_t halfEdge) {
        const std::uint32_t after = next(halfEdge);
        const std::uint32_t one = from_[after];
        const std::uint32_t other = from_[next(after)];
        return one == ignoredVertex || other == ignoredVertex ||
               !turnsTooFar(faceNormal(halfEdge),
                            areaVector(to, positions_[one], positions_[other]));
    });
}

bool HalfEdgeMesh::allEdgesAtMost(std::uint32_t vertex, glm::vec3 position, float maxLength) const {
    return visitOutgoing(vertex, [&](std::uint32_t halfEdge) {
        const glm::vec3 along = positions_[toVertex(halfEdge)] - position;
        return glm::dot(along, along) <= maxLength * maxLength;
    });
}

/// Link condition (Dey et al. 1999): the ends have exactly two common neighbours, the opposite
/// corners of the edge's faces, and each of these has more than three neighbours.
bool HalfEdgeMesh::keepsManifold(std::uint32_t halfEdge) const {
    const auto neighbourCount = [&](std::uint32_t vertex) {
        int count = 0;
        visitOutgoing(vertex, [&](std::uint32_t) { return ++count > 0; });
        return count;
    };
    const std::uint32_t other = twin_[halfEdge];
    if (neighbourCount(from_[next(next(halfEdge))]) <= 3) return false;
    if (neighbourCount(from_[next(next(other))]) <= 3) return false;
    int common = 0;
    for (std::uint32_t ofOne = nextOutgoing(halfEdge); ofOne != halfEdge;
         ofOne = nextOutgoing(ofOne))
        for (std::uint32_t ofOther = nextOutgoing(other); ofOther != other;
             ofOther = nextOutgoing(ofOther))
            common += toVertex(ofOne) == toVertex(ofOther) ? 1 : 0;
    return common == 2;
}

void HalfEdgeMesh::setTwins(std::uint32_t one, std::uint32_t other) {
    twin_[one] = other;
    twin_[other] = one;
}

}  // namespace threefold::hull
