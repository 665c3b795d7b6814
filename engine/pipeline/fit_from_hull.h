#pragma once

#include <cstddef>
#include <span>

#include "engine/pipeline/fit_sample.h"

namespace threefold {

/// Least number of photographs for FitViews::From::automatic to look for a hull.
inline constexpr std::size_t kFewestForHull = 6;

/// Whether fitFromHull() has anything to do.
bool asksForHull(FitViews::From from, const FitResult& fit);

/// After fitReconstruction(): puts the photographs' hull (engine/hull) with the hollows of the
/// network's fitted mesh in that mesh's place: of any topology, with 10 000 vertices (METHOD.md
/// §7b).
///
/// `from` hull: wherever the masks have a hull. silhouettes: likewise, without hollows. automatic:
/// where kFewestForHull photographs or more are used, and the hull of two thirds of them agrees as
/// well with the others as the network's mesh does that is fitted to the same, or to all. Else
/// nothing.
/// Changes `reconstruction.fitted` and its faces, and in `result` what depends on the mesh;
/// `result.notes` gives the verdict. Throws what fitReconstruction() throws.
void fitFromHull(Reconstruction& reconstruction, const Camera& space,
                 std::span<const FitView> photographs, FitViews::From from,
                 const FitOptions& options, Backend* backend, FitResult& result);

}  // namespace threefold
