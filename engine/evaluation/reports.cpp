#include "engine/evaluation/reports.h"

#include <algorithm>
#include <cmath>

#include "engine/error.h"
#include "engine/evaluation/report_texts.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/formats/file_bytes.h"

namespace threefold {
namespace {

bool isRanked(const SampleRecord& record) {
    return record.done() && !record.scores.empty() &&
           std::isfinite(record.scores.front().refined.measures.chamfer);
}

/// Empty where there is none, or none of the size that a thumbnail can have.
std::vector<std::byte> thumbnailBytes(const std::filesystem::path& file) {
    constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 20;
    try {
        return readFile(file, kLargest);
    } catch (const IoError&) {
        return {};
    }
}

}  // namespace

std::vector<std::size_t> worstRecords(const std::vector<SampleRecord>& records, std::size_t count) {
    std::vector<std::size_t> worst;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (isRanked(records[i])) worst.push_back(i);
    }
    const auto isWorse = [&](std::size_t a, std::size_t b) {
        const double chamferOfA = records[a].scores.front().refined.measures.chamfer;
        const double chamferOfB = records[b].scores.front().refined.measures.chamfer;
        if (chamferOfA != chamferOfB) return chamferOfA > chamferOfB;
        return records[a].position < records[b].position;
    };
    const std::size_t kept = std::min(count, worst.size());
    std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(kept), worst.end(),
                      isWorse);
    worst.resize(kept);
    return worst;
}

void writeReports(const EvaluationRun& run, const std::filesystem::path& folder) {
    const EvaluationSummary summary = summarise(run);
    std::vector<ReportPicture> pictures;
    for (const std::size_t record : worstRecords(run.records)) {
        pictures.push_back(
            {record, thumbnailBytes(thumbnailFile(folder, shownName(run.records[record])))});
    }
    writeFileWhole(folder / kMetricsCsvName, metricsCsv(run));
    writeFileWhole(folder / kMetricsSummaryName, metricsSummary(run, summary));
    writeFileWhole(folder / kTimingsName, combinedTimings(run, summary));
    writeFileWhole(folder / kReportJsonName, reportJson(run, summary));
    writeFileWhole(folder / kReportHtmlName, reportHtml(run, summary, pictures));
}

}  // namespace threefold
