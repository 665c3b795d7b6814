#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

/// Search for a view whose silhouette contradicts the visual hull of all views, or of all other
/// views. An overlap is the intersection over union of the mask and the hull in a view, 0…1. There
/// is at least one view.
namespace threefold {

/// Index of the view with the smallest overlap, if the hull fits most masks, but not this view's;
/// else nullopt.
std::optional<std::size_t> findViewContradictingHull(const std::vector<double>& overlap);

/// Index of a view whose mask contradicts the hull of all other views, while that hull fits most of
/// all views. nullopt if there is no such view, for fewer than four views, or if the hull of all
/// views fits every view: each `overlap` is at least 0.5. `overlapWithout(i)`: overlaps, in all
/// views, of the hull of all views except view i; called at most once for each view, because each
/// call makes a hull.
std::optional<std::size_t> findViewContradictingHullByTrial(
    const std::vector<double>& overlap,
    const std::function<std::vector<double>(std::size_t)>& overlapWithout);

}  // namespace threefold
