#include "engine/pipeline/fit_sample.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <exception>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/views/foreground.h"

namespace threefold {

FitViews fitViewsFromName(std::string_view name) {
    if (name == "chosen") return {FitViews::Kind::chosen, 0};
    if (name == "all") return {FitViews::Kind::all, 0};
    FitViews views{FitViews::Kind::number, 0};
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), views.number);
    if (error != std::errc{} || end != name.data() + name.size() || views.number == 0)
        throw UsageError({"--fit", "", fmt::format("'{}' names no views", name),
                          "Use chosen, all, or a number of 1 or more."});
    return views;
}

std::string fitViewsName(const FitViews& views) {
    switch (views.kind) {
        case FitViews::Kind::chosen:
            return "chosen";
        case FitViews::Kind::all:
            return "all";
        case FitViews::Kind::number:
            break;
    }
    return std::to_string(views.number);
}

std::vector<int> viewsToFit(const Sample& sample, std::span<const int> chosen,
                            const FitViews& views) {
    if (views.kind == FitViews::Kind::chosen) return {chosen.begin(), chosen.end()};
    std::vector<int> usable;
    for (std::size_t i = 0; i < sample.viewCount(); ++i) {
        const bool broken = sample.photos && !sample.photos->views[i].problem.empty();
        if (!broken && !sample.images[i].empty()) usable.push_back(static_cast<int>(i));
    }
    if (views.kind == FitViews::Kind::all || views.number >= usable.size()) return usable;
    std::vector<int> spread;
    for (std::size_t i = 0; i < views.number; ++i)
        spread.push_back(usable[i * usable.size() / views.number]);
    return spread;
}

std::vector<FitView> loadFitViews(const Sample& sample, std::span<const int> views,
                                  const std::function<Image(const std::filesystem::path&)>& read,
                                  const std::stop_token& cancel) {
    std::vector<FitView> loaded(views.size());
    std::vector<std::exception_ptr> problems(views.size());
    parallelFor(
        omp_get_max_threads(), views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
            const auto index = static_cast<std::size_t>(views[i]);
            loaded[i] = {views[i], Camera::fromRow(sample.cameraRows.at(index)), std::nullopt};
            try {
                loaded[i].mask =
                    foregroundOf(asNetworkSees(sample, views[i], read(sample.images.at(index))));
            } catch (const Cancelled&) {
                throw;
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

fitting::MeshLevels fitLevels(const Reconstruction& reconstruction) {
    if (reconstruction.templateMesh) return fitting::MeshLevels(*reconstruction.templateMesh);
    return {reconstruction.refined.size(), reconstruction.faces()};
}

FitResult fitReconstruction(Reconstruction& reconstruction, const Camera& space,
                            std::span<const FitView> views, const FitOptions& options) {
    FitResult result =
        fitMesh(reconstruction.refined, fitLevels(reconstruction), space, views, options);
    reconstruction.fitted = result.vertices;
    return result;
}

}  // namespace threefold
