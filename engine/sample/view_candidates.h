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

/// ViewChooser's three of the views with a mask, no two with one camera (fewer where there are no
/// more; all that can be read count where fewer than two have a mask). Where fewer than two can be
/// read, the first ones, so that loadViews() says why. Throws Cancelled.
std::vector<int> suggestedViews(const Sample& sample, const ViewReader& read = networkView,
                                const std::stop_token& cancel = {});

/// Whether a sample is a set of renderings with the published views.
bool hasPublishedViews(const Sample& sample);

/// The views of a sample in lists and on the command line: the published ones, else the suggested
/// ones. Throws Cancelled.
std::vector<int> defaultViews(const Sample& sample, const ViewReader& read = networkView,
                              const std::stop_token& cancel = {});

}  // namespace threefold
