#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace threefold {

/// Disjoint sets of vertices (union-find with path halving), each vertex a set of its own at first.
class VertexSets {
  public:
    explicit VertexSets(std::size_t vertexCount) : parents_(vertexCount) {
        std::iota(parents_.begin(), parents_.end(), 0U);
    }

    /// The vertex that stands for the set of `vertex`; changes when sets are joined.
    std::uint32_t rootOf(std::uint32_t vertex) {
        while (parents_[vertex] != vertex) vertex = parents_[vertex] = parents_[parents_[vertex]];
        return vertex;
    }

    /// Joins the sets of two vertices; the root of `b` stands for both.
    void join(std::uint32_t a, std::uint32_t b) { parents_[rootOf(a)] = rootOf(b); }

  private:
    std::vector<std::uint32_t> parents_;
};

}  // namespace threefold
