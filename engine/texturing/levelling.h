#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include <glm/vec3.hpp>

#include "engine/mesh.h"
#include "engine/texturing/texture_view.h"

namespace threefold::texturing {

/// What to add to the views' colours so that they meet where one ends and the next begins: for each
/// view at each vertex of its faces, linear between (Waechter et al. 2014, global adjustment).
class Levelling {
  public:
    /// Of the given mesh and chooseViews(). With `level` false everything is left as it is. Throws
    /// Cancelled.
    Levelling(const Mesh& mesh, std::span<const SeenMesh> views,
              std::span<const std::uint32_t> viewOfFace, bool level, const std::stop_token& cancel);

    /// 0…255. For a view that has no face at the vertex, the mean of that view.
    glm::vec3 at(std::uint32_t vertex, std::uint32_t view) const;
    /// Mean difference of the two colours along seams, 0…255.
    double seamBefore() const { return before_; }
    double seamAfter() const { return after_; }

  private:
    // A point where two views meet: between two vertices, `share` of the way.
    struct Meeting {
        std::uint32_t view[2];
        std::uint32_t vertex[2];
        float share;
        glm::vec3 difference;
    };
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // vertex, view

    void solve(std::span<const std::pair<std::uint32_t, std::uint32_t>> within,
               const std::stop_token& cancel);
    double meanDifference() const;

    std::vector<Meeting> meetings_;
    std::map<Key, std::uint32_t> nodes_;
    std::vector<glm::vec3> added_;  // of each node
    std::vector<glm::vec3> means_;  // of each view
    double before_ = 0;
    double after_ = 0;
};

}  // namespace threefold::texturing
