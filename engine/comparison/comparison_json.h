#pragma once

#include <nlohmann/json.hpp>

#include "engine/comparison/comparison.h"

namespace threefold {

/// What comparisonTables() shows, with all digits and all samples, by these names: `a`, `b`,
/// `times`, `all`, `categories`, `meshes`, `samples`; statistics as in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& made);

}  // namespace threefold
