#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "engine/turntable/motion_search.h"

namespace threefold::turntable {

/// Checks the best fit of a motion against fits with other focal lengths, steps and azimuths.
/// Returns a sentence for each check that fails. `search`: with the prior of `best`. Throws the
/// exceptions of MotionSearch::bestOf().
std::vector<std::string> motionWarnings(const MotionSearch& search, const MotionFit& best,
                                        const std::stop_token& cancel);

}  // namespace threefold::turntable
