#pragma once

#include <memory>

#include "engine/mesh.h"

namespace threefold::ui {

/// The points that a camera must fit into view; null or empty: a cube around the origin.
using Extent = std::shared_ptr<const Points>;

}  // namespace threefold::ui
