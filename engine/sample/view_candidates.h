#pragma once

#include <stop_token>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/views/suggest_views.h"

namespace threefold {

/// All views of a sample that can be chosen, with their masks as the network sees them, of at most
/// 224 × 224 pixels. What cannot be read is left out. Throws Cancelled.
std::vector<ViewCandidate> viewCandidates(const Sample& sample,
                                          const ViewReader& read = networkView,
                                          const std::stop_token& cancel = {});

}  // namespace threefold
