#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

/// Views whose silhouettes contradict a hull: of all views, or of the others. Overlaps are
/// intersection over union of the mask and the hull in each view, 0…1; one view or more.
namespace threefold {

/// Index of the view that a hull does not fit while it fits most others; nullopt if there is none.
std::optional<std::size_t> findViewContradictingHull(const std::vector<double>& overlap);

/// Index of a view that the hull of all other views contradicts, while it fits most of them.
/// nullopt if there is none, or if `overlap` shows that no view spoils the hull.
/// `overlapWithout(i)`: overlaps of the hull of all views but i, in all views. Costs up to a hull
/// for each view.
std::optional<std::size_t> findViewContradictingHullByTrial(
    const std::vector<double>& overlap,
    const std::function<std::vector<double>(std::size_t)>& overlapWithout);

}  // namespace threefold
