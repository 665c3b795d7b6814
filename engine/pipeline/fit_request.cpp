#include "engine/pipeline/fit_request.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/sample/view_candidates.h"
#include "engine/text.h"

namespace threefold {
namespace {

constexpr std::string_view kVertices = "vertices";
constexpr std::pair<std::string_view, FitSurface> kSurfaceNames[] = {
    {"network", FitSurface::network},
    {"hull", FitSurface::hull},
    {"silhouettes", FitSurface::hullWithoutHollows},
    {"depth", FitSurface::depth},
    {"auto", FitSurface::automatic}};

/// Applies an option after a '+'; false if there is no such option.
bool applyOption(std::string_view option, FitRequest& request) {
    if (option == "colour") return request.colour = true;
    for (const auto& [name, surface] : kSurfaceNames) {
        if (option != name) continue;
        request.surface = surface;
        return true;
    }
    if (!option.ends_with(kVertices)) return false;
    option.remove_suffix(kVertices.size());
    request.vertices = parseNumber<std::size_t>(option);
    return request.vertices >= kMinFitVertices && request.vertices <= kMaxFitVertices;
}

/// Number of photographs up to which a finer fitted mesh makes a better hull. F(τ) of 13 samples:
/// of 8 photographs 83.5 instead of 82.6; of 24 it is 87.5 instead of 87.6, and a boat loses 2.4.
constexpr std::size_t kMaxForFineHollows = 12;

bool takesFineHollows(const Sample& sample, const ResolvedFit& fit) {
    if (fit.kind == FitRequest::Kind::chosen) return false;
    std::size_t count = usableViews(sample).size();
    if (fit.kind == FitRequest::Kind::number) count = std::min(count, fit.number);
    return count >= kMinViewsForHull && count <= kMaxForFineHollows;
}

std::string_view surfaceText(FitSurface surface) {
    switch (surface) {
        case FitSurface::network:
            return ", from the network's mesh";
        case FitSurface::hull:
            return ", from their hull";
        case FitSurface::hullWithoutHollows:
            return ", from their hull alone";
        case FitSurface::depth:
            return ", from their hull and depths";
        case FitSurface::automatic:
            return ", from the network's mesh or their hull";
    }
    return {};
}

}  // namespace

FitRequest ResolvedFit::request() const {
    return {kind, number, colour, surface, vertices > 0 ? std::optional(vertices) : std::nullopt};
}

FitRequest fitRequestFromName(std::string_view name) {
    FitRequest request;
    const std::vector<std::string> words = split(name, '+');
    const std::string& kind = words.front();
    std::string problem;
    if (kind == "all") {
        request.kind = FitRequest::Kind::all;
    } else if (kind == "chosen") {
        request.kind = FitRequest::Kind::chosen;
    } else if (kind != "auto") {
        request.kind = FitRequest::Kind::number;
        request.number = parseNumber<std::size_t>(kind).value_or(0);
        if (request.number == 0) problem = fmt::format("'{}' names no views", kind);
    }
    for (std::size_t i = 1; i < words.size() && problem.empty(); ++i)
        if (!applyOption(words[i], request))
            problem = fmt::format("'{}' is no option of a fit", words[i]);
    if (problem.empty() && fitRequestName(request) != name)
        problem = fmt::format("'{}' has an option twice, or options in another order", name);
    if (!problem.empty())
        throw UsageError({"`fit`", "", problem,
                          fmt::format("Use auto, chosen, all, or a number of 1 or more; +colour "
                                      "may follow, +network, +hull, +silhouettes, +depth or +auto, "
                                      "and +10000vertices ({} to {}).",
                                      kMinFitVertices, kMaxFitVertices)});
    return request;
}

std::string fitRequestName(const FitRequest& request) {
    std::string name = std::to_string(request.number);
    if (request.kind == FitRequest::Kind::chosen) name = "chosen";
    if (request.kind == FitRequest::Kind::all) name = "all";
    if (!request.kind) name = "auto";
    if (request.colour) name += "+colour";
    if (request.surface) name += fmt::format("+{}", surfaceName(*request.surface));
    if (request.vertices) name += fmt::format("+{}{}", *request.vertices, kVertices);
    return name;
}

std::string fitRequestText(const FitRequest& request) {
    std::string text = fmt::format("{} photographs", request.number);
    if (request.kind == FitRequest::Kind::number && request.number == 1) text.pop_back();
    if (request.kind == FitRequest::Kind::chosen) text = "the photographs of the network";
    if (request.kind == FitRequest::Kind::all) text = "all photographs";
    if (!request.kind) text = "each sample's default photographs";
    if (request.colour) text += " and their colours";
    if (request.surface) text += surfaceText(*request.surface);
    if (request.vertices) text += fmt::format(", {} vertices", *request.vertices);
    return text;
}

std::string_view surfaceName(FitSurface surface) {
    for (const auto& [name, each] : kSurfaceNames)
        if (each == surface) return name;
    return {};
}

FitSurface surfaceFromName(std::string_view name) {
    const auto* const found =
        std::ranges::find(kSurfaceNames, name, &std::pair<std::string_view, FitSurface>::first);
    if (found == std::end(kSurfaceNames))
        throw UsageError({"surface", std::string(name), "is not known",
                          "Use network, hull, silhouettes, depth or auto."});
    return found->second;
}

bool hasPhotographsToFit(const Sample& sample) {
    return sample.photos && usableViews(sample).size() >= kMinViewsForHull;
}

std::optional<ResolvedFit> resolveFit(const Sample& sample, const FitRequest& request) {
    const std::optional<FitSurface>& surface = request.surface;
    ResolvedFit fit{.kind = request.kind.value_or(FitRequest::Kind::all),
                    .number = request.number,
                    .colour = request.colour,
                    .surface = surface.value_or(FitSurface::automatic),
                    .vertices = request.vertices.value_or(0)};
    if (!request.kind) {
        const bool hasEnough = hasPhotographsToFit(sample);
        if (!hasEnough && !request.colour && !surface) return std::nullopt;
        if (!hasEnough && (!surface || surface == FitSurface::network))
            fit.kind = FitRequest::Kind::chosen;
        if (hasEnough && !request.vertices) fit.vertices = kHullVertices;
    }
    if (fit.surface == FitSurface::automatic && fit.vertices == 0 && takesFineHollows(sample, fit))
        fit.vertices = kHullVertices;
    return fit;
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const ResolvedFit& fit) {
    if (fit.kind == FitRequest::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable = usableViews(sample);
    if (fit.kind == FitRequest::Kind::all || fit.number >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < fit.number; ++i)
        spread.push_back(usable[i * usable.size() / fit.number]);
    return spread;
}

bool mayUseDepth(const Sample& sample, FitSurface surface) {
    return surface == FitSurface::depth || (sample.photos && surface == FitSurface::automatic);
}

bool needsPhotographs(const Sample& sample, const ResolvedFit& fit) {
    return fit.colour || mayUseDepth(sample, fit.surface);
}

}  // namespace threefold
