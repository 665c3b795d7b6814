#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/evaluation/result_files.h"
#include "engine/evaluation/summary.h"

namespace threefold {

// The contents of the files that writeReports() writes; see result_files.h.

std::string metricsCsv(const EvaluationRun& run);
std::string metricsSummary(const EvaluationRun& run, const EvaluationSummary& summary);
std::string combinedTimings(const EvaluationRun& run, const EvaluationSummary& summary);
std::string reportJson(const EvaluationRun& run, const EvaluationSummary& summary);

/// A sample's thumbnail as the page shows it.
struct ReportPicture {
    std::size_t record = 0;      ///< index
    std::vector<std::byte> png;  ///< the file's bytes; empty where there is none
};
std::string reportHtml(const EvaluationRun& run, const EvaluationSummary& summary,
                       const std::vector<ReportPicture>& pictures);

/// The views that all samples were made from, the reference first; empty where they differ, or
/// where nobody chose and none is done.
std::vector<int> usedViews(const EvaluationRun& run);
/// The same for users: "0, 6, 7"; where samples differ, how they were chosen.
std::string viewsText(const EvaluationRun& run);

/// "02691156_p0001_00", or the line of the list where the sample was not found.
const std::string& shownName(const SampleRecord& record);

}  // namespace threefold
