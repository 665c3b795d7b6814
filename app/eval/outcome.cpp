#include "app/eval/outcome.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "app/console/output.h"
#include "engine/evaluation/run_files.h"
#include "engine/evaluation/score_columns.h"
#include "engine/evaluation/summary.h"
#include "engine/formats/file_bytes.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

/// What the paper's table shows of a mesh.
struct PaperColumn {
    std::string_view key;  ///< of scoreColumns()
    const char* title;
    double scale;
    int digits;
};

constexpr std::array<PaperColumn, 3> kPaperColumns = {
    {{"chamfer", "CD, 10⁻⁴", 1e4, 2}, {"f_tau", "F(τ), %", 1, 2}, {"f_2tau", "F(2τ), %", 1, 2}}};

std::size_t indexOf(std::string_view key) {
    const auto columns = scoreColumns();
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const ScoreColumn& column) { return column.key == key; });
    return static_cast<std::size_t>(std::distance(columns.begin(), found));
}

void addGroup(Table& table, const GroupSummary& group, std::size_t protocol) {
    const ProtocolSummary& summary = group.protocols[protocol];
    std::vector<std::string> row = {group.category.empty() || group.category == group.name
                                        ? group.name
                                        : group.name + ' ' + group.category,
                                    fmt::format("{}", summary.scored)};
    for (const PaperColumn& column : kPaperColumns) {
        const ComparedStatistics& compared = summary.measures[indexOf(column.key)];
        const auto cell = [&](const std::optional<Statistics>& statistics, bool sign) {
            if (!statistics) return std::string("–");
            const double value = statistics->mean * column.scale;
            return sign ? fmt::format("{:+.{}f}", value, column.digits)
                        : fmt::format("{:.{}f}", value, column.digits);
        };
        row.push_back(cell(compared.coarse, false));
        row.push_back(cell(compared.refined, false));
        row.push_back(cell(compared.difference, true));
    }
    row.push_back(fmt::format("{}", summary.regressed));
    table.add(std::move(row));
}

std::string protocolTable(const EvaluationRun& run, const EvaluationSummary& summary,
                          std::size_t protocol) {
    using Align = Table::Align;
    std::vector<Align> alignment(2 + 3 * kPaperColumns.size() + 1, Align::right);
    alignment.front() = Align::left;
    Table table(alignment);
    std::vector<std::string> titles = {"", ""};
    std::vector<std::string> names = {"category", "n"};
    for (const PaperColumn& column : kPaperColumns) {
        titles.insert(titles.end(), {"", column.title, ""});
        names.insert(names.end(), {"coarse", "refined", "Δ"});
    }
    titles.emplace_back();
    names.emplace_back("worse");
    table.add(std::move(titles));
    table.add(std::move(names));
    for (const GroupSummary& group : summary.categories) addGroup(table, group, protocol);
    addGroup(table, summary.all, protocol);
    const RunIdentity& identity = run.about.identity;
    const Protocol which = identity.protocols[protocol];
    return fmt::format(
        "{} protocol: {}\n"
        "  CD   mean squared distance to the truth plus the same from it, in 10⁻⁴ object units²;\n"
        "       less is better\n"
        "  F    at τ = {:g} object units² of squared distance, and at 2τ, in %; more is better\n"
        "  Δ    refined − coarse\n"
        "  Means over n samples; worse: how many of them have a larger CD refined than coarse.\n\n"
        "{}",
        protocolName(which), protocolDescription(which), identity.tau, table.text("  "));
}

}  // namespace

std::string paperTable(const EvaluationRun& run) {
    const EvaluationSummary summary = summarise(run);
    std::string text;
    for (std::size_t i = 0; i < run.about.identity.protocols.size(); ++i) {
        text += protocolTable(run, summary, i) + '\n';
    }
    const GroupSummary& all = summary.all;
    const std::size_t regressed = all.protocols.front().regressed;
    text += fmt::format("{} of {} samples done", all.samples - all.failed, all.samples);
    if (all.failed > 0) text += fmt::format(", {} failed", all.failed);
    text += fmt::format("; refinement made {} worse (a larger CD)\n", regressed);
    if (const auto& network = summary.time.network) {
        text += fmt::format(
            "network alone: {:.2f} ± {:.2f} ms a sample, median {:.2f}, {:.2f} samples/s\n",
            network->mean, network->deviation, network->median, summary.time.samplesPerSecond);
        text += summary.time.verdict + '\n';
    }
    return text;
}

ExitCode tellOutcome(const EvaluationRun& run, const std::filesystem::path& folder, bool json) {
    removeUnshownThumbnails(folder, run.records);
    writeReports(run, folder);
    if (json) {
        const std::vector<std::byte> bytes = readFile(folder / kReportJsonName);
        printText({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    } else {
        printText(
            fmt::format("{}reports: {}\n", paperTable(run), (folder / kReportHtmlName).string()));
    }
    const auto done = std::count_if(run.records.begin(), run.records.end(),
                                    [](const SampleRecord& record) { return record.done(); });
    if (done == 0) return ExitCode::failed;
    return static_cast<std::size_t>(done) == run.records.size() ? ExitCode::done
                                                                : ExitCode::someFailed;
}

}  // namespace threefold
