#pragma once

#include <string>

#include "engine/comparison/comparison.h"

namespace threefold {

/// Which run is better, by which measures, in a sentence that calls the first run A and the second
/// B: "B is better by F(τ); not shown to differ by Chamfer distance".
std::string verdictText(const Comparison& comparison);
/// Speed of the second run's network against the first's, in a sentence; empty unless both runs
/// have times.
std::string timeVerdictText(const Comparison& comparison);

}  // namespace threefold
