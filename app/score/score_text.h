#pragma once

#include <string>
#include <vector>

#include "app/score/request.h"
#include "app/score/vertex_distances.h"
#include "engine/measures/scores.h"

namespace threefold {

/// Formats scores: a block of lines for each protocol, then the distances from the surface; every
/// number with its unit.
std::string scoreText(const ScoreRequest& request, bool truthSampled,
                      const std::vector<Scores>& all, const VertexDistances& distances);

}  // namespace threefold
