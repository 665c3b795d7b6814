#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/reconstruct/request.h"
#include "app/reconstruct/sample_result.h"
#include "engine/network/service/network_service.h"

namespace threefold {

/// JSON document that `reconstruct --json` prints; its keys are in docs/COMMANDS.md. `cancelled`:
/// whether samples were left out.
nlohmann::ordered_json reconstructJson(const NetworkInfo& network,
                                       const ReconstructRequest& request,
                                       const std::vector<SampleResult>& results, bool cancelled);

}  // namespace threefold
