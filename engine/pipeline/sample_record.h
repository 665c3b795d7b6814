#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/measures/scores.h"
#include "engine/measures/silhouette.h"
#include "engine/model/run_step.h"
#include "engine/sample_steps/evaluate.h"
#include "engine/sample_steps/fit_request.h"

namespace threefold {

/// Wall times of one sample, in milliseconds. Steps of different samples overlap, so the times do
/// not add up to the run's time.
struct SampleTimes {
    double load = 0;        ///< files to pixels, cameras and truth
    double preprocess = 0;  ///< METHOD.md §3; not part of `network`
    double network = 0;     ///< both stages only, device synchronised; the main time of reports
    double measure = 0;     ///< all protocols and silhouettes of all meshes
    double write = 0;       ///< writing meshes and thumbnail, flushed
    StepTimings steps;      ///< the network's run steps, if the back end measures them
    std::optional<double> fit = {};  ///< fit to photographs, including reading them
};

/// Record of a sample's fit: the origin of its mesh, and the photographs that the fit used.
struct FitRecord {
    FitSource source = FitSource::network;  ///< network, hull or depth
    /// DepthSurface::sureFraction, 0…1; nullopt: depths were not computed.
    std::optional<double> sureFraction = {};
    std::optional<double> depthMilliseconds = {};  ///< time of computing depths
    /// Numbers of the views that were not left out; nullopt: an earlier release wrote the record.
    std::optional<std::vector<int>> usedViews = {};
    /// FitResult::isDiscarded: the mesh is the network's. False in records of earlier releases.
    bool isDiscarded = false;

    /// The views that the mesh is fitted to, as far as the record tells; none after a discarded
    /// fit.
    std::vector<int> fittedViews() const {
        return isDiscarded ? std::vector<int>() : usedViews.value_or(std::vector<int>());
    }
};

/// Content of a file that a run wrote, by which a later session recognises the file.
struct WrittenFile {
    std::uintmax_t bytes = 0;
    std::string hash;  ///< SHA-256

    bool operator==(const WrittenFile&) const = default;
};

/// The result of one sample of a list.
struct SampleRecord {
    std::size_t position = 0;  ///< in the whole list, from 0; the sort key of records
    std::string listedName;    ///< ListEntry::listedName: the sample as its list names it
    std::string name;          ///< "02691156_p0001_00"; empty if the sample was not found
    std::string category;      ///< "02691156"; empty outside ShapeNet's layout
    std::string truth;         ///< the truth's file; empty if not found
    /// SHA-256 of the truth's file; nullopt: no truth was read, or an earlier release wrote the
    /// record.
    std::optional<std::string> truthHash = {};
    std::string error;                   ///< why the sample failed; empty: done
    std::vector<SampleScores> scores;    ///< one per protocol of the run, in order; or empty
    SurfaceDistanceSummaries distances;  ///< empty unless the truth has faces
    std::vector<ViewSilhouetteScores> silhouettes;  ///< one per view of the reconstruction
    /// Photographs that the fit left out, with reasons, or why there is no fit; nullopt: no
    /// remarks.
    std::optional<std::string> fitNote = {};
    std::optional<FitRecord> fit = {};  ///< set if there is a fitted mesh
    /// The sample's mesh files, in the order in which the run writes them; nullopt: the run wrote
    /// none.
    std::optional<std::vector<WrittenFile>> meshes = {};
    SampleTimes times;

    bool succeeded() const { return error.empty(); }
    /// Marks the sample as failed, and drops its measures.
    void fail(std::string why);
    /// Scores under `protocol`; null if there are none.
    const SampleScores* scoresUnder(Protocol protocol) const {
        for (const SampleScores& each : scores)
            if (each.first().protocol == protocol) return &each;
        return nullptr;
    }
    /// Whether the sample is done without a truth, with silhouettes only.
    bool withoutTruth() const { return succeeded() && scores.empty(); }
};

}  // namespace threefold
