#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/scores.h"
#include "engine/metrics/silhouette.h"
#include "engine/pipeline/evaluate.h"
#include "engine/stage.h"

namespace threefold {

/// Wall times of one sample, in milliseconds. Parts overlap with the network of other samples, so
/// they do not add up to the run's.
struct RecordTimes {
    double load = 0;                 ///< files to pixels, cameras and truth
    double preprocess = 0;           ///< METHOD.md §3; not part of `network`
    double network = 0;              ///< both stages alone, synchronised: what reports name first
    double metrics = 0;              ///< all protocols and silhouettes, every mesh
    double write = 0;                ///< meshes and thumbnail, flushed
    StageTimings stages;             ///< of the network, where the backend times them
    std::optional<double> fit = {};  ///< to photographs, their reading included
};

/// The origin of a sample's fitted mesh.
struct RecordSurface {
    std::string from;                 ///< surfaceName(): "network", "hull", "depth"
    std::optional<double> sure = {};  ///< DepthSurface::sure; none: depths were not looked for
    std::optional<double> depthMilliseconds = {};  ///< of looking for depths
};

/// The result of one sample of a list.
struct SampleRecord {
    std::size_t position = 0;          ///< in the whole list, from 0; records are sorted by it
    std::string given;                 ///< the line of the list
    std::string name;                  ///< "02691156_p0001_00"; empty where it was not found
    std::string category;              ///< "02691156"; empty outside ShapeNet's layout
    std::string truth;                 ///< the truth's file; empty where it was not found
    std::string error;                 ///< why it failed; empty: done
    std::vector<SampleScores> scores;  ///< one for each protocol of the run, in its order; or none
    std::vector<ViewSilhouettes> silhouettes;  ///< one for each view that it was made from
    /// What the fit left out and why, or why there is no fit; none if there is nothing to report.
    std::optional<std::string> fitNote = {};
    std::optional<RecordSurface> surface = {};  ///< where there is a fit
    RecordTimes times;

    bool done() const { return error.empty(); }
    /// Null without scores under that protocol.
    const SampleScores* under(Protocol protocol) const {
        for (const SampleScores& each : scores)
            if (each.first().protocol == protocol) return &each;
        return nullptr;
    }
    /// Done, but without a truth: it has only silhouettes.
    bool withoutTruth() const { return done() && scores.empty(); }
};

}  // namespace threefold
