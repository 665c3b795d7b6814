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

std::optional<double> valueOf(const Comparison& made, std::string_view key) {
    const auto found = std::ranges::find(kKeys, key, &Key::name);
    if (found != std::end(kKeys)) return found->value(made);
    const auto measured = std::ranges::find(
        made.all.measures, key, [](const ComparedMeasure& each) { return each.measure->key; });
    if (measured == made.all.measures.end()) return std::nullopt;
    return measured->column.difference.mean * scaleOf(measured->measure->unit);
}

bool isKey(std::string_view key) {
    return std::ranges::count(kKeys, key, &Key::name) > 0 ||
           std::ranges::count(truthMeasures(), key, &Measure::key) > 0 ||
           std::ranges::count(silhouetteMeasures(), key, &Measure::key) > 0;
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
             "Write speedup>=1.2, agreement>=99, f_tau>=-0.5; the help lists the keys."});
    };
    static const std::regex kForm("([^<>]*?) *([<>]=?) *(.*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, kForm)) throw refuse("has no >=, <=, > or <");
    Requirement made{parts[1], parts[2]};
    if (!isKey(made.key)) throw refuse(fmt::format("'{}' is no key", made.key));
    const std::optional<double> bound = numberFrom<double>(parts.str(3));
    if (!bound) throw refuse("does not end with a number");
    made.bound = *bound;
    return made;
}

}  // namespace

std::string Requirement::text() const {
    return fmt::format("{}{}{:g}", key, sign, bound);
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
        const std::optional<double> value = valueOf(made, each.key);
        if (value && isKept(*value, each)) continue;
        broken.push_back(
            value ? fmt::format("{} is {:.6g}, {} is required", each.key, *value, each.text())
                  : fmt::format("{} was not measured, {} is required", each.key, each.text()));
    }
    return broken;
}

std::string requirementKeys() {
    std::string text;
    for (const Key& key : kKeys) text += fmt::format("  {:<10} {}\n", key.name, key.meaning);
    return text;
}

}  // namespace threefold
