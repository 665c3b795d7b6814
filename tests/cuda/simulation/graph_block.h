#pragma once

#include <span>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/network/pooling.h"
#include "tests/cuda/simulation/arithmetic.h"

namespace threefold::cuda::simulation {

struct GraphOutput {
    Points points;
    std::vector<float> hidden;  ///< (vertices, 192): what the next level gets, not yet unpooled
};

/// METHOD.md §6: block `level` (from 0) in arithmetic.graph. `hidden` (vertices, 192) unpooled from
/// the level below, or empty. Throws ModelError.
GraphOutput graphBlock(const Model& model, std::size_t level, const Arithmetic& arithmetic,
                       const Points& points, std::span<const float> hidden,
                       const FeaturePooling& pooling);

/// Hidden features of the next level: midpoints appended, rounded to what is stored.
std::vector<float> unpoolHidden(std::span<const float> hidden, const TemplateLevel& level,
                                Precision precision);

}  // namespace threefold::cuda::simulation
