#pragma once

#include <nlohmann/json.hpp>

#include "engine/evaluation/report_texts.h"

namespace threefold {

// Parts that report.json and the page's data have in common.

nlohmann::ordered_json runJson(const EvaluationRun& run);
nlohmann::ordered_json statisticsJson(const std::optional<Statistics>& statistics);
nlohmann::ordered_json groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols);
nlohmann::ordered_json timeJson(const TimeSummary& time);
/// One for each of scoreColumns(): key, title, unit, and which way is better.
nlohmann::ordered_json measuresJson();
/// The same for each of silhouetteColumns().
nlohmann::ordered_json silhouetteMeasuresJson();

/// Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::ordered_json& json, int indent);

}  // namespace threefold
