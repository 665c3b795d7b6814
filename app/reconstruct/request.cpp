#include "app/reconstruct/request.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/options/value_option.h"
#include "engine/error.h"
#include "engine/sample/sample.h"
#include "engine/views/network_input.h"

namespace threefold {
namespace {

[[noreturn]] void throwViews(const std::vector<int>& views, std::string problem) {
    throw UsageError({"--views", fmt::format("{}", fmt::join(views, ",")), std::move(problem),
                      fmt::format("Name {} to {} different views, such as --views 0,6,7.",
                                  kFewestViews, kMostViews)});
}

}  // namespace

void addViews(CLI::App& command, std::vector<int>& views) {
    addList(command, "--views", views, "N,N,...",
            "2 to 8 views; 0,6,7 if not given, and of your own photographs three spread evenly");
}

void addFit(CLI::App& command, std::optional<FitViews>& fit) {
    command
        .add_option_function<std::string>(
            "--fit",
            [&fit](const std::string& word) {
                fit = word.empty() ? FitViews{} : fitViewsFromName(word);
            },
            "Fit the refined mesh to photographs, as a third stage: chosen (those of --views, the "
            "default), all of the sample, or N spread evenly; with +colour after it (all+colour) "
            "also to their colours: for textured objects, twice as slow")
        ->expected(0, 1)
        ->option_text("[VIEWS]");
}

void addTruthSpace(CLI::App& command, TruthSpace& space) {
    command
        .add_option_function<std::string>(
            "--gt-space", [&space](const std::string& word) { space = truthSpaceFromName(word); },
            "Coordinates of the truth: view (of the view that its name ends with, else 0), world "
            "(ShapeNet's), auto (detected from its points). If not given, view for pickles and "
            "auto for others")
        ->check(CLI::IsMember({"view", "world", "auto"}))
        ->option_text("NAME");
}

std::string viewCountWarning(std::size_t views) {
    if (views == 0 || views == kPublishedViews.size()) return {};
    return fmt::format("{} views: the model was trained with {}; expect a rougher mesh", views,
                       kPublishedViews.size());
}

void checkViews(const std::vector<int>& views) {
    if (views.empty()) return;
    if (views.size() < kFewestViews || views.size() > kMostViews) {
        throwViews(views, fmt::format("{} view{} asked for, expected {} to {}", views.size(),
                                      views.size() == 1 ? "" : "s", kFewestViews, kMostViews));
    }
    std::vector<int> sorted = views;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.front() < 0) throwViews(views, "a view cannot be negative");
    const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated != sorted.end()) {
        throwViews(views, fmt::format("view {} is named more than once", *repeated));
    }
}

void checkObject(const ObjectPlace& object) {
    const auto finite = [](const std::optional<glm::dvec3>& v) {
        return !v || (std::isfinite(v->x) && std::isfinite(v->y) && std::isfinite(v->z));
    };
    if (!finite(object.centre))
        throw UsageError({"--object-centre", "", "is not finite", "Give three numbers."});
    if (object.size && !(std::isfinite(*object.size) && *object.size > 0))
        throw UsageError({"--object-size", fmt::format("{:g}", *object.size), "is not above zero",
                          "Give the diagonal of the object's bounding box."});
    if (!finite(object.up) || (object.up && *object.up == glm::dvec3(0.0)))
        throw UsageError({"--object-up", "", "has no direction", "Give it as 0,0,1 for example."});
}

}  // namespace threefold
