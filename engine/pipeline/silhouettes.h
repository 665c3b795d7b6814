#pragma once

#include <span>
#include <vector>

#include "engine/metrics/silhouette.h"
#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// One for each of `views`, which `input` holds in the same order. Throws what maskOf() throws.
std::vector<ViewSilhouettes> silhouettesOf(const Reconstruction& meshes, const NetworkInput& input,
                                           std::span<const int> views);

}  // namespace threefold
