#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "app/reconstruct/request.h"
#include "app/reconstruct/sample_result.h"
#include "engine/network/backend.h"
#include "engine/profile/span.h"

namespace threefold {

/// Called after each sample, done or failed.
using ResultFunction = std::function<void(const SampleResult&)>;

/// Reconstructs one sample after the other and writes what the request names into `folder`. A bad
/// sample becomes a result with an error and the next one is taken; stops early where `cancel` asks
/// for it, and nothing of the sample at hand is written then. `spans` gets what the time went
/// into, from the beginning of the call, for each sample a span that holds all others of it.
std::vector<SampleResult> runSamples(Backend& backend, const ReconstructRequest& request,
                                     const std::filesystem::path& folder,
                                     const std::vector<std::string>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans);

}  // namespace threefold
