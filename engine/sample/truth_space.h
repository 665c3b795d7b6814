#pragma once

#include <string_view>

#include "engine/sample/sample.h"

namespace threefold {

/// The coordinate space assumed for ground-truth files.
enum class TruthSpace {
    unset,   ///< as findSample() sets it: a view's for pickles, detected for others
    view,    ///< of the view that the file's name ends with
    world,   ///< ShapeNet's
    detect,  ///< detected from the points
};

std::string_view truthSpaceName(TruthSpace space);     ///< "", "view", "world", "auto"
TruthSpace truthSpaceFromName(std::string_view name);  ///< Throws UsageError.

/// Sets the sample's truth space. Call it before loadGroundTruth().
void applyTruthSpace(TruthSpace space, Sample& sample);

}  // namespace threefold
