#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/metrics/measures.h"
#include "engine/pipeline/fit_sample.h"
#include "engine/pipeline/load_sample.h"

namespace threefold {

/// The visual hull of a sample's photographs, a mesh of its own beside the network's.
struct SampleHull {
    Mesh mesh;                         ///< in the reference view's space, as the other meshes
    std::size_t views = 0;             ///< that it was carved from
    double overlap = 0;                ///< with their masks: intersection over union, mean, 0…1
    std::optional<Measures> measures;  ///< published protocol; none without a truth
    std::vector<int> leftOut;
    std::vector<std::string> notes;
    double milliseconds = 0;  ///< of carving, without reading the photographs
};

/// Carves all usable photographs of the sample, at their own resolution, into a mesh of about
/// `vertices`. A fit's photographs are not read again. Throws as loadMaskedViews() and
/// visualHull().
SampleHull hullOf(const LoadedSample& loaded, const std::optional<SampleFit>& fit,
                  std::size_t vertices, int threads, const std::stop_token& cancel);

}  // namespace threefold
