#pragma once

#include <cstddef>
#include <vector>

#include "render/scene.h"

namespace threefold::ui {

/// Shares of values in `bins` equal parts of the scale between the ends of `axis` (logarithmic ones
/// in its logarithm), as parts of the fullest bin, 0…1; what lies outside counts nowhere. `sorted`:
/// finite and ascending. O(bins log n). Empty without bins, all 0 without values inside.
std::vector<float> histogram(const std::vector<float>& sorted, const render::ValueColours& axis,
                             std::size_t bins);

}  // namespace threefold::ui
