#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/evaluation/result_files.h"
#include "engine/evaluation/summary.h"
#include "engine/json_text.h"
#include "engine/measures/measure_table.h"
#include "engine/web_page/page_parts.h"

namespace threefold {

/// Content of metrics_results.csv (result_files.h).
std::string measuresCsv(const EvaluationRun& run);
/// Content of metrics_summary.txt.
std::string measuresSummary(const EvaluationRun& run, const EvaluationSummary& summary);
/// Content of combined_timings.txt.
std::string combinedTimings(const EvaluationRun& run, const EvaluationSummary& summary);
/// Content of report.json.
std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary);

/// A sample's thumbnail on the page.
struct ReportPicture {
    std::size_t record = 0;      ///< index of the record
    std::vector<std::byte> png;  ///< content of the file; empty if missing
};
/// Pictures and meshes of the page, beside the run's numbers.
struct ReportPage {
    std::vector<ReportPicture> pictures = {};
    ResultDialog results = {};  ///< "sample-3": of record 3
};
/// Content of report.html.
std::string reportHtml(const EvaluationRun& run, const EvaluationSummary& summary,
                       const ReportPage& page = {});

/// The views of all samples, the reference view first; empty if they differ, or if none were chosen
/// and no sample is done.
std::vector<int> usedViews(const EvaluationRun& run);
/// usedViews() as text: "0, 6, 7"; if samples differ, how their views are chosen.
std::string viewsText(const EvaluationRun& run);

/// RunIdentity::fit in words, as fitRequestText() writes it.
std::string fitText(const std::string& name);

/// The sample's name, "02691156_p0001_00", or the line of the list if the sample was not found.
const std::string& shownName(const SampleRecord& record);

// JSON that report.json shares with the page's data and with `threefold reconstruct`.

/// Description of a run: choices, machines, times.
nlohmann::ordered_json runJson(const EvaluationRun& run);
/// Mean, median and the other Statistics; null for nullopt.
nlohmann::ordered_json statisticsJson(const std::optional<Statistics>& statistics);
/// Summary of a category or of all samples, by protocol.
nlohmann::ordered_json groupJson(const GroupSummary& group, const std::vector<Protocol>& protocols);
/// Summary of times, with the verdict.
nlohmann::ordered_json timeJson(const TimeSummary& time);
/// An array with, for each view, `view` and for each measured mesh `overlap`,
/// `mean_distance_pixels` and `largest_distance_pixels`. Omits values that were not measured.
nlohmann::ordered_json silhouettesJson(std::span<const ViewSilhouettes> silhouettes);

/// The number, or null for nullopt.
inline nlohmann::ordered_json numberJson(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// An array with key, title, unit and better direction of each measure.
nlohmann::ordered_json measuresJson(const auto& measures) {
    return jsonList(measures, [](const Measure& measure) -> nlohmann::ordered_json {
        return {{"key", measure.key},
                {"title", measure.title},
                {"unit", unitName(measure.unit)},
                {"better", measure.betterName()}};
    });
}

}  // namespace threefold
