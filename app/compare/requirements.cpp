#include "app/compare/requirements.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/text/text_encoding.h"
#include "engine/text.h"

namespace threefold {
namespace {

/// Value of a comparison that a requirement can name.
struct Key {
    std::string_view name;
    std::string_view meaning;
    std::optional<double> (*value)(const Comparison& comparison);
};

/// Percentage of samples whose Chamfer distance and F(τ) differ by at most 1 % between the runs;
/// nullopt without F(τ).
std::optional<double> agreementWithin(const Comparison& comparison) {
    const PairedStatistics* f = comparison.all.statisticsOf("f_tau");
    if (f == nullptr) return std::nullopt;
    return 100.0 * static_cast<double>(comparison.similarCount()) /
           static_cast<double>(f->first.count);
}

constexpr Key kKeys[] = {
    {"speedup", "speed of B's network divided by that of A's",
     [](const Comparison& comparison) {
         const bool timed =
             !comparison.speedUps.empty() && comparison.speedUps.front().key == "network";
         return timed ? std::optional(comparison.speedUps.front().ratio) : std::nullopt;
     }},
    {"agreement", "lowest correlation of Chamfer distance and F(τ), in percent",
     [](const Comparison& comparison) { return comparison.minCorrelationPercent(); }},
    {"within", "samples whose Chamfer distance and F(τ) differ by at most 1 %, in percent",
     agreementWithin},
    {"distance", "99.5th percentile of how far vertices moved between the runs, in object units",
     [](const Comparison& comparison) {
         return comparison.meshes ? std::optional(comparison.meshes->p995) : std::nullopt;
     }}};

/// Time of a single run that a requirement can name, in milliseconds.
struct RunTimeKey {
    std::string_view name;
    std::string_view meaning;
    std::optional<Statistics> RunTimeStatistics::*time;
    double Statistics::*value;
};

constexpr RunTimeKey kRunTimeKeys[] = {
    {"network", "mean time of the network for a sample", &RunTimeStatistics::network,
     &Statistics::mean},
    {"total", "mean time from pixels to mesh: the network and preprocessing",
     &RunTimeStatistics::total, &Statistics::mean},
    {"p95", "95th percentile of the network's times", &RunTimeStatistics::network,
     &Statistics::p95},
    {"slowest", "longest time of the network for any sample", &RunTimeStatistics::network,
     &Statistics::max}};

const ComparedMeasure* findMeasure(const Comparison& comparison, std::string_view key) {
    const auto found = std::ranges::find(
        comparison.all.measures, key,
        [](const ComparedMeasure& each) { return std::string_view(each.measure->key); });
    return found == comparison.all.measures.end() ? nullptr : &*found;
}

std::optional<double> requiredValue(const Comparison& comparison, const Requirement& each) {
    const bool ofFirst = each.run == "A";
    if (const auto time = std::ranges::find(kRunTimeKeys, each.key, &RunTimeKey::name);
        time != std::end(kRunTimeKeys)) {
        const auto& measured =
            (ofFirst ? comparison.firstTimes : comparison.secondTimes).*time->time;
        return measured ? std::optional((*measured).*time->value) : std::nullopt;
    }
    if (const auto found = std::ranges::find(kKeys, each.key, &Key::name); found != std::end(kKeys))
        return found->value(comparison);
    const ComparedMeasure* measured = findMeasure(comparison, each.key);
    if (measured == nullptr) return std::nullopt;
    const PairedStatistics& column = measured->statistics;
    const Statistics& statistics = each.run.empty() ? column.difference
                                   : ofFirst        ? column.first
                                                    : column.second;
    return statistics.mean * shownScale(measured->measure->unit);
}

bool isMeasure(std::string_view key) {
    return std::ranges::count(truthMeasures(), key, &MeasureDescription::key) > 0 ||
           std::ranges::count(silhouetteMeasures(), key, &MeasureDescription::key) > 0;
}

/// Reason why a requirement cannot use its key; empty if it can.
std::string keyProblem(const Requirement& each) {
    if (std::ranges::count(kKeys, each.key, &Key::name) > 0)
        return each.run.empty()
                   ? ""
                   : fmt::format("'{}' describes both runs together, so A. or B. cannot precede it",
                                 each.key);
    if (std::ranges::count(kRunTimeKeys, each.key, &RunTimeKey::name) > 0 || isMeasure(each.key))
        return "";
    return fmt::format("'{}' is no key", each.key);
}

bool isSatisfied(double value, const Requirement& each) {
    switch (each.comparator) {
        case Comparator::atLeast:
            return value >= each.bound;
        case Comparator::atMost:
            return value <= each.bound;
        case Comparator::above:
            return value > each.bound;
        case Comparator::below:
            return value < each.bound;
    }
    return false;
}

std::string_view signOf(Comparator comparator) {
    constexpr std::string_view kSigns[] = {">=", "<=", ">", "<"};
    return kSigns[static_cast<std::size_t>(comparator)];
}

Requirement requirementFrom(const std::string& text) {
    const auto refuse = [&](std::string problem) {
        return UsageError(
            {"--require", text, std::move(problem),
             "Write speedup>=1.2, f_tau>=-0.5, network<=100, A.network<=600; the help lists the "
             "keys."});
    };
    const std::string_view whole = trimmed(text, " ");
    const std::size_t sign = whole.find_first_of("<>");
    if (sign == whole.npos) throw refuse("has no >=, <=, > or <");
    const bool inclusive = whole.substr(sign + 1).starts_with('=');
    std::string_view key = trimmed(whole.substr(0, sign), " ");
    Requirement requirement;
    if (whole[sign] == '>')
        requirement.comparator = inclusive ? Comparator::atLeast : Comparator::above;
    else
        requirement.comparator = inclusive ? Comparator::atMost : Comparator::below;
    if (key.starts_with("A.") || key.starts_with("B.")) {
        requirement.run = key.substr(0, 1);
        key.remove_prefix(2);
    }
    requirement.key = key;
    if (std::string problem = keyProblem(requirement); !problem.empty())
        throw refuse(std::move(problem));
    const std::optional<double> bound =
        parseNumber<double>(trimmed(whole.substr(sign + (inclusive ? 2 : 1)), " "));
    if (!bound || !std::isfinite(*bound)) throw refuse("does not end with a number");
    requirement.bound = *bound;
    return requirement;
}

}  // namespace

std::string Requirement::subject() const {
    return run.empty() ? key : fmt::format("{}.{}", run, key);
}

std::string Requirement::text() const {
    return fmt::format("{}{}{:g}", subject(), signOf(comparator), bound);
}

std::vector<Requirement> requirementsFrom(const std::string& text) {
    std::vector<Requirement> requirements;
    for (const std::string& each : split(text, ','))
        requirements.push_back(requirementFrom(std::string(trimmed(each, " "))));
    return requirements;
}

std::vector<std::string> violatedRequirements(const Comparison& comparison,
                                              const std::vector<Requirement>& requirements) {
    std::vector<std::string> violated;
    if (comparison.onlyInFirstCount > 0 && !requirements.empty())
        violated.push_back(fmt::format("B lacks {} samples of A", comparison.onlyInFirstCount));
    for (const Requirement& each : requirements) {
        const std::optional<double> value = requiredValue(comparison, each);
        if (value && isSatisfied(*value, each)) continue;
        violated.push_back(
            value
                ? fmt::format("{} is {:.6g}, {} is required", each.subject(), *value, each.text())
                : fmt::format("{} was not measured, {} is required", each.subject(), each.text()));
    }
    return violated;
}

std::string requirementKeys() {
    std::string text = "Values of B compared with A:\n";
    const auto add = [&](std::string_view name, std::string_view meaning) {
        text += fmt::format("  {:<10} {}\n", name, meaning);
    };
    for (const Key& key : kKeys) add(key.name, key.meaning);
    add("f_tau …", "mean difference B − A of a measure, as the table shows it: f_tau, chamfer, …");
    text += "Values of B alone, or of A where the key begins with A., in milliseconds:\n";
    for (const RunTimeKey& key : kRunTimeKeys) add(key.name, key.meaning);
    add("B.f_tau …", "mean of a measure of that run; A. or B. must be written here");
    return text;
}

}  // namespace threefold
