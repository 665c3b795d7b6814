#include "engine/comparison/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/error.h"
#include "engine/evaluation/summary.h"
#include "engine/metrics/nearest.h"
#include "engine/sample/data_set.h"

namespace threefold {
namespace {

constexpr double kWithin = 0.01;

using Pairs = std::vector<std::pair<double, double>>;

std::optional<double> correlationOf(const Pairs& values, double firstMean, double secondMean) {
    if (std::ranges::all_of(values, [](const auto& each) { return each.first == each.second; }))
        return 1;
    double both = 0;
    double first = 0;
    double second = 0;
    for (const auto& [a, b] : values) {
        both += (a - firstMean) * (b - secondMean);
        first += (a - firstMean) * (a - firstMean);
        second += (b - secondMean) * (b - secondMean);
    }
    if (first <= 0 || second <= 0) return std::nullopt;
    return both / std::sqrt(first * second);
}

std::optional<PairedColumn> columnOf(const Pairs& values) {
    std::array<std::vector<double>, 3> columns;
    std::size_t within = 0;
    for (const auto& [a, b] : values) {
        columns[0].push_back(a);
        columns[1].push_back(b);
        columns[2].push_back(b - a);
        within += std::abs(b - a) <= kWithin * std::abs(a) ? 1 : 0;
    }
    const auto statistics = statisticsOf(columns);
    if (!statistics[0]) return std::nullopt;
    return PairedColumn{*statistics[0], *statistics[1], *statistics[2],
                        correlationOf(values, statistics[0]->mean, statistics[1]->mean), within};
}

/// None where a time is missing.
std::optional<SpeedUp> speedUpOf(std::string key, std::string_view title, const Pairs& values) {
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
    return SpeedUp{std::move(key),       std::string(title),  *statistics[0],      *statistics[1],
                   std::exp(ratio.mean), std::exp(ratio.low), std::exp(ratio.high)};
}

double timeOf(const SampleRecord& record, Stage stage) {
    const auto found = std::ranges::find(record.times.stages, stage, &StageTiming::stage);
    return found == record.times.stages.end() ? 0 : found->milliseconds;
}

/// Adds the distances between two meshes; returns whether they are vertex by vertex.
bool addDistances(const Mesh& first, const Mesh& second, std::vector<double>& distances) {
    if (first.vertices.size() == second.vertices.size()) {
        for (std::size_t i = 0; i < first.vertices.size(); ++i)
            distances.push_back(
                glm::distance(glm::dvec3(first.vertices[i]), glm::dvec3(second.vertices[i])));
        return true;
    }
    const CloudPair clouds{first.vertices, second.vertices};
    const NearestPair nearest = nearestBothWays({&clouds, 1}).pairs.front();
    for (const Nearest* way : {&nearest.firstToSecond, &nearest.secondToFirst})
        for (const double squared : way->squaredDistance) distances.push_back(std::sqrt(squared));
    return false;
}

class Comparing {
  public:
    Comparing(const ComparedRun& first, const ComparedRun& second)
        : first_(first), second_(second) {
        const auto both = std::ranges::find_first_of(first.run.about.identity.protocols,
                                                     second.run.about.identity.protocols);
        if (both == first.run.about.identity.protocols.end())
            throw InputError({second.name, "", "was not scored under a protocol of " + first.name,
                              "Evaluate both with --protocol both."});
        made_.protocol = *both;
    }

    Comparison compare() && {
        pair();
        made_.all = {"", "all", made_.pairs.size(), measuresOf(made_.pairs)};
        std::map<std::string, std::vector<SamplePair>> categories;
        for (const SamplePair& each : made_.pairs)
            categories[recordOf(each).category].push_back(each);
        for (const auto& [category, pairs] : categories) {
            std::string name = categoryName(category);
            if (name.empty()) name = category.empty() ? "no category" : category;
            made_.categories.push_back({category, name, pairs.size(), measuresOf(pairs)});
        }
        compareTimes();
        compareMeshes();
        remark();
        const auto apart = [&](const SamplePair& each) {
            return std::pair(std::abs(changeOf(each)), each.distance.value_or(0));
        };
        std::ranges::stable_sort(made_.pairs, std::ranges::greater(), apart);
        return std::move(made_);
    }

  private:
    const SampleRecord& recordOf(const SamplePair& each) const {
        return first_.run.records[each.first];
    }
    const SampleRecord& otherOf(const SamplePair& each) const {
        return second_.run.records[each.second];
    }

    /// Of F(τ); 0 without scores.
    double changeOf(const SamplePair& each) const {
        const ScorePair* before = recordOf(each).under(made_.protocol);
        const ScorePair* after = otherOf(each).under(made_.protocol);
        if (before == nullptr || after == nullptr) return 0;
        return after->refined.measures.atTau().f - before->refined.measures.atTau().f;
    }

    void pair() {
        std::map<std::string_view, std::size_t> known;
        for (std::size_t i = 0; i < second_.run.records.size(); ++i)
            if (second_.run.records[i].done()) known.emplace(second_.run.records[i].name, i);
        std::size_t alone = 0;
        for (std::size_t i = 0; i < first_.run.records.size(); ++i) {
            const SampleRecord& record = first_.run.records[i];
            if (!record.done()) continue;
            const auto found = known.find(record.name);
            if (found == known.end())
                ++alone;
            else
                made_.pairs.push_back({i, found->second, {}});
        }
        if (made_.pairs.empty())
            throw InputError({second_.name, "", "has no sample done that " + first_.name + " has",
                              "Compare runs over the same list."});
        for (const auto& [run, only] :
             {std::pair(&first_, alone), std::pair(&second_, known.size() - made_.pairs.size())})
            if (only > 0)
                made_.remarks.push_back(fmt::format("{} sample{} only {} has done: not compared",
                                                    only, only == 1 ? "" : "s", run->name));
    }

    std::vector<ComparedMeasure> measuresOf(const std::vector<SamplePair>& pairs) const {
        std::vector<ComparedMeasure> compared;
        for (const TruthMeasure& measure : truthMeasures()) {
            Pairs values;
            for (const SamplePair& each : pairs) {
                const ScorePair* before = recordOf(each).under(made_.protocol);
                const ScorePair* after = otherOf(each).under(made_.protocol);
                if (before == nullptr || after == nullptr) continue;
                const auto first = measure.value(before->refined);
                const auto second = measure.value(after->refined);
                if (first && second) values.emplace_back(*first, *second);
            }
            if (auto column = columnOf(values)) compared.push_back({&measure, *column});
        }
        for (const SilhouetteMeasure& measure : silhouetteMeasures()) {
            Pairs values;
            for (const SamplePair& each : pairs) {
                const auto before = meansOf(recordOf(each).silhouettes, &ViewSilhouettes::refined);
                const auto after = meansOf(otherOf(each).silhouettes, &ViewSilhouettes::refined);
                if (!before || !after) continue;
                const auto first = measure.value(*before);
                const auto second = measure.value(*after);
                if (first && second) values.emplace_back(*first, *second);
            }
            if (auto column = columnOf(values)) compared.push_back({&measure, *column});
        }
        return compared;
    }

    void compareTimes() {
        const auto add = [&](std::string key, std::string_view title, const auto& time) {
            Pairs values;
            for (const SamplePair& each : made_.pairs)
                values.emplace_back(time(recordOf(each)), time(otherOf(each)));
            if (auto speedUp = speedUpOf(std::move(key), title, values))
                made_.times.push_back(*std::move(speedUp));
        };
        add("network", "Both stages, without reading and preprocessing",
            [](const SampleRecord& record) { return record.times.network; });
        for (const Stage stage : kAllStages) {
            if (!isNetworkStage(stage)) continue;
            add(std::string(stageName(stage)), stageDescription(stage),
                [&](const SampleRecord& record) { return timeOf(record, stage); });
        }
    }

    void compareMeshes() {
        if (!first_.mesh || !second_.mesh) return;
        MeshDistances found;
        std::vector<double> all;
        for (SamplePair& each : made_.pairs) {
            const Mesh first = first_.mesh(recordOf(each));
            const Mesh second = second_.mesh(otherOf(each));
            if (first.vertices.empty() || second.vertices.empty()) continue;
            const auto before = static_cast<std::ptrdiff_t>(all.size());
            found.vertexByVertex += addDistances(first, second, all) ? 1 : 0;
            each.distance = *std::max_element(all.begin() + before, all.end());
            ++found.samples;
        }
        if (all.empty()) return;
        for (const double distance : all) found.mean += distance / static_cast<double>(all.size());
        found.largest = *std::ranges::max_element(all);
        const auto rank = static_cast<std::size_t>(std::ceil(0.995 * double(all.size()))) - 1;
        std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(rank));
        found.p995 = all[rank];
        made_.meshes = found;
    }

    void remark() {
        const RunDescription& a = first_.run.about;
        const RunDescription& b = second_.run.about;
        if (a.identity.tau != b.identity.tau)
            made_.remarks.push_back(fmt::format("τ is {:g} in {}, {:g} in {}", a.identity.tau,
                                                first_.name, b.identity.tau, second_.name));
        if (a.identity.views != b.identity.views)
            made_.remarks.emplace_back("They were made from other views.");
        std::set<std::string> machines;
        for (const RunDescription* about : {&a, &b})
            for (const MachineDescription& machine : about->machines)
                machines.insert(machine.processor + machine.gpu);
        if (machines.size() > 1 && !made_.times.empty())
            made_.remarks.emplace_back("Their times are of other machines.");
        const auto otherTruth = std::ranges::find_if(made_.pairs, [&](const SamplePair& each) {
            const ScorePair* before = recordOf(each).under(made_.protocol);
            const ScorePair* after = otherOf(each).under(made_.protocol);
            return before != nullptr && after != nullptr &&
                   before->refined.truthPoints != after->refined.truthPoints;
        });
        if (otherTruth == made_.pairs.end()) return;
        made_.remarks.push_back(fmt::format(
            "The truth has {} points in {}, {} in {} ({}): measures are not comparable",
            recordOf(*otherTruth).under(made_.protocol)->refined.truthPoints, first_.name,
            otherOf(*otherTruth).under(made_.protocol)->refined.truthPoints, second_.name,
            recordOf(*otherTruth).name));
    }

    const ComparedRun& first_;
    const ComparedRun& second_;
    Comparison made_;
};

}  // namespace

const PairedColumn* ComparedGroup::column(std::string_view key) const {
    const auto found = std::ranges::find_if(
        measures, [&](const ComparedMeasure& each) { return each.measure->key == key; });
    return found == measures.end() ? nullptr : &found->column;
}

std::optional<double> Comparison::agreement() const {
    const PairedColumn* chamfer = all.column("chamfer");
    const PairedColumn* f = all.column("f_tau");
    if (chamfer == nullptr || f == nullptr || !chamfer->correlation || !f->correlation)
        return std::nullopt;
    return 100 * std::min(*chamfer->correlation, *f->correlation);
}

Comparison compareRuns(const ComparedRun& first, const ComparedRun& second) {
    return Comparing(first, second).compare();
}

}  // namespace threefold
