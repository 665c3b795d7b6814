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
constexpr std::pair<std::string_view, FitSurface> kStarts[] = {
    {"network", FitSurface::network},
    {"hull", FitSurface::hull},
    {"silhouettes", FitSurface::silhouettes},
    {"depth", FitSurface::depth},
    {"auto", FitSurface::automatic}};

/// Applies an option after a '+'; false if there is no such option.
bool applyOption(std::string_view option, FitRequest& request) {
    if (option == "colour") return request.colour = true;
    for (const auto& [name, from] : kStarts) {
        if (option != name) continue;
        request.from = from;
        return true;
    }
    if (!option.ends_with(kVertices)) return false;
    option.remove_suffix(kVertices.size());
    request.vertices = numberFrom<std::size_t>(option).value_or(0);
    return request.vertices >= kMinFitVertices && request.vertices <= kMaxFitVertices;
}

/// Number of photographs up to which a finer fitted mesh makes a better hull. F(τ) of 13 samples:
/// of 8 photographs 83.5 instead of 82.6; of 24 it is 87.5 instead of 87.6, and a boat loses 2.4.
constexpr std::size_t kMaxForFineHollows = 12;

bool takesFineHollows(const Sample& sample, const FitRequest& request) {
    if (request.kind == FitRequest::Kind::chosen) return false;
    std::size_t count = usableViews(sample).size();
    if (request.kind == FitRequest::Kind::number) count = std::min(count, request.number);
    return count >= kMinViewsForHull && count <= kMaxForFineHollows;
}

}  // namespace

FitRequest fitRequestFromName(std::string_view name) {
    FitRequest request;
    const std::vector<std::string> words = split(name, '+');
    const std::string& kind = words.front();
    std::string problem;
    if (kind == "all") {
        request.kind = FitRequest::Kind::all;
    } else if (kind == "auto") {
        request.kind = FitRequest::Kind::byDefault;
    } else if (kind != "chosen") {
        request.kind = FitRequest::Kind::number;
        request.number = numberFrom<std::size_t>(kind).value_or(0);
        if (request.number == 0) problem = fmt::format("'{}' names no views", kind);
    }
    for (std::size_t i = 1; i < words.size() && problem.empty(); ++i)
        if (!applyOption(words[i], request))
            problem = fmt::format("'{}' is no option of a fit", words[i]);
    if (problem.empty() && fitRequestName(request) != name)
        problem = fmt::format("'{}' has an option twice, or options in another order", name);
    if (!problem.empty())
        throw UsageError({"`fit`", "", problem,
                          "Use auto, chosen, all, or a number of 1 or more; +colour may follow, "
                          "+network, +hull, +silhouettes, +depth or +auto, and +10000vertices (100 "
                          "to 200000)."});
    return request;
}

std::string fitRequestName(const FitRequest& request) {
    std::string name = std::to_string(request.number);
    if (request.kind == FitRequest::Kind::chosen) name = "chosen";
    if (request.kind == FitRequest::Kind::all) name = "all";
    if (request.kind == FitRequest::Kind::byDefault) name = "auto";
    if (request.colour) name += "+colour";
    if (request.from != FitSurface::byDefault)
        name += fmt::format("+{}", surfaceName(request.from));
    if (request.vertices > 0) name += fmt::format("+{}{}", request.vertices, kVertices);
    return name;
}

std::string fitRequestText(const FitRequest& request) {
    using enum FitSurface;
    std::string text = fmt::format("{} photographs", request.number);
    if (request.kind == FitRequest::Kind::number && request.number == 1) text.pop_back();
    if (request.kind == FitRequest::Kind::chosen) text = "the photographs of the network";
    if (request.kind == FitRequest::Kind::all) text = "all photographs";
    if (request.kind == FitRequest::Kind::byDefault) text = "each sample's default photographs";
    if (request.colour) text += " and their colours";
    switch (request.from) {
        case byDefault:
            break;
        case network:
            text += ", from the network's mesh";
            break;
        case hull:
            text += ", from their hull";
            break;
        case silhouettes:
            text += ", from their hull alone";
            break;
        case depth:
            text += ", from their hull and depths";
            break;
        case automatic:
            text += ", from the network's mesh or their hull";
            break;
    }
    if (request.vertices > 0) text += fmt::format(", {} vertices", request.vertices);
    return text;
}

std::string_view surfaceName(FitSurface surface) {
    for (const auto& [name, from] : kStarts)
        if (from == surface) return name;
    return {};
}

FitSurface surfaceFromName(std::string_view name) {
    const auto* const found =
        std::ranges::find(kStarts, name, &std::pair<std::string_view, FitSurface>::first);
    if (found == std::end(kStarts))
        throw UsageError({"surface", std::string(name), "is not known",
                          "Use network, hull, silhouettes, depth or auto."});
    return found->second;
}

bool hasPhotographsToFit(const Sample& sample) {
    return sample.photos && usableViews(sample).size() >= kMinViewsForHull;
}

std::optional<FitRequest> fitRequestFor(const Sample& sample, FitRequest request) {
    using enum FitSurface;
    if (request.kind == FitRequest::Kind::byDefault) {
        const bool hasEnough = hasPhotographsToFit(sample);
        if (!hasEnough && !request.colour && request.from == byDefault) return std::nullopt;
        const bool useChosen = !hasEnough && (request.from == byDefault || request.from == network);
        request.kind = useChosen ? FitRequest::Kind::chosen : FitRequest::Kind::all;
        if (hasEnough && request.vertices == 0) request.vertices = kHullVertices;
    }
    if (request.from == byDefault) request.from = automatic;
    if (request.from == automatic && request.vertices == 0 && takesFineHollows(sample, request))
        request.vertices = kHullVertices;
    return request;
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitRequest& request) {
    if (request.kind == FitRequest::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable = usableViews(sample);
    if (request.kind == FitRequest::Kind::all || request.number >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < request.number; ++i)
        spread.push_back(usable[i * usable.size() / request.number]);
    return spread;
}

bool mayUseDepth(const Sample& sample, FitSurface from) {
    using enum FitSurface;
    return from == depth || (sample.photos && (from == automatic || from == byDefault));
}

bool needsPhotographs(const Sample& sample, const FitRequest& request) {
    return request.colour || mayUseDepth(sample, request.from);
}

}  // namespace threefold
