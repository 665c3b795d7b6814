#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "engine/evaluation/record.h"
#include "engine/evaluation/run_description.h"

namespace threefold {

/// A run as its reports tell of it.
struct EvaluationRun {
    RunDescription about;
    std::vector<SampleRecord> records;  ///< by position; all that the shards cover
};

/// Names of the files that users of the seed's scripts rely on (METHOD.md §10), and ours.
inline constexpr const char* kMetricsCsvName = "metrics_results.csv";
inline constexpr const char* kMetricsSummaryName = "metrics_summary.txt";
inline constexpr const char* kTimingsName = "combined_timings.txt";
inline constexpr const char* kReportJsonName = "report.json";
inline constexpr const char* kReportHtmlName = "report.html";

/// Where the pictures of a sample are: input, coarse and refined side by side.
inline constexpr const char* kThumbnailFolder = "thumbnails";

/// How many samples the report shows with pictures: those of the largest refined Chamfer distance
/// under the first protocol, earlier positions first where equal.
inline constexpr std::size_t kWorstShown = 10;

/// Positions in `records` (indices, not SampleRecord::position), worst first.
std::vector<std::size_t> worstRecords(const std::vector<SampleRecord>& records,
                                      std::size_t count = kWorstShown);

/// Writes the five files into `folder`, each whole or not at all. All but times, machine and dates
/// follow from the records alone: the same records give the same bytes. Thumbnails are read from
/// `folder`/thumbnails/NAME.png; one that is missing leaves its place empty. Throws IoError.
void writeReports(const EvaluationRun& run, const std::filesystem::path& folder);

}  // namespace threefold
