#include "engine/sample_steps/fit_request.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/view_candidates.h"
#include "engine/sample_steps/fit_rules.h"
#include "engine/text.h"

namespace threefold {
namespace {

constexpr std::string_view kVertices = "vertices";

/// Applies an option that follows a '+'; returns false if there is no such option, or if its number
/// of vertices is out of range.
bool applyOption(std::string_view option, FitRequest& request) {
    if (option == "colour") {
        request.photometric = true;
        return true;
    }
    for (const auto& [name, source] : kFitSourceNames) {
        if (option != name) continue;
        request.source = source;
        return true;
    }
    if (!option.ends_with(kVertices)) return false;
    option.remove_suffix(kVertices.size());
    request.vertices = parseNumber<std::size_t>(option);
    return request.vertices >= kMinFitVertices && request.vertices <= kMaxFitVertices;
}

/// The case of a request for a sample: all members have values.
FitCase caseOf(const Sample& sample, const FitRequest& request) {
    FitCase found{.views = FitCase::Views::unset,
                  .hasEnoughPhotos = hasEnoughPhotosForHull(sample),
                  .source = FitCase::Source::unset};
    if (request.views)
        found.views = request.views->kind == FitViews::Kind::chosen ? FitCase::Views::chosen
                                                                    : FitCase::Views::allOrCount;
    if (request.source == FitSource::network)
        found.source = FitCase::Source::network;
    else if (request.source == FitSource::automatic)
        found.source = FitCase::Source::automatic;
    else if (request.source)
        found.source = FitCase::Source::photographs;
    else if (request.photometric)
        found.source = FitCase::Source::unsetWithColours;
    return found;
}

FitViews viewsBy(const FitRule& rule, const FitRequest& request) {
    if (rule.views == FitRule::Views::requested) return *request.views;
    return {rule.views == FitRule::Views::chosen ? FitViews::Kind::chosen : FitViews::Kind::all};
}

std::size_t verticesBy(const FitRule& rule, const Sample& sample, const FitViews& views) {
    switch (rule.vertices) {
        case FitRule::Vertices::zero:
            return 0;
        case FitRule::Vertices::fine:
            return kDefaultHullVertices;
        case FitRule::Vertices::byNumber: {
            const std::size_t count = viewsToFit(sample, {}, views).size();
            const bool isFine = count >= kMinViewsForHull && count <= kMaxViewsForFineMesh;
            return isFine ? kDefaultHullVertices : 0;
        }
    }
    return 0;
}

std::string viewsText(const FitViews& views) {
    switch (views.kind) {
        case FitViews::Kind::chosen:
            return "the photographs of the network";
        case FitViews::Kind::all:
            return "all photographs";
        case FitViews::Kind::count:
            return fmt::format("{} photograph{}", views.count, views.count == 1 ? "" : "s");
    }
    return {};
}

std::string_view sourceText(FitSource source) {
    switch (source) {
        case FitSource::network:
            return ", from the network's mesh";
        case FitSource::hull:
            return ", from their hull";
        case FitSource::hullWithoutHollows:
            return ", from their hull without hollows";
        case FitSource::depth:
            return ", from their hull and depths";
        case FitSource::automatic:
            return ", from the network's mesh or their hull";
    }
    return {};
}

}  // namespace

FitRequest ResolvedFit::request() const {
    return {views, photometric, source, vertices > 0 ? std::optional(vertices) : std::nullopt};
}

FitRequest fitRequestFromName(std::string_view name) {
    FitRequest request;
    const std::vector<std::string> words = split(name, '+');
    const std::string& kind = words.front();
    std::string problem;
    if (kind == "all") {
        request.views = FitViews{FitViews::Kind::all};
    } else if (kind == "chosen") {
        request.views = FitViews{FitViews::Kind::chosen};
    } else if (kind != "auto") {
        request.views = FitViews{FitViews::Kind::count, parseNumber<std::size_t>(kind).value_or(0)};
        if (request.views->count == 0) problem = fmt::format("'{}' names no views", kind);
    }
    for (std::size_t i = 1; i < words.size() && problem.empty(); ++i)
        if (!applyOption(words[i], request))
            problem = fmt::format("'{}' is no option of a fit", words[i]);
    if (problem.empty() && fitRequestName(request) != name)
        problem = fmt::format(
            "'{}' has an option twice, or not in the order colour, surface, vertices", name);
    if (!problem.empty())
        throw UsageError({"`fit`", "", problem,
                          fmt::format("Use auto, chosen, all, or a number of 1 or more; +colour "
                                      "may follow, +network, +hull, +silhouettes, +depth or +auto, "
                                      "and +10000vertices ({} to {}).",
                                      kMinFitVertices, kMaxFitVertices)});
    return request;
}

std::string fitRequestName(const FitRequest& request) {
    std::string name = "auto";
    if (request.views) {
        using enum FitViews::Kind;
        const FitViews& views = *request.views;
        name = views.kind == chosen ? "chosen"
               : views.kind == all  ? "all"
                                    : std::to_string(views.count);
    }
    if (request.photometric) name += "+colour";
    if (request.source) name += fmt::format("+{}", fitSourceName(*request.source));
    if (request.vertices) name += fmt::format("+{}{}", *request.vertices, kVertices);
    return name;
}

std::string fitRequestText(const FitRequest& request) {
    std::string text = request.views ? viewsText(*request.views)
                                     : std::string("each sample's default photographs");
    if (request.photometric) text += " and their colours";
    if (request.source) text += sourceText(*request.source);
    if (request.vertices) text += fmt::format(", {} vertices", *request.vertices);
    return text;
}

bool hasEnoughPhotosForHull(const Sample& sample) {
    return sample.photos && usableViews(sample).size() >= kMinViewsForHull;
}

std::optional<ResolvedFit> resolveFit(const Sample& sample, const FitRequest& request) {
    const FitRule& rule = fitRuleFor(caseOf(sample, request));
    if (rule.views == FitRule::Views::none) return std::nullopt;
    const FitViews views = viewsBy(rule, request);
    return ResolvedFit{
        .views = views,
        .photometric = request.photometric,
        .source = request.source.value_or(FitSource::automatic),
        .vertices = request.vertices ? *request.vertices : verticesBy(rule, sample, views)};
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitViews& views) {
    if (views.kind == FitViews::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable = usableViews(sample);
    if (views.kind == FitViews::Kind::all || views.count >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < views.count; ++i)
        spread.push_back(usable[i * usable.size() / views.count]);
    return spread;
}

bool mayUseDepth(const Sample& sample, FitSource source) {
    return source == FitSource::depth || (sample.photos && source == FitSource::automatic);
}

bool needsPhotographs(const Sample& sample, const ResolvedFit& fit) {
    return fit.photometric || mayUseDepth(sample, fit.source);
}

}  // namespace threefold
