#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/evaluation/result_files.h"
#include "engine/evaluation/summary.h"
#include "engine/json_list.h"
#include "engine/metrics/measure_table.h"

namespace threefold {

// The contents of the files that writeReports() writes; see result_files.h.

std::string metricsCsv(const EvaluationRun& run);
std::string metricsSummary(const EvaluationRun& run, const EvaluationSummary& summary);
std::string combinedTimings(const EvaluationRun& run, const EvaluationSummary& summary);
std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary);

/// A sample's thumbnail as the page shows it.
struct ReportPicture {
    std::size_t record = 0;      ///< index
    std::vector<std::byte> png;  ///< the file's bytes; empty if there is none
};
std::string reportHtml(const EvaluationRun& run, const EvaluationSummary& summary,
                       const std::vector<ReportPicture>& pictures);

/// The views that all samples were made from, the reference first; empty if they differ, or if none
/// were chosen and no sample is done.
std::vector<int> usedViews(const EvaluationRun& run);
/// The same as text: "0, 6, 7"; if samples differ, how they were chosen.
std::string viewsText(const EvaluationRun& run);

/// "02691156_p0001_00", or the line of the list where the sample was not found.
const std::string& shownName(const SampleRecord& record);

// Parts that report.json shares with the page's data and with `threefold reconstruct`.

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

/// For each measure of a table: key, title, unit, and which direction is better.
nlohmann::ordered_json measuresJson(const auto& measures) {
    return jsonList(measures, [](const Measure& measure) -> nlohmann::ordered_json {
        return {{"key", measure.key},
                {"title", measure.title},
                {"unit", unitName(measure.unit)},
                {"better", measure.betterName()}};
    });
}

}  // namespace threefold
