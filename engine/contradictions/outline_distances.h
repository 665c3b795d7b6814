#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace threefold {

/// View that contradicts the others.
struct ContradictingView {
    std::size_t index = 0;
    /// Mean distance between the outline of the view's mask and the outline of a mesh that is
    /// fitted without the view, pixels of the 224×224 projection.
    double outlineDistance = 0;
};

/// Maximum number of contradicting views that a fit leaves out: a quarter of the views, rounded
/// down.
std::size_t maxContradictingViews(std::size_t viewCount);

/// Finds the view without which all others agree better; nullopt if there is none. `distances`:
/// for each view, mean distance between the outlines of its mask and of the fitted mesh, pixels of
/// the 224×224 projection. `distancesWithout(i)`: such distances of all views after a fit without
/// view i; called for at most two views.
std::optional<ContradictingView> findViewContradictingFit(
    const std::vector<double>& distances,
    const std::function<std::vector<double>(std::size_t)>& distancesWithout);

}  // namespace threefold
