#pragma once

#include <vector>

#include "app/options/model_options.h"
#include "engine/views/network_input.h"

namespace threefold {

/// The samples of --calibrate, decoded; empty where none is given. Throws what reading them throws.
std::vector<NetworkInput> calibrationSamples(const ModelOptions& options);

}  // namespace threefold
