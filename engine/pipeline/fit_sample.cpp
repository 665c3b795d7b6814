#include "engine/pipeline/fit_sample.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/fitting/mesh_levels.h"
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

/// A fit that went on from `result`, to all or some of its photographs.
void continueFit(FitResult& result, FitResult next) {
    std::erase_if(result.agreement, [&](const FitAgreement& each) {
        return std::ranges::count(next.leftOut, each.view) > 0;
    });
    for (std::size_t i = 0; i < result.agreement.size(); ++i)
        result.agreement[i].after = next.agreement[i].after;
    const auto append = [](auto& all, auto& more) {
        std::ranges::move(more, std::back_inserter(all));
    };
    append(result.steps, next.steps);
    append(result.leftOut, next.leftOut);
    append(result.notes, next.notes);
    result.vertices = std::move(next.vertices);
    result.creaseAfter = next.creaseAfter;
    result.foldedAfter = next.foldedAfter;
    result.intersectingAfter = next.intersectingAfter;
    result.milliseconds += next.milliseconds;
}

/// Mean over the views; none where a mesh or a photograph has no outline.
std::optional<double> outlineDistance(const FitResult& fit, SilhouetteScore FitAgreement::*mesh) {
    double sum = 0;
    for (const FitAgreement& view : fit.agreement) {
        if (!(view.*mesh).distance) return std::nullopt;
        sum += (view.*mesh).distance->mean;
    }
    return sum / static_cast<double>(std::max<std::size_t>(fit.agreement.size(), 1));
}

/// Why the fitted mesh is no better than the one before; empty where the photographs agree better
/// with it. Thin objects need both measures: their outlines hardly overlap.
std::string worseThanBefore(const FitResult& fit) {
    if (fit.steps.empty()) return {};
    const double overlapBefore = fit.overlap(&FitAgreement::before);
    const double overlapAfter = fit.overlap(&FitAgreement::after);
    if (overlapAfter < overlapBefore)
        return fmt::format("overlap with the photographs' outlines {:.3f} before, {:.3f} after",
                           overlapBefore, overlapAfter);
    const auto before = outlineDistance(fit, &FitAgreement::before);
    const auto after = outlineDistance(fit, &FitAgreement::after);
    if (before && (!after || *after > *before))
        return fmt::format("distance from the photographs' outlines {:.2f} pixels before, {} after",
                           *before, after ? fmt::format("{:.2f}", *after) : "none");
    return {};
}

/// The fit that leaves the mesh where it was.
void takeBack(FitResult& fit, const Points& start) {
    fit.vertices = start;
    for (FitAgreement& view : fit.agreement) view.after = view.before;
    fit.creaseAfter = fit.creaseBefore;
    fit.foldedAfter = fit.foldedBefore;
    fit.intersectingAfter = fit.intersectingBefore;
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
        views.kind = FitViews::Kind::usual;
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
    if (views.kind == FitViews::Kind::usual) name = "auto";
    if (views.colour) name += "+colour";
    if (views.from != FitViews::From::usual) name += fmt::format("+{}", surfaceName(views.from));
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
    if (views.kind == FitViews::Kind::usual) {
        const bool best = hasPhotographsToFit(sample);
        if (!best && !views.colour && views.from == usual) return std::nullopt;
        const bool few = !best && (views.from == usual || views.from == network);
        views.kind = few ? FitViews::Kind::chosen : FitViews::Kind::all;
        if (best && views.vertices == 0) views.vertices = kHullVertices;
    }
    if (sample.photos && views.from == usual) views.from = automatic;
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
           (views.from == usual && sample.photos);
}

std::vector<FitView> usedPhotographs(std::span<const FitView> views, const FitResult& fit) {
    std::vector<FitView> used;
    for (const FitAgreement& each : fit.agreement)
        used.push_back(*std::ranges::find(views, each.view, &FitView::view));
    return used;
}

FitResult fitReconstruction(Reconstruction& reconstruction, const Camera& space,
                            std::span<const FitView> views, const FitOptions& options,
                            Backend* backend) {
    const auto fit = [&](const Points& start, const fitting::MeshLevels& levels,
                         std::span<const FitView> photographs, const FitOptions& how) {
        return backend != nullptr ? backend->fit(start, levels, space, photographs, how)
                                  : fitMesh(start, levels, space, photographs, how);
    };
    fitting::MeshLevels levels =
        reconstruction.templateMesh
            ? fitting::MeshLevels(*reconstruction.templateMesh)
            : fitting::MeshLevels(reconstruction.refined.size(), reconstruction.faces());
    FitResult result = fit(reconstruction.refined, levels, views, options);
    reconstruction.fittedFaces.clear();
    FitOptions silent = options;
    silent.progress = {};
    while (result.vertices.size() * 2 < options.vertices && !result.agreement.empty()) {
        fitting::Subdivided finer = fitting::subdivide(levels, result.vertices);
        levels = std::move(finer.levels);
        continueFit(result, fit(finer.vertices, levels, usedPhotographs(views, result), silent));
        reconstruction.fittedFaces = levels.faces();
    }
    if (const std::string worse = worseThanBefore(result); !worse.empty()) {
        takeBack(result, reconstruction.refined);
        reconstruction.fittedFaces.clear();
        result.notes.push_back(
            fmt::format("The fit was not taken, the refined mesh stays: {}.", worse));
    }
    reconstruction.fitted = result.vertices;
    return result;
}

}  // namespace threefold
