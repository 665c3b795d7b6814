#include "app/eval/outcome.h"

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/console/exit_code.h"
#include "app/console/output.h"
#include "app/eval/paper_table.h"
#include "engine/evaluation/report/summary.h"
#include "engine/evaluation/run/output_files.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/text.h"

namespace threefold {
namespace {

/// targetsText() of the run; empty without times of the network.
std::string targetsReachedText(const TimeSummary& time, const Targets& targets) {
    return time.network ? targetsText(targets, time.network->mean, time.samplesPerSecond) : "";
}

}  // namespace

ExitCode reportOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json,
                       const Targets& targets, const ReportOptions& options) {
    removeUnshownThumbnails(folder, run.records);
    writeReports(run, folder, options);
    const EvaluationSummary summary = summarise(run);
    const std::string reached = targetsReachedText(summary.time, targets);
    if (json) {
        const std::vector<std::byte> bytes = readFile(folder / kReportJsonName);
        printJsonText(asText(bytes));
        for (const std::string& line : split(reached, '\n'))
            if (!line.empty()) spdlog::warn("{}", line);
    } else {
        printText(fmt::format("{}{}reports: {}\n", paperTable(run, summary), reached,
                              (folder / kReportHtmlName).string()));
    }
    return exitCodeOf(run.records, &SampleRecord::succeeded);
}

}  // namespace threefold
