#include "engine/evaluation/report/write_reports.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/report/measures_csv.h"
#include "engine/evaluation/report/record_web_result.h"
#include "engine/evaluation/report/report_html.h"
#include "engine/evaluation/report/report_json.h"
#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/report/text_reports.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/evaluation/run/shown_lists.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Reads a thumbnail; empty if the file is missing or too large.
std::vector<std::byte> thumbnailBytes(const fs::path& file) {
    constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 20;
    try {
        return readFile(file, kMaxBytes);
    } catch (const IoError&) {
        return {};
    }
}

}  // namespace

void writeReports(const EvaluationRun& run, const fs::path& folder, const ReportOptions& options) {
    const EvaluationSummary summary = summarise(run);
    const std::vector<SampleRecord>& records = run.records;
    const std::vector<std::size_t> shown = shownRecords(records);
    ReportMedia media;
    for (const std::size_t record : shown)
        media.pictures.push_back(
            {record, thumbnailBytes(thumbnailFile(folder, displayName(records[record])))});
    std::vector<std::size_t> embedded = shown;
    if (options.embedded == EmbeddedMeshes::all)
        for (std::size_t i = 0; i < records.size() && embedded.size() < kMaxEmbedded; ++i)
            if (std::ranges::find(shown, i) == shown.end()) embedded.push_back(i);
    for (const std::size_t record : embedded) {
        const fs::path& meshes = options.meshFolders.empty() ? folder : options.meshFolders[record];
        const auto result = webResultOfRecord(
            run, records[record], writtenMeshes(meshes, run, records[record]), options.imageRoot);
        if (result) media.results.add(fmt::format("sample-{}", record), *result);
    }
    writeFileAtomically(folder / kMetricsCsvName, measuresCsv(run));
    writeFileAtomically(folder / kMetricsSummaryName, measuresSummaryText(run, summary));
    writeFileAtomically(folder / kTimingsName, combinedTimingsText(run, summary));
    writeFileAtomically(folder / kReportJsonName, reportJson(run, summary));
    writeFileAtomically(folder / kReportHtmlName, reportHtml(run, summary, media));
}

}  // namespace threefold
