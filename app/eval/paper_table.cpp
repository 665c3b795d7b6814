#include "app/eval/paper_table.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/evaluation/report/published_means.h"
#include "engine/measures/measure_table.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

/// One measure of a mesh in a printed table.
struct ShownColumn {
    const char* title;
    double scale;
    int digits;
    std::size_t measure;  ///< index in the table of measures
};
using ShownColumns = std::vector<ShownColumn>;

/// Columns of the paper's table.
ShownColumns paperColumns() {
    const auto rowIndex = [](std::string_view key) {
        return static_cast<std::size_t>(&truthMeasure(key) - truthMeasures().data());
    };
    return {{"CD, 10⁻⁴", 1e4, 2, rowIndex(kPublishedKeys[0])},
            {"F(τ), %", 1, 2, rowIndex(kPublishedKeys[1])},
            {"F(2τ), %", 1, 2, rowIndex(kPublishedKeys[2])}};
}
ShownColumns silhouetteColumns() {
    return {{"overlap", 1, 3, 0}, {"outlines, px", 1, 2, 1}};
}

std::string cellOf(const std::optional<Statistics>& statistics, const ShownColumn& column,
                   bool sign) {
    if (!statistics) return "–";
    const double value = statistics->mean * column.scale;
    return sign ? fmt::format("{:+.{}f}", value, column.digits)
                : fmt::format("{:.{}f}", value, column.digits);
}

/// Table with a row for each category and one for all samples, below two title rows.
std::string groupTable(const EvaluationSummary& summary, std::vector<std::string> titles,
                       std::vector<std::string> names, const auto& rowOf) {
    TextTable table('l' + std::string(names.size() - 1, 'r'));
    table.add(std::move(titles));
    table.add(std::move(names));
    for (const GroupSummary& group : summary.categories) table.add(rowOf(group));
    table.add(rowOf(summary.all));
    return table.text("  ");
}

/// Table with the means of each column for the network's meshes, and each mesh's change from the
/// previous mesh.
std::string measureTable(const EvaluationSummary& summary, const ShownColumns& columns,
                         const auto& summaryOf) {
    std::vector<std::string> titles = {"", ""};
    std::vector<std::string> names = {"category", "n"};
    const std::vector<std::string> meshes = networkMeshes(summary.meshes);
    for (const ShownColumn& column : columns) {
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            titles.emplace_back(i + 1 == meshes.size() ? column.title : "");
            names.push_back(meshes[i]);
            if (i == 0) continue;
            titles.emplace_back();
            names.emplace_back("Δ");
        }
    }
    if (meshes.size() > 1) titles.emplace_back();
    if (meshes.size() > 1) names.emplace_back("worse");
    return groupTable(summary, titles, names, [&](const GroupSummary& group) {
        const MeasureSummary& shown = summaryOf(group);
        const bool named = !group.category.empty() && group.category != group.name;
        std::vector<std::string> row = {named ? group.name + ' ' + group.category : group.name,
                                        fmt::format("{}", shown.sampleCount)};
        for (const ShownColumn& column : columns) {
            const StatisticsByMesh& compared = shown.measures[column.measure];
            for (std::size_t i = 0; i < meshes.size(); ++i) {
                const MeshStatistics& statistics = *compared.find(meshes[i]);
                row.push_back(cellOf(statistics.values, column, false));
                if (i > 0) row.push_back(cellOf(statistics.change, column, true));
            }
        }
        if (meshes.size() > 1) row.push_back(fmt::format("{}", shown.regressedCount));
        return row;
    });
}

std::string protocolTable(const EvaluationRun& run, const EvaluationSummary& summary,
                          std::size_t protocol) {
    const RunIdentity& identity = run.description.identity;
    const Protocol current = identity.measures.protocols[protocol];
    const std::vector<std::string> network = networkMeshes(summary.meshes);
    return fmt::format(
        "{} protocol: {}\n"
        "  CD   mean squared distances to and from the truth, added, in 10⁻⁴ object units²;\n"
        "       less is better\n"
        "  F    at τ = {:g} object units² of squared distance, and at 2τ, in %; more is better\n"
        "{}"
        "  Means over n samples{}.\n\n"
        "{}",
        protocolName(current), protocolDescription(current), identity.measures.tau,
        network.size() > 1 ? fmt::format("  Δ    {} − {}\n", network.back(), network.front())
                           : std::string(),
        network.size() > 1 ? fmt::format("; worse: how many of them have a larger CD {} than {}",
                                         network.back(), network.front())
                           : std::string(),
        measureTable(
            summary, paperColumns(), [&](const GroupSummary& group) -> const auto& {
                return group.protocols[protocol];
            }));
}

std::string silhouetteTable(const EvaluationSummary& summary) {
    const std::vector<std::string> network = networkMeshes(summary.meshes);
    return fmt::format(
        "silhouettes: the meshes against the photographs they were made from; no truth is needed\n"
        "  overlap   intersection over union, 0 to 1; more is better\n"
        "  outlines  mean distance between the two outlines, in photograph pixels; less is better\n"
        "  Means over n samples{}.\n\n"
        "{}",
        network.size() > 1 ? fmt::format("; worse: how many of them overlap less {} than {}",
                                         network.back(), network.front())
                           : std::string(),
        measureTable(
            summary, silhouetteColumns(),
            [](const GroupSummary& group) -> const auto& { return group.silhouettes; }));
}

/// Means and changes of the fit under each protocol and in silhouettes.
std::string fittedTable(const EvaluationRun& run, const EvaluationSummary& summary) {
    const ShownColumns paper = paperColumns();
    const ShownColumn overlap = silhouetteColumns().front();
    std::vector<std::string> titles = {"", ""};
    std::vector<std::string> names = {"category", "n"};
    for (const Protocol protocol : run.description.identity.measures.protocols)
        for (const ShownColumn& column : paper) {
            titles.insert(titles.end(), {fmt::format("{} {}", protocolName(protocol), column.title),
                                         std::string()});
            names.insert(names.end(), {"fitted", "Δ"});
        }
    titles.insert(titles.end(), {overlap.title, std::string()});
    names.insert(names.end(), {"fitted", "Δ"});
    const std::string table = groupTable(summary, titles, names, [&](const GroupSummary& group) {
        std::vector<std::string> row = {group.name, "0"};
        const auto addCells = [&](const MeasureSummary& shown, const ShownColumn& column) {
            const StatisticsByMesh& compared = shown.measures[column.measure];
            const MeshStatistics* const fitStatistics = compared.fitted();
            const MeshStatistics fitted =
                fitStatistics != nullptr ? *fitStatistics : MeshStatistics{};
            row.push_back(cellOf(fitted.values, column, false));
            row.push_back(cellOf(fitted.change, column, true));
            if (fitted.values) row[1] = fmt::format("{}", fitted.values->count);
        };
        for (const MeasureSummary& protocol : group.protocols)
            for (const ShownColumn& column : paper) addCells(protocol, column);
        addCells(group.silhouettes, overlap);
        return row;
    });
    return fmt::format(
        "fitted: the {0} meshes, fitted to photographs ({1}); not comparable with published "
        "numbers\n  Δ    fitted − {0}\n\n{2}",
        networkMeshes(summary.meshes).back(), *run.description.identity.fit, table);
}

}  // namespace

std::string paperTable(const EvaluationRun& run, const EvaluationSummary& summary) {
    std::string text;
    const GroupSummary& all = summary.all;
    const std::size_t scored = all.protocols.front().sampleCount;
    for (std::size_t i = 0; scored > 0 && i < run.description.identity.measures.protocols.size();
         ++i)
        text += protocolTable(run, summary, i) + '\n';
    if (all.silhouettes.sampleCount > 0) text += silhouetteTable(summary) + '\n';
    if (run.description.identity.fit) text += fittedTable(run, summary) + '\n';
    text +=
        fmt::format("{} of {} samples done", all.sampleCount - all.failedCount, all.sampleCount);
    if (all.failedCount > 0) text += fmt::format(", {} failed", all.failedCount);
    if (all.withoutTruthCount > 0)
        text += fmt::format(", {} without a truth", all.withoutTruthCount);
    if (scored > 0)
        text += fmt::format("; refinement made {} worse (a larger CD)",
                            all.protocols.front().regressedCount);
    text += '\n';
    if (const auto& network = summary.time.network) {
        text += fmt::format(
            "network alone: {:.2f} ± {:.2f} ms a sample, median {:.2f}, {:.2f} samples/s\n",
            network->mean, network->standardDeviation, network->median,
            summary.time.samplesPerSecond);
        text += summary.time.bottleneckText + '\n';
    }
    return text;
}

}  // namespace threefold
