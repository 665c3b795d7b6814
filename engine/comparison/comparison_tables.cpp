#include "engine/comparison/comparison_tables.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/comparison/comparison_texts.h"
#include "engine/evaluation/report/json_parts.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

constexpr double kPercent = 100.0;
constexpr std::string_view kNetworkKey = "network";  // a SpeedUp::key; all others are run steps
constexpr std::size_t kShownSamples = 10;
// With fewer samples, the 95th percentile is the maximum.
constexpr std::size_t kMinForPercentile = 20;
constexpr std::array<const char*, 4> kShownMeasures = {"f_tau", "chamfer", "f_2tau", "overlap"};

/// Highlights the last row's cell `column` if the difference has a verdict.
void highlight(ComparisonTable& table, std::size_t column, const ComparedMeasure& each) {
    if (const std::optional<bool> better = each.secondIsBetter())
        table.highlightedCells.push_back({table.rows.size() - 1, column, *better});
}

/// Appends the means of A, B and their difference.
void addMeans(std::vector<std::string>& row, Unit unit, const PairedStatistics& column) {
    row.push_back(shownNumber(unit, column.first.mean));
    row.push_back(shownNumber(unit, column.second.mean));
    row.push_back(shownNumber(unit, column.difference.mean, true));
}

/// Sum of the run steps' means; 0 without run steps.
double sumOfSteps(const Comparison& comparison, Statistics SpeedUp::*side) {
    double sum = 0;
    for (const SpeedUp& time : comparison.speedUps)
        if (time.key != kNetworkKey) sum += (time.*side).mean;
    return sum;
}

/// The network's slowest run step by the means of one run; nullopt without steps of both runs.
std::optional<SlowestStep> slowestOf(const Comparison& comparison, Statistics SpeedUp::*side) {
    StepTimings means;
    for (const RunStep step : kAllRunSteps) {
        const auto found = std::ranges::find(comparison.speedUps, runStepName(step), &SpeedUp::key);
        if (found != comparison.speedUps.end()) means.push_back({step, ((*found).*side).mean});
    }
    return slowestStep(means);
}

ComparisonTable qualityTable(const Comparison& comparison) {
    ComparisonTable table{ComparisonTable::Kind::quality, "lrrrlrrr", {}, {}};
    table.rows.push_back({"", "A", "B", "B − A", "95 % interval", "better", "worse", "equal"});
    std::vector<std::string> correlations;
    for (const char* key : kShownMeasures) {
        const ComparedMeasure* const each = comparison.all.find(key);
        if (each == nullptr) continue;
        const PairedStatistics& column = each->statistics;
        table.rows.push_back({titleWithUnit(*each->measure)});
        addMeans(table.rows.back(), each->measure->unit, column);
        table.rows.back().push_back(intervalText(each->measure->unit, column.difference));
        for (const std::size_t samples :
             {each->betterCount(), each->worseCount(), column.similarCount})
            table.rows.back().push_back(std::to_string(samples));
        highlight(table, 3, *each);
        if (column.correlation && column.first.count >= PairedStatistics::kMinCorrelationCount)
            correlations.push_back(
                fmt::format("{} {:.2f}", each->measure->title, *column.correlation));
    }
    table.notes.emplace_back(
        "better, worse: samples where B differs from A by more than 1 % of A's value; equal: the "
        "others");
    if (!correlations.empty())
        table.notes.push_back(fmt::format("correlation of A and B over the samples: {}",
                                          fmt::join(correlations, ", ")));
    if (!comparison.meshes) return table;
    const MeshDistances& meshes = *comparison.meshes;
    table.notes.push_back(fmt::format(
        "meshes {:.3g} apart in the mean, 99.5 % at most {:.3g}, largest {:.3g} object units ({})",
        meshes.mean, meshes.p995, meshes.max,
        meshes.vertexByVertexCount == meshes.sampleCount ? "vertex by vertex" : "nearest points"));
    return table;
}

/// A ÷ B of a time and its interval; dashes where the times are not comparable.
std::array<std::string, 2> ratioCells(const Comparison& comparison, const SpeedUp& time) {
    if (comparison.isOnlyOneFitted) return {"–", "–"};
    return {fmt::format("{:.3f}×", time.ratio),
            !time.first.hasInterval()
                ? "–"
                : fmt::format("{:.3f} … {:.3f}", time.intervalLow, time.intervalHigh)};
}

ComparisonTable timeTable(const Comparison& comparison) {
    ComparisonTable table{
        ComparisonTable::Kind::times, "lrrrl", {{"", "A", "B", "A ÷ B", "95 % interval"}}, {}};
    const auto add = [&](const char* name, const auto& shown) {
        const std::string a = shown(comparison.firstTimes);
        const std::string b = shown(comparison.secondTimes);
        if (a != "–" || b != "–") table.rows.push_back({name, a, b, "", ""});
    };
    const auto addTime = [&](const char* name, std::optional<Statistics> RunTimeStatistics::*column,
                             double Statistics::*value) {
        add(name, [&](const RunTimeStatistics& times) {
            const std::optional<Statistics>& statistics = times.*column;
            return statistics ? fmt::format("{:.2f}", (*statistics).*value) : std::string("–");
        });
    };
    addTime("network, ms a sample", &RunTimeStatistics::network, &Statistics::mean);
    if (!comparison.speedUps.empty() && comparison.speedUps.front().key == kNetworkKey) {
        const auto [ratio, interval] = ratioCells(comparison, comparison.speedUps.front());
        table.rows.back()[3] = ratio;
        table.rows.back()[4] = interval;
    }
    addTime("with preprocessing, ms", &RunTimeStatistics::total, &Statistics::mean);
    if (comparison.pairs.size() >= kMinForPercentile)
        addTime("95th percentile, ms", &RunTimeStatistics::network, &Statistics::p95);
    addTime("slowest sample, ms", &RunTimeStatistics::network, &Statistics::max);
    add("samples a second", [](const RunTimeStatistics& times) {
        return times.network ? fmt::format("{:.2f}", kMillisecondsPerSecond / times.network->mean)
                             : std::string("–");
    });
    addTime("fit, ms a sample", &RunTimeStatistics::fit, &Statistics::mean);
    const auto first = slowestOf(comparison, &SpeedUp::first);
    const auto second = slowestOf(comparison, &SpeedUp::second);
    if (first && second) {
        const auto shown = [](const SlowestStep& slowest) {
            return fmt::format("{}, {:.1f} %", runStepName(slowest.step),
                               kPercent * slowest.fraction);
        };
        table.rows.push_back(
            {"slowest step of the network", shown(*first), shown(*second), "", ""});
        table.notes.push_back("slowest step in A: " + first->text());
        table.notes.push_back("slowest step in B: " + second->text());
    }
    if (comparison.isOnlyOneFitted) table.notes.push_back(timeVerdictText(comparison));
    return table;
}

ComparisonTable networkStepTable(const Comparison& comparison) {
    ComparisonTable table{ComparisonTable::Kind::networkSteps, "lrrrrrl", {}, {}};
    table.rows.push_back({"", "A, ms", "%", "B, ms", "%", "A ÷ B", "95 % interval"});
    const double firstSum = sumOfSteps(comparison, &SpeedUp::first);
    const double secondSum = sumOfSteps(comparison, &SpeedUp::second);
    for (const SpeedUp& time : comparison.speedUps) {
        const bool isWhole = time.key == kNetworkKey;
        const auto fraction = [&](double mean, double sum) {
            return isWhole ? std::string() : fmt::format("{:.1f}", kPercent * mean / sum);
        };
        const auto [ratio, interval] = ratioCells(comparison, time);
        table.rows.push_back(
            {isWhole ? time.key : "  " + time.key, fmt::format("{:.2f}", time.first.mean),
             fraction(time.first.mean, firstSum), fmt::format("{:.2f}", time.second.mean),
             fraction(time.second.mean, secondSum), ratio, interval});
    }
    return table;
}

ComparisonTable categoryTable(const Comparison& comparison) {
    ComparisonTable table{ComparisonTable::Kind::categories, "lrrrrlrrr", {}, {}};
    table.rows.push_back(
        {"", "n", "F(τ) A", "B", "B − A", "95 % interval", "CD, 10⁻⁴ A", "B", "B − A"});
    for (const ComparedGroup& group : comparison.categories) {
        const ComparedMeasure* f = group.find("f_tau");
        const ComparedMeasure* chamfer = group.find("chamfer");
        if (f == nullptr || chamfer == nullptr) continue;
        table.rows.push_back({group.name, std::to_string(group.sampleCount)});
        addMeans(table.rows.back(), Unit::percent, f->statistics);
        table.rows.back().push_back(intervalText(Unit::percent, f->statistics.difference));
        addMeans(table.rows.back(), Unit::squaredDistance, chamfer->statistics);
        highlight(table, 4, *f);
        highlight(table, 8, *chamfer);
    }
    return table;
}

ComparisonTable differingTable(const ComparedRun& first, const Comparison& comparison) {
    ComparisonTable table{ComparisonTable::Kind::differingSamples, "lrrrr", {}, {}};
    table.rows.push_back({"", "F(τ) A", "B", "B − A", "largest distance"});
    for (std::size_t i = 0; i < std::min(kShownSamples, comparison.pairs.size()); ++i) {
        const SamplePair& each = comparison.pairs[i];
        std::vector<std::string> row{first.evaluation.records[each.firstRecordIndex].name, "–", "–",
                                     "–", "–"};
        if (each.fScore) {
            row[1] = shownNumber(Unit::percent, each.fScore->first);
            row[2] = shownNumber(Unit::percent, each.fScore->second);
            row[3] = shownNumber(Unit::percent, each.fScoreDifference(), true);
        }
        if (each.maxMeshDistance) row[4] = fmt::format("{:.3g}", *each.maxMeshDistance);
        table.rows.push_back(std::move(row));
    }
    return table;
}

using OrderedJson = nlohmann::ordered_json;

OrderedJson columnJson(const ComparedMeasure& each) {
    const PairedStatistics& column = each.statistics;
    return {{"a", statisticsJson(column.first)},
            {"b", statisticsJson(column.second)},
            {"difference", statisticsJson(column.difference)},
            {"correlation", numberJson(column.correlation)},
            {"within_1_percent", column.similarCount},
            {"better", each.betterCount()},
            {"worse", each.worseCount()}};
}

OrderedJson groupJson(const ComparedGroup& group) {
    OrderedJson json = {{"category", group.category},
                        {"name", group.name},
                        {"samples", group.sampleCount},
                        {"measures", OrderedJson::object()}};
    for (const ComparedMeasure& each : group.measures)
        json["measures"][each.measure->key] = columnJson(each);
    return json;
}

OrderedJson sideJson(const ComparedRun& side, const RunTimeStatistics& times) {
    const RunDescription& description = side.evaluation.description;
    return {{"name", side.name},
            {"backend", description.backendDescription},
            {"precision", description.identity.precision},
            {"model_hash", description.identity.modelHash},
            {"samples", side.evaluation.records.size()},
            {"network_ms", statisticsJson(times.network)},
            {"total_ms", statisticsJson(times.total)},
            {"fit_ms", statisticsJson(times.fit)}};
}

}  // namespace

std::string runLetter(std::size_t index) {
    std::string letters;
    for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
    return letters;
}

std::string_view ComparisonTable::title() const {
    switch (kind) {
        case Kind::quality:
            return "quality";
        case Kind::times:
            return "times";
        case Kind::networkSteps:
            return "stages of the network";
        case Kind::categories:
            return "categories";
        case Kind::differingSamples:
            return "samples that differ most";
    }
    return {};
}

std::string titleWithUnit(const MeasureDescription& measure) {
    if (measure.unit == Unit::squaredDistance) return fmt::format("{}, 10⁻⁴", measure.title);
    if (measure.unit == Unit::percent) return fmt::format("{}, %", measure.title);
    return std::string(measure.title);
}

std::string intervalText(Unit unit, const Statistics& difference) {
    if (!difference.hasInterval()) return "–";
    return fmt::format("{} … {}", shownNumber(unit, difference.intervalLow, true),
                       shownNumber(unit, difference.intervalHigh, true));
}

std::vector<ComparisonTable> comparisonTables(const ComparedRun& first,
                                              const Comparison& comparison) {
    std::vector<ComparisonTable> tables{qualityTable(comparison)};
    if (ComparisonTable times = timeTable(comparison); times.rows.size() > 1)
        tables.push_back(std::move(times));
    if (comparison.speedUps.size() > 1) tables.push_back(networkStepTable(comparison));
    if (comparison.categories.size() > 1) tables.push_back(categoryTable(comparison));
    tables.push_back(differingTable(first, comparison));
    return tables;
}

OrderedJson comparisonJson(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& comparison) {
    OrderedJson json = {
        {"a", sideJson(first, comparison.firstTimes)},
        {"b", sideJson(second, comparison.secondTimes)},
        {"remarks",
         jsonArray(comparison.remarks, [](const ComparisonRemark& remark) { return remark.text; })},
        {"missing", comparison.onlyInFirstCount},
        {"protocol", protocolName(comparison.protocol)},
        {"verdict", verdictText(comparison)},
        {"agreement", numberJson(comparison.minCorrelationPercent())},
        {"one_fitted", comparison.isOnlyOneFitted}};
    json["times"] = jsonArray(comparison.speedUps, [](const SpeedUp& time) -> OrderedJson {
        return {{"key", time.key},
                {"title", time.title},
                {"a", statisticsJson(time.first)},
                {"b", statisticsJson(time.second)},
                {"speedup", time.ratio},
                {"low", time.intervalLow},
                {"high", time.intervalHigh}};
    });
    json["all"] = groupJson(comparison.all);
    json["categories"] = jsonArray(comparison.categories,
                                   [](const ComparedGroup& group) { return groupJson(group); });
    json["meshes"] = nullptr;
    if (comparison.meshes)
        json["meshes"] = {{"samples", comparison.meshes->sampleCount},
                          {"vertex_by_vertex", comparison.meshes->vertexByVertexCount},
                          {"mean", comparison.meshes->mean},
                          {"p99_5", comparison.meshes->p995},
                          {"largest", comparison.meshes->max}};
    json["samples"] = jsonArray(comparison.pairs, [&](const SamplePair& each) -> OrderedJson {
        const SampleRecord& before = first.evaluation.records[each.firstRecordIndex];
        const SampleRecord& after = second.evaluation.records[each.secondRecordIndex];
        const auto both = [](const std::optional<PairedValue>& values) -> OrderedJson {
            if (!values) return nullptr;
            return {values->first, values->second};
        };
        return {{"name", before.name},
                {"f_tau", both(each.fScore)},
                {"chamfer", both(each.chamfer)},
                {"overlap", both(each.overlap)},
                {"distance", numberJson(each.maxMeshDistance)},
                {"network_ms", {before.times.network, after.times.network}}};
    });
    return json;
}

}  // namespace threefold
