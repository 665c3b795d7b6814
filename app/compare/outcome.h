#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "engine/comparison/comparison.h"

namespace threefold {

/// Tables of one comparison: times, measures, agreement, categories, what differs most.
std::string comparisonText(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& made);

/// The same with all digits and all samples, by these names: `a`, `b`, `times`, `all`,
/// `categories`, `meshes`, `samples`; statistics as in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& made);

}  // namespace threefold
