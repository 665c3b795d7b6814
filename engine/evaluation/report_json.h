#pragma once

#include <nlohmann/json.hpp>

#include "engine/evaluation/output_texts.h"
#include "engine/metrics/measure_table.h"

namespace threefold {

// Parts that report.json shares with the page's data and `reconstruct --json`.

nlohmann::ordered_json runJson(const EvaluationRun& run);
nlohmann::ordered_json statisticsJson(const std::optional<Statistics>& statistics);
nlohmann::ordered_json groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols);
nlohmann::ordered_json timeJson(const TimeSummary& time);
/// For each view: `view`, and for `coarse` and `refined` each `overlap`, `meanDistancePixels` and
/// `largestDistancePixels`. Omits values that were not measured.
nlohmann::ordered_json silhouettesJson(std::span<const ViewSilhouettes> silhouettes);

inline nlohmann::ordered_json numberJson(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// For each of truthMeasures() or silhouetteMeasures(): key, title, unit, and which direction
/// is better.
nlohmann::ordered_json measuresJson(const auto& measures) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Measure& measure : measures) {
        json.push_back({{"key", measure.key},
                        {"title", measure.title},
                        {"unit", unitName(measure.unit)},
                        {"better", measure.betterName()}});
    }
    return json;
}

/// Bytes that are not UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::ordered_json& json, int indent);

}  // namespace threefold
