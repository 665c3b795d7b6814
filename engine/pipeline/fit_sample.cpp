#include "engine/pipeline/fit_sample.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"

namespace threefold {
namespace {

constexpr std::string_view kColour = "+colour";
constexpr std::pair<std::string_view, FitViews::From> kStarts[] = {
    {"+network", FitViews::From::network},
    {"+hull", FitViews::From::hull},
    {"+auto", FitViews::From::automatic}};

}  // namespace

FitViews fitViewsFromName(std::string_view name) {
    std::string_view which = name;
    const auto endsWith = [&which](std::string_view option) {
        const bool is = which.ends_with(option);
        if (is) which.remove_suffix(option.size());
        return is;
    };
    FitViews views;
    for (const auto& [option, from] : kStarts)
        if (endsWith(option)) views.from = from;
    views.colour = endsWith(kColour);
    if (which == "chosen") return views;
    views.kind = FitViews::Kind::all;
    if (which == "all") return views;
    views.kind = FitViews::Kind::number;
    const char* const last = which.data() + which.size();
    const auto [end, error] = std::from_chars(which.data(), last, views.number);
    if (error != std::errc{} || end != last || views.number == 0)
        throw UsageError({"--fit", "", fmt::format("'{}' names no views", name),
                          "Use chosen, all, or a number of 1 or more; +colour may follow, and "
                          "+network, +hull or +auto."});
    return views;
}

std::string fitViewsName(const FitViews& views) {
    std::string name = std::to_string(views.number);
    if (views.kind == FitViews::Kind::chosen) name = "chosen";
    if (views.kind == FitViews::Kind::all) name = "all";
    if (views.colour) name += kColour;
    for (const auto& [option, from] : kStarts)
        if (views.from == from) name += option;
    return name;
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
                                  const std::stop_token& cancel, bool keepPhotographs) {
    std::vector<FitView> loaded(views.size());
    std::vector<std::exception_ptr> problems(views.size());
    parallelFor(
        omp_get_max_threads(), views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
            const auto index = static_cast<std::size_t>(views[i]);
            loaded[i] = {views[i], Camera::fromRow(sample.cameraRows.at(index)), std::nullopt};
            try {
                ObjectView seen = objectView(sample, views[i], read(sample.images.at(index)));
                loaded[i].mask = std::move(seen.mask);
                if (keepPhotographs) loaded[i].photograph = std::move(seen.picture);
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

FitResult fitReconstruction(Reconstruction& reconstruction, const Camera& space,
                            std::span<const FitView> views, const FitOptions& options,
                            Backend* backend) {
    const Points& start = reconstruction.refined;
    const fitting::MeshLevels levels =
        reconstruction.templateMesh
            ? fitting::MeshLevels(*reconstruction.templateMesh)
            : fitting::MeshLevels(reconstruction.refined.size(), reconstruction.faces());
    FitResult result = backend != nullptr ? backend->fit(start, levels, space, views, options)
                                          : fitMesh(start, levels, space, views, options);
    reconstruction.fitted = result.vertices;
    reconstruction.fittedFaces.clear();
    return result;
}

}  // namespace threefold
