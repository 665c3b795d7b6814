#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "engine/evaluation/silhouettes.h"

namespace threefold {

/// As every program is told of them, under the key `silhouettes`: for each view `view`, and of
/// `coarse` and `refined` `overlap`, `meanDistancePixels` and `largestDistancePixels`; what was not
/// measured is left out.
nlohmann::ordered_json silhouettesJson(std::span<const ViewSilhouettes> silhouettes);

}  // namespace threefold
