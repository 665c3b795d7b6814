#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/fitting/view_outline.h"
#include "engine/formats/pictures/image.h"
#include "engine/views/left_out_view.h"
#include "engine/views/masked_view.h"
#include "engine/views/pose.h"

namespace threefold::fitting {

/// View with an outline to fit to.
struct ViewWithOutline {
    int view;                 ///< MaskedView::view
    const Image* photograph;  ///< MaskedView::photograph
    std::unique_ptr<ViewOutline> outline;
};

/// Views that a fit uses, and those that it cannot use.
struct ViewsWithOutlines {
    std::vector<ViewWithOutline> used;
    std::vector<LeftOutView> leftOut;  ///< views without an outline
};

/// Traces the outlines of the views' masks. `meshPose`: camera whose space the mesh is in. `views`
/// must outlive the result. `threads`: 1 or more. Throws Cancelled.
ViewsWithOutlines viewsWithOutlines(std::span<const MaskedView> views, const Pose& meshPose,
                                    int threads, const std::stop_token& cancel);

}  // namespace threefold::fitting
