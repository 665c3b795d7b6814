#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "engine/fitting/fit_mesh.h"
#include "engine/sample/sample.h"
#include "engine/views/masked_view.h"

namespace threefold {

/// Reads the views' masks at the photographs' resolution (objectView()), on several threads. A view
/// that cannot be read gets its `problem`. `keepPhotographs`: see needsPhotographs(). Throws as
/// readImage() where none can be read, and Cancelled.
std::vector<MaskedView> loadMaskedViews(const Sample& sample, std::span<const int> views,
                                        const ViewReader& read, const std::stop_token& cancel,
                                        bool keepPhotographs = false);

/// The views that the fit has used (FitResult::agreement).
std::vector<MaskedView> fittedViews(std::span<const MaskedView> views, const FitResult& fit);

}  // namespace threefold
