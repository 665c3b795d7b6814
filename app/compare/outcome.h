#pragma once

#include <string>

#include "engine/comparison/comparison.h"

namespace threefold {

/// Tables of one comparison: times, measures, agreement, categories, what differs most.
std::string comparisonText(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& made);

}  // namespace threefold
