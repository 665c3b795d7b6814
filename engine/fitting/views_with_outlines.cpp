#include "engine/fitting/views_with_outlines.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/fitting/outline.h"

namespace threefold::fitting {
namespace {

constexpr std::size_t kOutlinePoints = 500;

/// Outline of each view's mask; nullopt without a mask or without a point of an outline.
std::vector<std::optional<Outline>> outlinesOf(std::span<const MaskedView> views, int threads,
                                               const std::stop_token& cancel) {
    std::vector<std::optional<Outline>> outlines(views.size());
    parallelFor(threads, views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        if (!views[i].mask) return;
        outlines[i] = Outline::of(*views[i].mask, kOutlinePoints);
        if (outlines[i] && outlines[i]->points().empty()) outlines[i].reset();
    });
    return outlines;
}

}  // namespace

ViewsWithOutlines viewsWithOutlines(std::span<const MaskedView> views, const Pose& meshPose,
                                    int threads, const std::stop_token& cancel) {
    std::vector<std::optional<Outline>> outlines = outlinesOf(views, threads, cancel);
    ViewsWithOutlines usable;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (outlines[i]) {
            usable.used.push_back({views[i].view, &views[i].photograph,
                                   std::make_unique<ViewOutline>(*std::move(outlines[i]), meshPose,
                                                                 views[i].camera)});
            continue;
        }
        const std::string& problem = views[i].problem;
        usable.leftOut.push_back(
            {views[i].view,
             fmt::format("{}: left out",
                         problem.empty() ? "no outline of the object to fit to" : problem)});
    }
    return usable;
}

}  // namespace threefold::fitting
