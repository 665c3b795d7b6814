#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/metrics/scores.h"

namespace threefold {

/// The scores of two files, one for each protocol that was asked for.
struct ScoredFiles {
    std::filesystem::path mesh;
    std::filesystem::path truth;
    bool truthSampled = false;  ///< its points are samples of its faces
    double tau = 0;
    std::vector<Scores> scores;
};

/// A block of lines for each protocol; every number with its unit.
std::string scoreText(const ScoredFiles& scored);

/// The measures of the one protocol beside "protocol"; where there are several, an object of them
/// for each, by the protocol's name. The README describes the keys.
nlohmann::ordered_json scoreJson(const ScoredFiles& scored);

}  // namespace threefold
