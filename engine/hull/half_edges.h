#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"

namespace threefold::hull {

/// A closed, oriented, 2-manifold triangle mesh that stays one while its edges change. Half-edge h
/// belongs to face h / 3 and runs from from(h) to to(h), counter-clockwise around it.
class HalfEdges {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    /// `mesh` is closed, oriented and 2-manifold; others are not told apart.
    explicit HalfEdges(Mesh mesh);

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
    glm::vec3 faceNormal(std::uint32_t edge) const;
    /// The sum of the faces' normals around the vertex.
    glm::vec3 normal(std::uint32_t vertex) const;

    /// Moves the vertex unless a face around it would turn by more than 60° or vanish.
    bool move(std::uint32_t vertex, glm::vec3 to);

    /// Joins the edge's ends in its middle, unless the mesh would no longer be a manifold of the
    /// same genus, a face would turn by more than 60°, or an edge become longer than `longest`.
    bool collapse(std::uint32_t edge, float longest);

    /// Turns the edge to the other diagonal of its two faces where that makes these rounder
    /// (Delaunay's criterion) and they lie nearly in one plane.
    bool flip(std::uint32_t edge);

    /// The living vertices and faces.
    Mesh mesh() const;

  private:
    bool mayMove(std::uint32_t vertex, glm::vec3 to, std::uint32_t without) const;
    bool isShort(std::uint32_t vertex, glm::vec3 place, float longest) const;
    bool keepsManifold(std::uint32_t edge) const;
    void pair(std::uint32_t one, std::uint32_t other);

    Points places_;
    std::vector<std::uint32_t> from_;
    std::vector<std::uint32_t> twin_;
    std::vector<std::uint32_t> any_;
    std::size_t living_;
};

}  // namespace threefold::hull
