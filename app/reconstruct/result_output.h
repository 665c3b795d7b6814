#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/reconstruct/request.h"
#include "app/reconstruct/run_samples.h"
#include "engine/network/backend.h"

namespace threefold {

/// One line about a finished sample: name, time of the network, and measures where there are any.
std::string resultLine(const SampleResult& result);

/// What `reconstruct --json` prints; the README describes its fields.
nlohmann::ordered_json reconstructJson(const Backend& backend, const ReconstructRequest& request,
                                       const std::vector<SampleResult>& results, bool cancelled);

}  // namespace threefold
