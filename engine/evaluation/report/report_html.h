#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/evaluation_run.h"
#include "engine/web_page/page_parts.h"

namespace threefold {

/// A sample's thumbnail on the page.
struct ReportPicture {
    std::size_t recordIndex = 0;
    std::vector<std::byte> png;  ///< content of the file; empty if missing
};
/// Pictures and meshes of the page, beside the run's numbers.
struct ReportMedia {
    std::vector<ReportPicture> pictures = {};
    ResultDialog results = {};  ///< "sample-3" is the key of record 3
};
/// Content of report.html.
std::string reportHtml(const EvaluationRun& run, const EvaluationSummary& summary,
                       const ReportMedia& media = {});

}  // namespace threefold
