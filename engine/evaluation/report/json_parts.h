#pragma once

#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/json_text.h"
#include "engine/measures/measure_table.h"

/// Parts of report.json, which the report's page, comparisons and commands use, too.
namespace threefold {

/// Description of a run: choices, machines, times.
nlohmann::ordered_json runJson(const EvaluationRun& run);
/// Mean, median and the other Statistics; null for nullopt.
nlohmann::ordered_json statisticsJson(const std::optional<Statistics>& statistics);
/// Summary of a category or of all samples, by protocol.
nlohmann::ordered_json groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols);
/// Summary of times, with TimeSummary::bottleneckText.
nlohmann::ordered_json timeJson(const TimeSummary& time);
/// An array with one object for each view: `view`, and for each measured mesh an object with
/// `overlap`, `mean_distance_pixels` and `largest_distance_pixels`. Omits values that were not
/// measured.
nlohmann::ordered_json silhouettesJson(std::span<const ViewSilhouetteScores> silhouettes);

/// The number, or null for nullopt.
inline nlohmann::ordered_json numberJson(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// An array with key, title, unit and better direction of each measure.
nlohmann::ordered_json measuresJson(const auto& measures) {
    return jsonArray(measures, [](const MeasureDescription& measure) -> nlohmann::ordered_json {
        return {{"key", measure.key},
                {"title", measure.title},
                {"unit", unitName(measure.unit)},
                {"better", measure.betterKey()}};
    });
}

}  // namespace threefold
