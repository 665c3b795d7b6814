#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::hull {

/// A closed, oriented, 2-manifold triangle mesh whose invariants survive edge operations. Half-edge
/// h belongs to face h / 3 and runs from fromVertex(h) to toVertex(h), counter-clockwise around the
/// face. Removed vertices and faces keep their indices, marked dead; mesh() leaves them out.
class HalfEdgeMesh {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// `mesh` must be 2-manifold. Throws InputError unless it is closed and oriented.
    explicit HalfEdgeMesh(Mesh mesh);

    /// Number of half-edges, alive or dead; all their indices are smaller.
    std::size_t halfEdgeCapacity() const { return from_.size(); }
    std::size_t aliveVertexCount() const { return aliveVertices_; }
    /// Number of vertices, alive or dead; all their indices are smaller.
    std::size_t vertexCapacity() const { return positions_.size(); }

    bool isAlive(std::uint32_t halfEdge) const { return from_[halfEdge] != kNone; }
    std::uint32_t fromVertex(std::uint32_t halfEdge) const { return from_[halfEdge]; }
    std::uint32_t toVertex(std::uint32_t halfEdge) const { return from_[next(halfEdge)]; }
    /// The next half-edge of the same face.
    static std::uint32_t next(std::uint32_t halfEdge) {
        return halfEdge % 3 == 2 ? halfEdge - 2 : halfEdge + 1;
    }

    /// One half-edge from the vertex; kNone if the vertex is dead.
    std::uint32_t outgoingHalfEdge(std::uint32_t vertex) const { return outgoing_[vertex]; }
    /// The next half-edge from the same vertex, clockwise.
    std::uint32_t nextOutgoing(std::uint32_t halfEdge) const { return next(twin_[halfEdge]); }

    /// Calls `visit` for each half-edge from a vertex, which must be alive. Stops and returns false
    /// once `visit` returns false.
    bool visitOutgoing(std::uint32_t vertex, const auto& visit) const {
        std::uint32_t halfEdge = outgoing_[vertex];
        do {
            if (!visit(halfEdge)) return false;
            halfEdge = nextOutgoing(halfEdge);
        } while (halfEdge != outgoing_[vertex]);
        return true;
    }

    const glm::vec3& position(std::uint32_t vertex) const { return positions_[vertex]; }
    /// Normal of the half-edge's face; its length is twice the face's area.
    glm::vec3 faceNormal(std::uint32_t halfEdge) const;
    /// The sum of the faces' normals around the vertex.
    glm::vec3 normal(std::uint32_t vertex) const;

    /// Moves a vertex unless a face around it would turn by more than 60° or vanish. Returns
    /// whether it moved.
    bool move(std::uint32_t vertex, glm::vec3 to);

    /// Collapses an edge to its midpoint, unless the mesh would lose its manifoldness or genus, a
    /// face would turn by more than 60°, or an edge would become longer than `maxLength`. Returns
    /// whether the edge was collapsed.
    bool collapse(std::uint32_t halfEdge, float maxLength);

    /// Flips an edge to the other diagonal of its two faces if the faces get rounder (Delaunay's
    /// criterion) and are nearly coplanar, and if the diagonal is not an edge already. Returns
    /// whether the edge was flipped.
    bool flip(std::uint32_t halfEdge);

    /// The vertices and faces that are alive.
    Mesh mesh() const;

  private:
    bool canMove(std::uint32_t vertex, glm::vec3 to, std::uint32_t ignoredVertex) const;
    bool allEdgesAtMost(std::uint32_t vertex, glm::vec3 position, float maxLength) const;
    bool keepsManifold(std::uint32_t halfEdge) const;
    void setTwins(std::uint32_t one, std::uint32_t other);

    Points positions_;
    std::vector<std::uint32_t> from_;
    std::vector<std::uint32_t> twin_;
    std::vector<std::uint32_t> outgoing_;
    std::size_t aliveVertices_;
};

}  // namespace threefold::hull
