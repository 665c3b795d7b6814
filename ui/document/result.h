#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "render/scene.h"
#include "ui/document/extent.h"
#include "ui/document/mesh_morph.h"

namespace threefold::ui {

class QuantityCache;

using SampleRef = std::shared_ptr<const Sample>;

/// What a fit to photographs ended with.
struct FitOutcome {
    FitViews::Kind asked = FitViews::Kind::all;
    std::vector<int> views;              ///< those that the fit was given
    FitResult fit;                       ///< without vertices where `problem` is there
    std::optional<ErrorReport> problem;  ///< why there is no fitted mesh
};

/// What computed a result.
struct ResultOrigin {
    std::string model;    ///< name of its file
    std::string backend;  ///< description and precision
    bool operator==(const ResultOrigin&) const = default;
};

/// All that the window shows of one reconstruction. Made on the network's thread, then immutable.
struct Result {
    SampleRef sample;
    std::vector<int> views;         ///< the first is the reference
    Reconstruction reconstruction;  ///< timings include `load`
    ResultOrigin origin;            ///< empty where nobody said

    std::optional<Evaluation> evaluation;  ///< where there is a truth
    /// Scores of both meshes at sweepThresholds(); empty without truth.
    std::vector<FScore> coarseSweep;
    std::vector<FScore> refinedSweep;
    std::vector<FScore> fittedSweep;          ///< empty, too, where nothing is fitted
    std::size_t truthPoints = 0;              ///< 0 without truth
    bool truthSampled = false;                ///< these points are samples of its faces
    std::optional<ErrorReport> truthProblem;  ///< a truth is there, but cannot be used

    /// In ShapeNet's world space (y up), so that orbiting turns around the object's own axis and
    /// does not depend on the reference view.
    render::SceneMeshRef coarse;
    render::SceneMeshRef refined;
    render::SceneMeshRef fitted;  ///< null where there is none
    render::SceneMeshRef truth;  ///< its points, and its faces where it is a mesh; null without one
    Points truthNormals;         ///< of these points, in world space; empty where there are none
    /// The points that `evaluation` compares with; null without one.
    std::shared_ptr<const GroundTruth> evaluationTruth;
    MeshMorph morph;  ///< its stages 3, 5 and 6 are `coarse`, `refined` and `fitted`
    /// Distance to the truth of each stage's vertices; empty without truth.
    std::array<std::vector<float>, kMorphStages> stageDistance;
    std::shared_ptr<QuantityCache> quantities;  ///< see quantities.h
    Extent extent;  ///< the vertices of coarse and refined mesh, in world space

    std::optional<FitOutcome> fit;            ///< none: not fitted yet
    std::shared_ptr<const Result> beforeFit;  ///< the network's alone; null where `fit` is none

    Camera referenceCamera() const;
};
using ResultRef = std::shared_ptr<const Result>;

/// Prepares what the panes show of a sample that reconstructSample() has measured.
ResultRef makeResult(SampleJob work, ResultOrigin origin = {});
/// The same of a reconstruction that is there already: reads the truth and evaluates first. A truth
/// that cannot be used is reported inside.
ResultRef makeResult(SampleRef sample, std::vector<int> views, Reconstruction reconstruction,
                     ResultOrigin origin = {});

/// A result as far as stage 1 has brought it, while stage 2 is under way: without refined mesh and
/// evaluation. Its coarse mesh and the stages before it have their distance to the truth.
ResultRef makeCoarseResult(const SampleJob& work, const Reconstruction& soFar);

/// The same result after its fit: coarse and refined stay the same objects. Takes some
/// milliseconds, on the network's thread.
ResultRef withFit(const ResultRef& result, FitOutcome outcome);

/// Squared distances from 0 to 3 τ, in equal steps: what the plot of F shows.
std::vector<double> sweepThresholds();

}  // namespace threefold::ui
