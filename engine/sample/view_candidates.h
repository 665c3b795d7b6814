#pragma once

#include <stop_token>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/sample/sample_views.h"
#include "engine/views/view_chooser.h"

namespace threefold {

/// Indices of the views for which isUsableView() holds, ascending.
std::vector<int> usableViews(const Sample& sample);

/// Views that may be chosen: usable ones, at most ViewChooser::kMaxCandidates, spread evenly. Their
/// masks are those of the pictures as read, reduced to at most 224 × 224 pixels. Reads views on all
/// threads; skips unreadable ones. Throws Cancelled.
std::vector<ViewCandidate> viewCandidates(const Sample& sample,
                                          const ViewReader& read = readNetworkImage,
                                          const std::stop_token& cancel = {});

/// Suggests up to three views with masks and different cameras, by ViewChooser. If fewer than two
/// views have a mask, views without one count as well. If fewer than two views can be read, adds
/// the sample's first views, so that loadViews() reports the problem. Throws Cancelled.
std::vector<int> suggestedViews(const Sample& sample, const ViewReader& read = readNetworkImage,
                                const std::stop_token& cancel = {});

/// Whether a sample is one of ShapeNet's renderings: in its layout, with more views than a run
/// uses. An image of a published view may be missing.
bool isShapeNetRendering(const Sample& sample);

/// Whether a sample consists of renderings, in any layout, that include the published views.
bool hasPublishedViews(const Sample& sample);

/// Default views of a sample in lists and on the command line: the published ones, else the
/// suggested ones. Throws Cancelled.
std::vector<int> defaultViews(const Sample& sample, const ViewReader& read = readNetworkImage,
                              const std::stop_token& cancel = {});

}  // namespace threefold
