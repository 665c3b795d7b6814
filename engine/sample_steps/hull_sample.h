#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/mesh.h"
#include "engine/sample_steps/fit_sample.h"
#include "engine/sample_steps/load_sample.h"
#include "engine/views/left_out_view.h"

namespace threefold {

/// The visual hull of a sample's photographs.
struct SampleHull {
    Mesh mesh;                   ///< in the reference view's space, like the other meshes
    std::size_t photoCount = 0;  ///< number of photographs used
    double overlap = 0;          ///< mean intersection over union with their masks, 0…1
    std::optional<ChamferAndFScores> measures;  ///< published protocol; nullopt without a truth
    std::vector<LeftOutView> leftOut;
    std::vector<std::string> notes;  ///< of repaired masks, and HullResult::notes
    double milliseconds = 0;         ///< time of visualHull()
};

/// Computes the visual hull of all usable photographs of the sample, at full resolution, with about
/// `vertices` vertices. Reuses the photographs of `fit` if the fit was given all usable
/// photographs. Throws as loadMaskedViews() and visualHull() do.
SampleHull hullOf(const LoadedSample& loaded, const std::optional<SampleFit>& fit,
                  std::size_t vertices, int threads, const std::stop_token& cancel);

}  // namespace threefold
