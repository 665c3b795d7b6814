#include "engine/comparison/compare_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/run/run_differences.h"
#include "engine/evaluation/run/run_display.h"
#include "engine/numerics/statistics.h"

namespace threefold {
namespace {

std::set<std::string> machinesOf(const RunDescription& description) {
    std::set<std::string> machines;
    for (const MachineDescription& machine : description.machines)
        machines.insert(fmt::format("{}, {} threads", machine.processor, machine.threads));
    return machines;
}

std::set<std::string> gpusOf(const RunDescription& description) {
    std::set<std::string> gpus;
    for (const MachineDescription& machine : description.machines)
        if (!machine.gpu.empty()) gpus.insert(machine.gpu);
    return gpus;
}

using ValuePairs = std::vector<PairedValue>;

std::optional<double> correlationOf(const ValuePairs& values, double firstMean, double secondMean) {
    if (std::ranges::all_of(values, [](const auto& pair) { return pair.first == pair.second; }))
        return 1;
    if (values.size() < PairedStatistics::kMinCorrelationCount) return std::nullopt;
    double products = 0;
    double firstSquares = 0;
    double secondSquares = 0;
    for (const auto& [a, b] : values) {
        products += (a - firstMean) * (b - secondMean);
        firstSquares += (a - firstMean) * (a - firstMean);
        secondSquares += (b - secondMean) * (b - secondMean);
    }
    if (firstSquares <= 0 || secondSquares <= 0) return std::nullopt;
    return products / std::sqrt(firstSquares * secondSquares);
}

std::optional<PairedStatistics> pairedStatisticsOf(const ValuePairs& values) {
    std::array<std::vector<double>, 3> columns;
    std::size_t similar = 0;
    std::size_t higher = 0;
    for (const auto& [a, b] : values) {
        columns[0].push_back(a);
        columns[1].push_back(b);
        columns[2].push_back(b - a);
        similar += isSimilar(a, b) ? 1 : 0;
        higher += !isSimilar(a, b) && b > a ? 1 : 0;
    }
    const auto statistics = statisticsOf(columns);
    if (!statistics[0]) return std::nullopt;
    return PairedStatistics{*statistics[0],
                            *statistics[1],
                            *statistics[2],
                            correlationOf(values, statistics[0]->mean, statistics[1]->mean),
                            similar,
                            higher,
                            values.size() - similar - higher};
}

/// Speed-up over the pairs with both times; nullopt if there are none.
std::optional<SpeedUp> speedUpOf(std::string key, std::string_view title,
                                 const ValuePairs& values) {
    std::array<std::vector<double>, 3> columns;
    for (const auto& [a, b] : values) {
        if (!(a > 0) || !(b > 0)) continue;
        columns[0].push_back(a);
        columns[1].push_back(b);
        columns[2].push_back(std::log(a / b));
    }
    const auto statistics = statisticsOf(columns);
    if (!statistics[2]) return std::nullopt;
    const Statistics& ratio = *statistics[2];
    return SpeedUp{std::move(key),
                   std::string(title),
                   *statistics[0],
                   *statistics[1],
                   std::exp(ratio.mean),
                   std::exp(ratio.intervalLow),
                   std::exp(ratio.intervalHigh)};
}

double stepMilliseconds(const SampleRecord& record, RunStep step) {
    const auto found = std::ranges::find(record.times.steps, step, &StepTiming::step);
    return found == record.times.steps.end() ? 0 : found->milliseconds;
}

class Comparer {
  public:
    Comparer(const ComparedRun& first, const ComparedRun& second, Protocol protocol)
        : first_(first), second_(second) {
        result_.protocol = protocol;
        for (const ComparedRun* run : {&first, &second})
            if (std::ranges::count(run->evaluation.description.identity.measures.protocols,
                                   protocol) == 0)
                throw InputError(
                    {run->name, "",
                     fmt::format("was not scored under the {} protocol", protocolName(protocol)),
                     "Name another one (`protocol`), or evaluate it anew."});
    }

    Comparison compare() && {
        pairSamples();
        result_.all = {"", "all", result_.pairs.size(), measuresOf(result_.pairs)};
        std::map<std::string, std::vector<SamplePair>> categories;
        for (const SamplePair& each : result_.pairs)
            categories[firstRecord(each).category].push_back(each);
        for (const auto& [category, pairs] : categories)
            result_.categories.push_back(
                {category, displayCategory(category), pairs.size(), measuresOf(pairs)});
        compareTimes();
        compareMeshes();
        addRemarks();
        const auto difference = [&](const SamplePair& each) {
            return std::pair(std::abs(each.fScoreDifference()), each.maxMeshDistance.value_or(0));
        };
        std::ranges::stable_sort(result_.pairs, std::ranges::greater(), difference);
        return std::move(result_);
    }

  private:
    const SampleRecord& firstRecord(const SamplePair& each) const {
        return first_.evaluation.records[each.firstRecordIndex];
    }
    const SampleRecord& secondRecord(const SamplePair& each) const {
        return second_.evaluation.records[each.secondRecordIndex];
    }

    /// Scores of the sample's best mesh in the first and the second run; null where a run has none.
    std::pair<const Scores*, const Scores*> scoresOf(const SamplePair& each) const {
        const auto best = [&](const SampleRecord& record) -> const Scores* {
            const SampleScores* const scores = record.scoresUnder(result_.protocol);
            return scores != nullptr ? &scores->best() : nullptr;
        };
        return {best(firstRecord(each)), best(secondRecord(each))};
    }

    void pairSamples() {
        std::map<std::string_view, std::size_t> unpaired;
        for (std::size_t i = 0; i < second_.evaluation.records.size(); ++i)
            if (second_.evaluation.records[i].succeeded())
                unpaired.emplace(second_.evaluation.records[i].name, i);
        for (std::size_t i = 0; i < first_.evaluation.records.size(); ++i) {
            const SampleRecord& record = first_.evaluation.records[i];
            if (!record.succeeded()) continue;
            const auto found = unpaired.find(record.name);
            if (found == unpaired.end()) {
                ++result_.onlyInFirstCount;
                continue;
            }
            SamplePair each{i, found->second};
            if (const auto [a, b] = scoresOf(each); a != nullptr && b != nullptr) {
                each.fScore = PairedValue{a->measures.atTau().fScore, b->measures.atTau().fScore};
                each.chamfer = PairedValue{a->measures.chamfer, b->measures.chamfer};
                each.isSimilar = isSimilar(each.fScore->first, each.fScore->second) &&
                                 isSimilar(a->measures.chamfer, b->measures.chamfer);
            }
            const MeansByMesh a = meansOf(record.silhouettes);
            const MeansByMesh b = meansOf(secondRecord(each).silhouettes);
            if (!a.empty() && !b.empty())
                each.overlap = PairedValue{a.best().overlap, b.best().overlap};
            result_.pairs.push_back(each);
            unpaired.erase(found);
        }
        if (result_.pairs.empty())
            throw InputError(
                {second_.name, "", "no sample is done both in it and in " + first_.name,
                 "Compare runs over the same list; the failed samples are named above."});
        for (const auto& [run, only] :
             {std::pair(&first_, result_.onlyInFirstCount), std::pair(&second_, unpaired.size())})
            if (only > 0)
                addRemark(ComparisonRemark::Kind::missing,
                          fmt::format("{} sample{} done in {} only: not compared", only,
                                      only == 1 ? "" : "s", run->name));
    }

    std::vector<ComparedMeasure> measuresOf(const std::vector<SamplePair>& pairs) const {
        std::vector<ComparedMeasure> compared;
        const auto add = [&](const MeasureDescription& measure, const auto& valuesOf) {
            ValuePairs values;
            for (const SamplePair& each : pairs)
                if (const auto [a, b] = valuesOf(each); a && b) values.push_back({*a, *b});
            if (auto column = pairedStatisticsOf(values)) compared.push_back({&measure, *column});
        };
        for (const TruthMeasure& measure : truthMeasures())
            add(measure, [&](const SamplePair& each) {
                const auto [a, b] = scoresOf(each);
                return std::pair(a ? measure.value(*a) : std::nullopt,
                                 b ? measure.value(*b) : std::nullopt);
            });
        for (const SilhouetteMeasure& measure : silhouetteMeasures()) {
            const auto valueOf = [&](const SampleRecord& record) {
                const MeansByMesh means = meansOf(record.silhouettes);
                return means.empty() ? std::nullopt : measure.value(means.best());
            };
            add(measure, [&](const SamplePair& each) {
                return std::pair(valueOf(firstRecord(each)), valueOf(secondRecord(each)));
            });
        }
        return compared;
    }

    RunTimeStatistics timesOf(const ComparedRun& run, std::size_t SamplePair::*record) const {
        std::array<std::vector<double>, 2> columns;
        std::vector<double> fits;
        for (const SamplePair& each : result_.pairs) {
            const SampleTimes& times = run.evaluation.records[each.*record].times;
            if (!(times.network > 0)) return {};
            columns[0].push_back(times.network);
            columns[1].push_back(times.preprocess + times.network);
            if (times.fit) fits.push_back(*times.fit);
        }
        const auto statistics = statisticsOf(columns);
        return {statistics[0], statistics[1], statisticsOf({&fits, 1}).front()};
    }

    void compareTimes() {
        result_.firstTimes = timesOf(first_, &SamplePair::firstRecordIndex);
        result_.secondTimes = timesOf(second_, &SamplePair::secondRecordIndex);
        result_.isOnlyOneFitted =
            result_.firstTimes.fit.has_value() != result_.secondTimes.fit.has_value();
        const auto add = [&](std::string key, std::string_view title, const auto& time) {
            ValuePairs values;
            for (const SamplePair& each : result_.pairs)
                values.push_back({time(firstRecord(each)), time(secondRecord(each))});
            if (auto speedUp = speedUpOf(std::move(key), title, values))
                result_.speedUps.push_back(*std::move(speedUp));
        };
        add("network", "Both stages, without reading and preprocessing",
            [](const SampleRecord& record) { return record.times.network; });
        for (const RunStep step : kAllRunSteps) {
            if (!isNetworkStep(step)) continue;
            add(std::string(runStepName(step)), runStepDescription(step),
                [&](const SampleRecord& record) { return stepMilliseconds(record, step); });
        }
    }

    void compareMeshes() {
        if (!first_.readMesh || !second_.readMesh) return;
        MeshDistanceAccumulator sums;
        for (SamplePair& each : result_.pairs)
            each.maxMeshDistance =
                sums.add(first_.readMesh(firstRecord(each)), second_.readMesh(secondRecord(each)));
        result_.meshes = sums.distances();
    }

    void addRemark(ComparisonRemark::Kind kind, std::string text) {
        result_.remarks.push_back({kind, std::move(text)});
    }

    void addRemarks() {
        const RunDescription& a = first_.evaluation.description;
        const RunDescription& b = second_.evaluation.description;
        const bool bothOurs = !a.identity.modelHash.empty() && !b.identity.modelHash.empty();
        const std::vector<RunDifference> differences = differencesToMerge(a, b);
        if (bothOurs && !differences.empty()) {
            const bool isFitAlone =
                differences.size() == 1 && differences.front().field == RunField::fit;
            addRemark(isFitAlone ? ComparisonRemark::Kind::fit : ComparisonRemark::Kind::settings,
                      differencesText(differences, "in A", "in B"));
        }
        if (!result_.speedUps.empty() && machinesOf(a) != machinesOf(b))
            addRemark(
                ComparisonRemark::Kind::machines,
                "Times were measured on different machines or with different numbers of threads.");
        if (const std::set<std::string> gpus = gpusOf(a), others = gpusOf(b);
            !result_.speedUps.empty() && !gpus.empty() && !others.empty() && gpus != others)
            addRemark(ComparisonRemark::Kind::machines, "Times were measured on different GPUs.");
        for (const SamplePair& each : result_.pairs)
            if (std::string difference = truthDifference(each); !difference.empty()) {
                addRemark(ComparisonRemark::Kind::truth,
                          fmt::format("{} ({}): measures are not comparable", difference,
                                      firstRecord(each).name));
                return;
            }
    }

    /// How a sample's truths differ; empty if no difference is known.
    std::string truthDifference(const SamplePair& each) const {
        const auto [before, after] = scoresOf(each);
        if (before == nullptr || after == nullptr) return {};
        if (before->truthPoints != after->truthPoints)
            return fmt::format("The truth has {} points in {}, {} in {}", before->truthPoints,
                               first_.name, after->truthPoints, second_.name);
        const SampleRecord& a = firstRecord(each);
        const SampleRecord& b = secondRecord(each);
        if (!a.truthHash || !b.truthHash || a.truthHash == b.truthHash) return {};
        return fmt::format("The truth of {} is {}, that of {} is {}, with other content",
                           first_.name, a.truth, second_.name, b.truth);
    }

    const ComparedRun& first_;
    const ComparedRun& second_;
    Comparison result_;
};

}  // namespace

Comparison compareRuns(const ComparedRun& first, const ComparedRun& second, Protocol protocol) {
    return Comparer(first, second, protocol).compare();
}

}  // namespace threefold
