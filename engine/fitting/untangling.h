#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/fitting/fit_steps.h"

namespace threefold::fitting {

/// Draws the vertices of folded and of intersecting faces to the mean of their neighbours.
/// Photographs draw the two sides of a thin part through each other, as each side's outline is the
/// other's, too. For one fit; it looks for such faces every few steps only.
class Untangling final : public VertexTerm {
  public:
    static constexpr int kLookEvery = 3;  ///< calls of add()

    /// `levels` outlives it; `views`: how many photographs the fit has. Nothing is drawn while no
    /// more faces are folded than `folded`, and likewise intersecting.
    Untangling(const MeshLevels& levels, std::size_t views, std::size_t folded,
               std::size_t intersecting);

    /// The energy stays as it is: agreement with the photographs alone ends a fit.
    void add(const Points& vertices, const Points& normals, NormalEquations& sum) override;

  private:
    void look(const Points& vertices);

    const MeshLevels& levels_;
    float weight_;
    std::size_t folded_, intersecting_;
    int calls_ = 0;
    std::vector<std::uint32_t> tangled_;  ///< vertices, ascending
    Points curved_;
};

}  // namespace threefold::fitting
