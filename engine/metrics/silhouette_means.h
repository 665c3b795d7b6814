#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "engine/metrics/silhouette.h"

namespace threefold {

/// Silhouettes of both meshes compared with one input photograph. Needs no truth.
struct ViewSilhouettes {
    int view = 0;
    /// At the photograph's size. None where its foreground is unknown (foregroundOf()).
    std::optional<SilhouetteScore> coarse;
    std::optional<SilhouetteScore> refined;
    std::optional<SilhouetteScore> fitted = {};  ///< none, too, where nobody asked for a fit
};

/// Means over the views that have a score.
struct SilhouetteMeans {
    std::size_t views = 0;  ///< number of views with a score
    double overlap = 0;     ///< intersection over union, 0…1
    /// Between the outlines, in pixels of the photographs; none where no view has one.
    std::optional<double> distance;
};
/// Means of one mesh, selected by member: meansOf(views, &ViewSilhouettes::refined). None where no
/// view has a score; views whose outlines have no distance count for the overlap alone.
std::optional<SilhouetteMeans> meansOf(std::span<const ViewSilhouettes> views,
                                       std::optional<SilhouetteScore> ViewSilhouettes::*mesh);

/// Both meshes over the same photographs.
struct SilhouettePair {
    SilhouetteMeans coarse;
    SilhouetteMeans refined;

    /// Whether refinement made the mesh worse: its overlap is smaller.
    bool regressed() const { return refined.overlap < coarse.overlap; }
};
/// None where no view has a score of both.
std::optional<SilhouettePair> meansOf(std::span<const ViewSilhouettes> views);

}  // namespace threefold
