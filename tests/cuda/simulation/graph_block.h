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
    std::vector<float> hidden;  ///< (vertices, 192): input of the next level, before unpooling
};

/// Computes graph block `level` (from 0; METHOD.md §6) in the precision arithmetic.graph. `hidden`
/// (vertices, 192) is unpooled from the level below, or empty. Throws ModelError.
GraphOutput graphBlock(const Model& model, std::size_t level, const Arithmetic& arithmetic,
                       const Points& points, std::span<const float> hidden,
                       const FeaturePooling& pooling);

/// Unpools hidden features for the next level: appends midpoints, and rounds to the stored format.
std::vector<float> unpoolHidden(std::span<const float> hidden, const TemplateLevel& level,
                                Precision precision);

}  // namespace threefold::cuda::simulation
