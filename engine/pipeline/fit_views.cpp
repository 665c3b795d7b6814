#include "engine/pipeline/fit_views.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/sample/view_candidates.h"
#include "engine/text_parts.h"

namespace threefold {
namespace {

constexpr std::string_view kVertices = "vertices";
constexpr std::pair<std::string_view, FitViews::From> kStarts[] = {
    {"network", FitViews::From::network},
    {"hull", FitViews::From::hull},
    {"silhouettes", FitViews::From::silhouettes},
    {"depth", FitViews::From::depth},
    {"auto", FitViews::From::automatic}};

/// One of the words after a '+'; false for no such word.
bool applyOption(std::string_view option, FitViews& views) {
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

FitViews fitViewsFromName(std::string_view name) {
    FitViews views;
    const std::vector<std::string> words = split(name, '+');
    const std::string& which = words.front();
    bool known = std::all_of(words.begin() + 1, words.end(),
                             [&](const std::string& option) { return applyOption(option, views); });
    if (which == "all") {
        views.kind = FitViews::Kind::all;
    } else if (which == "auto") {
        views.kind = FitViews::Kind::byDefault;
    } else if (which != "chosen") {
        views.kind = FitViews::Kind::number;
        views.number = numberFrom<std::size_t>(which).value_or(0);
        known = known && views.number > 0;
    }
    if (!known || fitViewsName(views) != name)
        throw UsageError({"`fit`", "", fmt::format("'{}' names no views", name),
                          "Use auto, chosen, all, or a number of 1 or more; +colour may follow, "
                          "+network, +hull, +silhouettes, +depth or +auto, and +10000vertices (100 "
                          "to 200000)."});
    return views;
}

std::string fitViewsName(const FitViews& views) {
    std::string name = std::to_string(views.number);
    if (views.kind == FitViews::Kind::chosen) name = "chosen";
    if (views.kind == FitViews::Kind::all) name = "all";
    if (views.kind == FitViews::Kind::byDefault) name = "auto";
    if (views.colour) name += "+colour";
    if (views.from != FitViews::From::byDefault)
        name += fmt::format("+{}", surfaceName(views.from));
    if (views.vertices > 0) name += fmt::format("+{}{}", views.vertices, kVertices);
    return name;
}

std::string_view surfaceName(FitViews::From surface) {
    for (const auto& [name, from] : kStarts)
        if (from == surface) return name;
    return {};
}

bool hasPhotographsToFit(const Sample& sample) {
    return sample.photos && usableViews(sample).size() >= kFewestForHull;
}

std::optional<FitViews> fitViewsFor(const Sample& sample, FitViews views) {
    using enum FitViews::From;
    if (views.kind == FitViews::Kind::byDefault) {
        const bool best = hasPhotographsToFit(sample);
        if (!best && !views.colour && views.from == byDefault) return std::nullopt;
        const bool few = !best && (views.from == byDefault || views.from == network);
        views.kind = few ? FitViews::Kind::chosen : FitViews::Kind::all;
        if (best && views.vertices == 0) views.vertices = kHullVertices;
    }
    if (sample.photos && views.from == byDefault) views.from = automatic;
    return views;
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitViews& views) {
    if (views.kind == FitViews::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable = usableViews(sample);
    if (views.kind == FitViews::Kind::all || views.number >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < views.number; ++i)
        spread.push_back(usable[i * usable.size() / views.number]);
    return spread;
}

std::vector<FitView> loadFitViews(const Sample& sample, std::span<const int> views,
                                  const ViewReader& read, const std::stop_token& cancel,
                                  bool keepPhotographs) {
    std::vector<FitView> loaded(views.size());
    std::vector<std::exception_ptr> problems(views.size());
    parallelFor(
        omp_get_max_threads(), views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
            const auto index = static_cast<std::size_t>(views[i]);
            loaded[i] = {views[i], Camera::fromRow(sample.cameraRows.at(index)), std::nullopt};
            try {
                ObjectView seen = objectView(sample, views[i], read(sample, views[i]));
                loaded[i].mask = std::move(seen.mask);
                if (keepPhotographs) loaded[i].photograph = std::move(seen.picture);
            } catch (const Error& error) {
                loaded[i].problem = error.report().problem;
                problems[i] = std::current_exception();
            }
        });
    if (!problems.empty() &&
        std::ranges::all_of(problems, [](const auto& problem) { return problem != nullptr; }))
        std::rethrow_exception(problems.front());
    return loaded;
}

bool needsPhotographs(const Sample& sample, const FitViews& views) {
    using enum FitViews::From;
    return views.colour || views.from == depth || views.from == automatic ||
           (views.from == byDefault && sample.photos);
}

std::vector<FitView> usedPhotographs(std::span<const FitView> views, const FitResult& fit) {
    std::vector<FitView> used;
    for (const FitAgreement& each : fit.agreement)
        used.push_back(*std::ranges::find(views, each.view, &FitView::view));
    return used;
}

}  // namespace threefold
