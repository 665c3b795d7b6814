#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace threefold::fitting {

/// View that contradicts the others.
struct OutlierView {
    std::size_t index = 0;
    double outlineDistance = 0;  ///< of the view itself, after a fit without it; as in the search
};

/// Maximum number of views that a fit may leave out as outliers: a quarter of four or more.
std::size_t maxOutlierViews(std::size_t views);

/// Finds the view without which all others agree better; nullopt if there is none. `distances`:
/// mean distance of the outlines of each view's mask and of the fitted mesh, pixels of the 224×224
/// projection. `distancesWithout(i)`: the same for all views, after a fit without view i; called
/// for at most two views.
std::optional<OutlierView> findOutlierView(
    const std::vector<double>& distances,
    const std::function<std::vector<double>(std::size_t)>& distancesWithout);

}  // namespace threefold::fitting
