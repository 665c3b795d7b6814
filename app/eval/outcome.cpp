#include "app/eval/outcome.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/console/output.h"
#include "engine/evaluation/result_files.h"
#include "engine/evaluation/summary.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/metrics/measure_table.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

/// What a table for people shows of a mesh.
struct ShownColumn {
    const char* title;
    double scale;
    int digits;
};
/// The paper's.
constexpr ShownColumn kPaperColumns[] = {
    {"CD, 10⁻⁴", 1e4, 2}, {"F(τ), %", 1, 2}, {"F(2τ), %", 1, 2}};
/// One for each of silhouetteMeasures().
constexpr ShownColumn kSilhouetteColumns[] = {{"overlap", 1, 3}, {"outlines, px", 1, 2}};

/// What such a table shows of a group of samples.
struct ShownGroup {
    std::size_t count;
    std::size_t regressed;
    std::vector<const ComparedStatistics*> measures;  ///< one for each column
};

std::string cellOf(const std::optional<Statistics>& statistics, const ShownColumn& column,
                   bool sign) {
    if (!statistics) return "–";
    const double value = statistics->mean * column.scale;
    return sign ? fmt::format("{:+.{}f}", value, column.digits)
                : fmt::format("{:.{}f}", value, column.digits);
}

/// A row for each category and one for all: coarse, refined and their difference of each column.
template <class Show>
std::string comparingTable(const EvaluationSummary& summary, std::span<const ShownColumn> columns,
                           const Show& show) {
    std::vector<Table::Align> alignment(2 + 3 * columns.size() + 1, Table::Align::right);
    alignment.front() = Table::Align::left;
    std::vector<std::string> titles = {"", ""};
    std::vector<std::string> names = {"category", "n"};
    for (const ShownColumn& column : columns) {
        titles.insert(titles.end(), {"", column.title, ""});
        names.insert(names.end(), {"coarse", "refined", "Δ"});
    }
    titles.emplace_back();
    names.emplace_back("worse");
    Table table(alignment);
    table.add(std::move(titles));
    table.add(std::move(names));
    const auto add = [&](const GroupSummary& group) {
        const ShownGroup shown = show(group);
        const bool named = !group.category.empty() && group.category != group.name;
        std::vector<std::string> row = {named ? group.name + ' ' + group.category : group.name,
                                        fmt::format("{}", shown.count)};
        for (std::size_t i = 0; i < columns.size(); ++i) {
            row.push_back(cellOf(shown.measures[i]->coarse, columns[i], false));
            row.push_back(cellOf(shown.measures[i]->refined, columns[i], false));
            row.push_back(cellOf(shown.measures[i]->difference, columns[i], true));
        }
        row.push_back(fmt::format("{}", shown.regressed));
        table.add(std::move(row));
    };
    for (const GroupSummary& group : summary.categories) add(group);
    add(summary.all);
    return table.text("  ");
}

std::string protocolTable(const EvaluationRun& run, const EvaluationSummary& summary,
                          std::size_t protocol) {
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
        protocolName(which), protocolDescription(which), identity.tau,
        comparingTable(summary, kPaperColumns, [&](const GroupSummary& group) {
            const ProtocolSummary& own = group.protocols[protocol];
            ShownGroup shown{own.scored, own.regressed, {}};
            for (const std::string_view key : kPublishedKeys)
                shown.measures.push_back(&own.measures[static_cast<std::size_t>(
                    &truthMeasure(key) - truthMeasures().data())]);
            return shown;
        }));
}

std::string silhouetteTable(const EvaluationSummary& summary) {
    return fmt::format(
        "silhouettes: the meshes against the photographs they were made from; no truth is needed\n"
        "  overlap   intersection over union, 0 to 1; more is better\n"
        "  outlines  mean distance between both, in pixels of the photographs; less is better\n"
        "  Means over n samples; worse: how many of them overlap less refined than coarse.\n\n"
        "{}",
        comparingTable(summary, kSilhouetteColumns, [](const GroupSummary& group) {
            const SilhouetteSummary& own = group.silhouettes;
            return ShownGroup{own.measured, own.regressed, {&own.measures[0], &own.measures[1]}};
        }));
}

/// The third stage under each protocol and in silhouettes: its means, and what it changed.
std::string fittedTable(const EvaluationRun& run, const EvaluationSummary& summary) {
    std::vector<std::string> titles = {"", ""};
    std::vector<std::string> names = {"category", "n"};
    for (const Protocol protocol : run.about.identity.protocols) {
        for (const ShownColumn& column : kPaperColumns) {
            titles.insert(titles.end(), {fmt::format("{} {}", protocolName(protocol), column.title),
                                         std::string()});
            names.insert(names.end(), {"fitted", "Δ"});
        }
    }
    titles.insert(titles.end(), {kSilhouetteColumns[0].title, std::string()});
    names.insert(names.end(), {"fitted", "Δ"});
    std::vector<Table::Align> alignment(names.size(), Table::Align::right);
    alignment.front() = Table::Align::left;
    Table table(alignment);
    table.add(std::move(titles));
    table.add(std::move(names));
    const auto add = [&](const GroupSummary& group) {
        std::vector<std::string> row = {group.name, "0"};
        const auto addCells = [&](const FittedStatistics& fit, const ShownColumn& column) {
            row.push_back(cellOf(fit.fitted, column, false));
            row.push_back(cellOf(fit.difference, column, true));
            if (fit.fitted) row[1] = fmt::format("{}", fit.fitted->count);
        };
        for (const ProtocolSummary& protocol : group.protocols) {
            for (std::size_t i = 0; i < std::size(kPaperColumns); ++i) {
                const auto measure = static_cast<std::size_t>(&truthMeasure(kPublishedKeys[i]) -
                                                              truthMeasures().data());
                addCells(protocol.fits[measure], kPaperColumns[i]);
            }
        }
        addCells(group.silhouettes.fits.front(), kSilhouetteColumns[0]);
        table.add(std::move(row));
    };
    for (const GroupSummary& group : summary.categories) add(group);
    add(summary.all);
    return fmt::format(
        "fitted: the refined meshes, fitted to photographs ({}); not comparable with published "
        "numbers\n  Δ    fitted − refined\n\n{}",
        *run.about.identity.fit, table.text("  "));
}

}  // namespace

std::string paperTable(const EvaluationRun& run) {
    const EvaluationSummary summary = summarise(run);
    std::string text;
    const GroupSummary& all = summary.all;
    const std::size_t scored = all.protocols.front().scored;
    for (std::size_t i = 0; scored > 0 && i < run.about.identity.protocols.size(); ++i) {
        text += protocolTable(run, summary, i) + '\n';
    }
    if (all.silhouettes.measured > 0) text += silhouetteTable(summary) + '\n';
    if (run.about.identity.fit) text += fittedTable(run, summary) + '\n';
    text += fmt::format("{} of {} samples done", all.samples - all.failed, all.samples);
    if (all.failed > 0) text += fmt::format(", {} failed", all.failed);
    if (all.withoutTruth > 0) text += fmt::format(", {} without a truth", all.withoutTruth);
    if (scored > 0) {
        text += fmt::format("; refinement made {} worse (a larger CD)",
                            all.protocols.front().regressed);
    }
    text += '\n';
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
        printJsonText(asText(bytes));
    } else {
        printText(
            fmt::format("{}reports: {}\n", paperTable(run), (folder / kReportHtmlName).string()));
    }
    return exitCodeOf(run.records, &SampleRecord::done);
}

}  // namespace threefold
