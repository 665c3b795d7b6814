#pragma once

#include <functional>
#include <span>

#include "engine/sample/sample.h"

namespace threefold {

/// Reads one view as the network sees it.
using ViewReader = std::function<Image(const Sample& sample, int view)>;

/// From the view's file, see asNetworkSees(). Throws what that and readImage() throw.
Image networkView(const Sample& sample, int view);

/// loadViews() with `read` in place of networkView(), for callers that keep what they have read.
NetworkInput loadViews(const Sample& sample, std::span<const int> views, const ViewReader& read);

}  // namespace threefold
