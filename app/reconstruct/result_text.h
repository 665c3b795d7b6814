#pragma once

#include <string>

#include "app/reconstruct/sample_result.h"

namespace threefold {

/// Formats one line about a finished sample: name, time of the network, and measures where there
/// are any. Ends with a line break.
std::string resultLine(const SampleResult& result);

/// Formats the milliseconds of each step of depth from photographs: "depth: pairs 12 ms, …".
std::string depthStepsText(const DepthResult& depth);

}  // namespace threefold
