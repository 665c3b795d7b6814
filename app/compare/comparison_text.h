#pragma once

#include <string>

#include "engine/comparison/compare_runs.h"

namespace threefold {

/// Formats a comparison: the two runs and remarks on them, the verdict, then tables of quality,
/// times, categories and the largest differences.
std::string comparisonText(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& comparison);

}  // namespace threefold
