#include "app/compare/requirements.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <string_view>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

struct Key {
    std::string_view name;
    std::string_view meaning;
    std::optional<double> (*value)(const Comparison& made);
};

std::optional<double> withinOf(const Comparison& made) {
    const PairedColumn* chamfer = made.all.column("chamfer");
    const PairedColumn* f = made.all.column("f_tau");
    if (chamfer == nullptr || f == nullptr) return std::nullopt;
    return 100.0 * static_cast<double>(std::min(chamfer->within, f->within)) /
           static_cast<double>(f->first.count);
}

constexpr Key kKeys[] = {
    {"speedup", "how many times as fast the network is",
     [](const Comparison& made) {
         const bool timed = !made.times.empty() && made.times.front().key == "network";
         return timed ? std::optional(made.times.front().ratio) : std::nullopt;
     }},
    {"agreement", "least correlation of Chamfer distance and F(τ), in percent",
     [](const Comparison& made) { return made.agreement(); }},
    {"within", "samples whose Chamfer distance and F(τ) are within 1 %, in percent", withinOf},
    {"distance", "that 99.5 % of the vertices have moved at most, in object units",
     [](const Comparison& made) {
         return made.meshes ? std::optional(made.meshes->p995) : std::nullopt;
     }}};

/// Of one run by itself, in milliseconds.
struct RunTimeKey {
    std::string_view name;
    std::string_view meaning;
    std::optional<Statistics> RunTimes::*time;
    double Statistics::*value;
};

constexpr RunTimeKey kRunTimeKeys[] = {
    {"network", "mean time of the network for a sample", &RunTimes::network, &Statistics::mean},
    {"total", "the same with preprocessing: from pixels to mesh", &RunTimes::total,
     &Statistics::mean},
    {"p95", "95th percentile of the network's times", &RunTimes::network, &Statistics::p95},
    {"slowest", "longest time of the network for any sample", &RunTimes::network,
     &Statistics::highest}};

const ComparedMeasure* measureOf(const Comparison& made, std::string_view key) {
    const auto found = std::ranges::find(made.all.measures, key, [](const ComparedMeasure& each) {
        return std::string_view(each.measure->key);
    });
    return found == made.all.measures.end() ? nullptr : &*found;
}

std::optional<double> valueOf(const Comparison& made, const Requirement& each) {
    const bool ofFirst = each.run == "A";
    if (const auto time = std::ranges::find(kRunTimeKeys, each.key, &RunTimeKey::name);
        time != std::end(kRunTimeKeys)) {
        const auto& measured = (ofFirst ? made.firstTimes : made.secondTimes).*time->time;
        return measured ? std::optional((*measured).*time->value) : std::nullopt;
    }
    if (const auto found = std::ranges::find(kKeys, each.key, &Key::name); found != std::end(kKeys))
        return found->value(made);
    const ComparedMeasure* measured = measureOf(made, each.key);
    if (measured == nullptr) return std::nullopt;
    const PairedColumn& column = measured->column;
    const Statistics& wanted = each.run.empty() ? column.difference
                               : ofFirst        ? column.first
                                                : column.second;
    return wanted.mean * scaleOf(measured->measure->unit);
}

bool isMeasure(std::string_view key) {
    return std::ranges::count(truthMeasures(), key, &Measure::key) > 0 ||
           std::ranges::count(silhouetteMeasures(), key, &Measure::key) > 0;
}

/// Why the key cannot be required; empty if it can.
std::string problemOf(const Requirement& each) {
    if (std::ranges::count(kKeys, each.key, &Key::name) > 0)
        return each.run.empty() ? "" : fmt::format("'{}' is of both runs together", each.key);
    if (std::ranges::count(kRunTimeKeys, each.key, &RunTimeKey::name) > 0 || isMeasure(each.key))
        return "";
    return fmt::format("'{}' is no key", each.key);
}

bool isKept(double value, const Requirement& each) {
    if (each.sign == ">=") return value >= each.bound;
    if (each.sign == "<=") return value <= each.bound;
    return each.sign == ">" ? value > each.bound : value < each.bound;
}

Requirement requirementFrom(const std::string& text) {
    const auto refuse = [&](std::string problem) {
        return UsageError(
            {"--require", text, std::move(problem),
             "Write speedup>=1.2, f_tau>=-0.5, network<=100, A.network<=600; the help lists the "
             "keys."});
    };
    static const std::regex kForm("(?:([AB])\\.)?([^<>]*?) *([<>]=?) *(.*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, kForm)) throw refuse("has no >=, <=, > or <");
    Requirement made{parts[1], parts[2], parts[3]};
    if (std::string problem = problemOf(made); !problem.empty()) throw refuse(std::move(problem));
    const std::optional<double> bound = numberFrom<double>(parts.str(4));
    if (!bound) throw refuse("does not end with a number");
    made.bound = *bound;
    return made;
}

}  // namespace

std::string Requirement::subject() const {
    return run.empty() ? key : fmt::format("{}.{}", run, key);
}

std::string Requirement::text() const {
    return fmt::format("{}{}{:g}", subject(), sign, bound);
}

std::vector<Requirement> requirementsFrom(const std::string& text) {
    std::vector<Requirement> requirements;
    static const std::regex kAround("^ +| +$");
    for (const std::string& each : split(text, ','))
        requirements.push_back(requirementFrom(std::regex_replace(each, kAround, "")));
    return requirements;
}

std::vector<std::string> brokenRequirements(const Comparison& made,
                                            const std::vector<Requirement>& requirements) {
    std::vector<std::string> broken;
    if (made.missing > 0 && !requirements.empty())
        broken.push_back(fmt::format("{} samples of A are missing", made.missing));
    for (const Requirement& each : requirements) {
        const std::optional<double> value = valueOf(made, each);
        if (value && isKept(*value, each)) continue;
        broken.push_back(
            value
                ? fmt::format("{} is {:.6g}, {} is required", each.subject(), *value, each.text())
                : fmt::format("{} was not measured, {} is required", each.subject(), each.text()));
    }
    return broken;
}

std::string requirementKeys() {
    std::string text = "Of B beside A:\n";
    const auto add = [&](std::string_view name, std::string_view meaning) {
        text += fmt::format("  {:<10} {}\n", name, meaning);
    };
    for (const Key& key : kKeys) add(key.name, key.meaning);
    add("f_tau …", "mean difference B − A of a measure, as the table shows it: f_tau, chamfer, …");
    text += "Of B by itself, or of A where the key begins with A., in milliseconds:\n";
    for (const RunTimeKey& key : kRunTimeKeys) add(key.name, key.meaning);
    add("B.f_tau …", "mean of a measure of that run; A. or B. must be written here");
    return text;
}

}  // namespace threefold
