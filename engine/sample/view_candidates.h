#pragma once

#include <stop_token>
#include <vector>

#include "engine/sample/sample.h"
#include "engine/views/suggest_views.h"

namespace threefold {

/// The views that have an image, and no problem of their own.
std::vector<int> usableViews(const Sample& sample);

/// The views of a sample that can be chosen, at most ViewChooser::kMostCandidates spread evenly,
/// with their masks as the network sees them, of at most 224 × 224 pixels. Reads them on all
/// threads; what cannot be read is left out. Throws Cancelled.
std::vector<ViewCandidate> viewCandidates(const Sample& sample,
                                          const ViewReader& read = networkView,
                                          const std::stop_token& cancel = {});

/// Suggests up to three views with masks and different cameras, by ViewChooser. If fewer than two
/// views have a mask, those without one count as well. If fewer than two views can be read, returns
/// the first ones, so that loadViews() reports the problem. Throws Cancelled.
std::vector<int> suggestedViews(const Sample& sample, const ViewReader& read = networkView,
                                const std::stop_token& cancel = {});

/// Whether a sample is a set of renderings with the published views.
bool hasPublishedViews(const Sample& sample);

/// The views of a sample in lists and on the command line: the published ones, else the suggested
/// ones. Throws Cancelled.
std::vector<int> defaultViews(const Sample& sample, const ViewReader& read = networkView,
                              const std::stop_token& cancel = {});

}  // namespace threefold
