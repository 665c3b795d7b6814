#include "engine/sample_rendering/render_options.h"

#include <fmt/format.h>

#include "engine/error.h"

namespace threefold {

void requireValidOptions(const RenderOptions& options) {
    planViews(options.views, "");
    if (options.side < kMinRenderingSide || options.side > kMaxRenderingSide)
        throw UsageError({"`size`", "",
                          fmt::format("{} pixels, {} to {} can be made", options.side,
                                      kMinRenderingSide, kMaxRenderingSide),
                          "Choose another size."});
    if (options.points < 1 || options.points > kMaxTruthPoints)
        throw UsageError(
            {"`points`", "",
             fmt::format("{} points, 1 to {} can be made", options.points, kMaxTruthPoints),
             "Choose another number."});
}

}  // namespace threefold
