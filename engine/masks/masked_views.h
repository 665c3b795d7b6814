#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/masked_view.h"

namespace threefold {

/// Reads the views' masks at the photographs' resolution (objectView()), on several threads. An
/// unreadable view gets a `problem`; if all are unreadable, throws as readImage() does.
/// `keepPhotographs`: see needsPhotographs(). Throws Cancelled.
std::vector<MaskedView> loadMaskedViews(const Sample& sample, std::span<const int> views,
                                        const ViewReader& read, const std::stop_token& cancel,
                                        bool keepPhotographs = false);

}  // namespace threefold
