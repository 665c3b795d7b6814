#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/score/request.h"
#include "app/score/vertex_distances.h"
#include "engine/measures/scores.h"

namespace threefold {

/// Formats scores as one JSON object. The measures of a single protocol are keys of that object;
/// several protocols have an object each, keyed by the protocol's name. docs/COMMANDS.md describes
/// the keys.
nlohmann::ordered_json scoreJson(const ScoreRequest& request, bool truthSampled,
                                 const std::vector<Scores>& all, const VertexDistances& distances);

}  // namespace threefold
