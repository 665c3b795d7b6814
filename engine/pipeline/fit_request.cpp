#include "engine/pipeline/fit_request.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/view_candidates.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

constexpr std::string_view kVertices = "vertices";
constexpr std::pair<std::string_view, FitRequest::From> kStarts[] = {
    {"network", FitRequest::From::network},
    {"hull", FitRequest::From::hull},
    {"silhouettes", FitRequest::From::silhouettes},
    {"depth", FitRequest::From::depth},
    {"auto", FitRequest::From::automatic}};

/// One of the words after a '+'; false for no such word.
bool applyOption(std::string_view option, FitRequest& views) {
    if (option == "colour") return views.colour = true;
    for (const auto& [name, from] : kStarts) {
        if (option != name) continue;
        views.from = from;
        return true;
    }
    if (!option.ends_with(kVertices)) return false;
    option.remove_suffix(kVertices.size());
    views.vertices = numberFrom<std::size_t>(option).value_or(0);
    return views.vertices >= kFewestVertices && views.vertices <= kMostVertices;
}

}  // namespace

FitRequest fitRequestFromName(std::string_view name) {
    FitRequest views;
    const std::vector<std::string> words = split(name, '+');
    const std::string& which = words.front();
    bool known = std::all_of(words.begin() + 1, words.end(),
                             [&](const std::string& option) { return applyOption(option, views); });
    if (which == "all") {
        views.kind = FitRequest::Kind::all;
    } else if (which == "auto") {
        views.kind = FitRequest::Kind::byDefault;
    } else if (which != "chosen") {
        views.kind = FitRequest::Kind::number;
        views.number = numberFrom<std::size_t>(which).value_or(0);
        known = known && views.number > 0;
    }
    if (!known || fitRequestName(views) != name)
        throw UsageError({"`fit`", "", fmt::format("'{}' names no views", name),
                          "Use auto, chosen, all, or a number of 1 or more; +colour may follow, "
                          "+network, +hull, +silhouettes, +depth or +auto, and +10000vertices (100 "
                          "to 200000)."});
    return views;
}

std::string fitRequestName(const FitRequest& views) {
    std::string name = std::to_string(views.number);
    if (views.kind == FitRequest::Kind::chosen) name = "chosen";
    if (views.kind == FitRequest::Kind::all) name = "all";
    if (views.kind == FitRequest::Kind::byDefault) name = "auto";
    if (views.colour) name += "+colour";
    if (views.from != FitRequest::From::byDefault)
        name += fmt::format("+{}", surfaceName(views.from));
    if (views.vertices > 0) name += fmt::format("+{}{}", views.vertices, kVertices);
    return name;
}

std::string_view surfaceName(FitRequest::From surface) {
    for (const auto& [name, from] : kStarts)
        if (from == surface) return name;
    return {};
}

bool hasPhotographsToFit(const Sample& sample) {
    return sample.photos && usableViews(sample).size() >= kFewestForHull;
}

std::optional<FitRequest> fitRequestFor(const Sample& sample, FitRequest views) {
    using enum FitRequest::From;
    if (views.kind == FitRequest::Kind::byDefault) {
        const bool best = hasPhotographsToFit(sample);
        if (!best && !views.colour && views.from == byDefault) return std::nullopt;
        const bool few = !best && (views.from == byDefault || views.from == network);
        views.kind = few ? FitRequest::Kind::chosen : FitRequest::Kind::all;
        if (best && views.vertices == 0) views.vertices = kHullVertices;
    }
    if (sample.photos && views.from == byDefault) views.from = automatic;
    return views;
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitRequest& views) {
    if (views.kind == FitRequest::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable = usableViews(sample);
    if (views.kind == FitRequest::Kind::all || views.number >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < views.number; ++i)
        spread.push_back(usable[i * usable.size() / views.number]);
    return spread;
}

bool needsPhotographs(const Sample& sample, const FitRequest& views) {
    using enum FitRequest::From;
    return views.colour || views.from == depth || views.from == automatic ||
           (views.from == byDefault && sample.photos);
}

}  // namespace threefold
