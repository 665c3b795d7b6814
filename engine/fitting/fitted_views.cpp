#include "engine/fitting/fitted_views.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Sentences about the views without an outline, one for each reason.
std::vector<std::string> unusableNotes(std::span<const MaskedView> views,
                                       std::span<const std::optional<Outline>> outlines) {
    std::vector<std::pair<std::string, std::vector<int>>> unusable;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (outlines[i]) continue;
        const std::string reason =
            views[i].problem.empty() ? "no outline of the object to fit to" : views[i].problem;
        auto sameReason =
            std::ranges::find(unusable, reason, &decltype(unusable)::value_type::first);
        if (sameReason == unusable.end()) sameReason = unusable.insert(sameReason, {reason, {}});
        sameReason->second.push_back(views[i].view);
    }
    std::vector<std::string> notes;
    for (const auto& [reason, numbers] : unusable)
        notes.push_back(fmt::format("view{} {}: {}: left out", numbers.size() == 1 ? "" : "s",
                                    fmt::join(numbers, ", "), reason));
    return notes;
}

}  // namespace

ViewsWithOutlines viewsWithOutlines(std::span<const MaskedView> views, const Pose& meshPose,
                                    int threads, const std::stop_token& cancel) {
    std::vector<std::optional<Outline>> outlines = outlinesOf(views, threads, cancel);
    ViewsWithOutlines usable{{}, {}, unusableNotes(views, outlines)};
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (outlines[i])
            usable.used.push_back({views[i].view, &views[i].photograph,
                                   std::make_unique<ViewOutline>(*std::move(outlines[i]), meshPose,
                                                                 views[i].camera)});
        else
            usable.leftOut.push_back(views[i].view);
    }
    return usable;
}

}  // namespace threefold::fitting
