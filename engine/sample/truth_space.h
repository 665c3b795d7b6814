#pragma once

#include <string_view>

#include "engine/sample/sample.h"

namespace threefold {

/// In which coordinates the files of ground truths are taken to be.
enum class TruthSpace {
    unset,   ///< as findSample() says of each: a pickle's are a view's, others are detected
    view,    ///< of the view that the file's name ends with
    world,   ///< ShapeNet's
    detect,  ///< from where the points lie
};

std::string_view truthSpaceName(TruthSpace space);     ///< "", "view", "world", "auto"
TruthSpace truthSpaceFromName(std::string_view name);  ///< Throws UsageError.

/// Before loadGroundTruth().
void applyTruthSpace(TruthSpace space, Sample& sample);

}  // namespace threefold
