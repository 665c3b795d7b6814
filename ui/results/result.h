#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <QString>

#include "engine/sample_steps/measure_sample.h"
#include "render/scene.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/quantity_cache.h"
#include "ui/results/sample_title.h"

namespace threefold::ui {

using SampleRef = std::shared_ptr<const Sample>;
/// Points that a camera must fit into view; null or empty: a cube around the origin.
using FramedPoints = std::shared_ptr<const Points>;

/// Whether to fit results to photographs, to which views of the sample, and from which start mesh.
struct FitChoice {
    bool on = false;
    FitViews::Kind views = FitViews::Kind::all;
    FitSource source = FitSource::automatic;
    bool operator==(const FitChoice&) const = default;
};

/// Names in settings and sessions, in the order of the menus: the default first.
inline constexpr std::pair<std::string_view, FitViews::Kind> kFitKindNames[] = {
    {"all", FitViews::Kind::all}, {"chosen", FitViews::Kind::chosen}};
/// Sources in the order of the menu: the default first. Settings and sessions have their
/// fitSourceName().
inline constexpr std::array kFitSourceMenu = {FitSource::automatic, FitSource::depth,
                                              FitSource::hull, FitSource::network};

/// Model and back end that computed a result.
struct ResultOrigin {
    std::string model;    ///< name of its file
    std::string backend;  ///< description and precision
    bool operator==(const ResultOrigin&) const = default;
};

/// The points of a truth that a mesh misses.
struct MissedTruth {
    /// True points farther than √kTau from the mesh's surface, in world space and red; null if
    /// there are none.
    render::SceneMeshRef points;
    double fraction = 0;  ///< of the truth's points
};

/// The truth of a result, in world space, and its distances to the meshes.
struct ResultTruth {
    render::SceneMeshRef points;   ///< without faces; not null
    render::SceneMeshRef surface;  ///< faces that `points` are samples of; null if there are none
    std::shared_ptr<const SurfaceIndex> index;  ///< of `surface`; or null
    /// Distances of the vertices of each of MeshMorph::stages to the surface, or else to the
    /// points.
    std::vector<std::vector<float>> stageDistance = {};

    TruthShape shape() const { return {points, index}; }
};

/// Measures of a result's published and fitted meshes against its truth.
struct ResultEvaluation : Evaluation {
    /// Points that the measures used, in the reference camera's space; not null.
    std::shared_ptr<const GroundTruth> truth;
    std::vector<std::vector<FScore>> fScoreCurves =
        {};                                ///< at fScoreThresholds(), of each MeshMorph::stages
    std::vector<MissedTruth> missed = {};  ///< of each of MeshMorph::stages
};

/// One reconstruction for the window, in one of three states (Result::State): partial, evaluated,
/// then fitted. Made on the network's thread, then immutable: each state is a new object. All
/// meshes are in ShapeNet's world space (y up), so that orbiting turns around the object's own axis
/// and does not depend on the reference view.
struct Result {
    /// The network computes later stages, whose meshes are null.
    struct Partial {};
    /// All stages are computed, and evaluated if there is a usable truth.
    struct Evaluated {
        std::optional<ResultEvaluation> evaluation = {};  ///< set if Result::truth is set
        std::optional<ErrorReport> truthProblem = {};     ///< why an existing truth cannot be used
        std::vector<std::string> truthNotes = {};         ///< GroundTruth::notes
        /// The photographs' visual hull before depth moved it to the fitted mesh; null if depth was
        /// not used.
        render::SceneMeshRef hull = {};
    };
    /// The window fitted an evaluated result to photographs, or failed to: see `fit`. A result
    /// whose reconstruction came with a fitted mesh is `Evaluated`.
    struct Fitted : Evaluated {
        FitChoice requested = {};
        SampleFit fit = {};  ///< without `photographs`, which are too large to keep
        std::shared_ptr<const Result> before = {};  ///< the result without this fit; not null
    };
    using State = std::variant<Partial, Evaluated, Fitted>;

    // Set in every state
    SampleRef sample;
    std::vector<int> views;               ///< the first is the reference
    FittedReconstruction reconstruction;  ///< timings include `load`
    ResultOrigin origin;                  ///< empty if partial, or if the caller gave none
    std::chrono::steady_clock::time_point startedAt = {};  ///< LoadedSample::startedAt
    std::optional<ResultTruth> truth;  ///< none: no truth, or Evaluated::truthProblem
    MeshMorph morph = publishedMorph();
    std::shared_ptr<QuantityCache> quantities;  ///< for quantityValues()
    FramedPoints framedPoints;  ///< the vertices of the published meshes, in world space

    State state;

    /// The members of an evaluated or fitted result; null: partial.
    const Evaluated* evaluated() const;
    /// The members of a fitted result; null: not fitted yet.
    const Fitted* fitted() const { return std::get_if<Fitted>(&state); }

    /// The mesh with this id. Null for a stage that is still to come, for a fitted mesh, a hull or
    /// a truth that the result lacks, and for opened meshes and the photograph.
    const render::SceneMeshRef& mesh(MeshId id) const;
    /// The measures against the truth; null: no truth, or not evaluated yet.
    const ResultEvaluation* evaluation() const {
        return evaluated() != nullptr && evaluated()->evaluation ? &*evaluated()->evaluation
                                                                 : nullptr;
    }
    /// Evaluated::truthProblem; null: none.
    const ErrorReport* truthProblem() const {
        return evaluated() != nullptr && evaluated()->truthProblem ? &*evaluated()->truthProblem
                                                                   : nullptr;
    }
    TruthShape truthShape() const { return truth ? truth->shape() : TruthShape{}; }
    /// The final mesh: the fitted mesh, or else the network's result.
    const render::SceneMeshRef& finalMesh() const {
        const render::SceneMeshRef& fittedMesh = mesh(MeshId::fitted);
        return fittedMesh ? fittedMesh : mesh(MeshId::result);
    }

    Camera referenceCamera() const {
        return Camera::fromRow(sample->cameraRows.at(static_cast<std::size_t>(views.front())));
    }
};
using ResultRef = std::shared_ptr<const Result>;

/// Makes an evaluated result from a measured sample.
ResultRef makeResult(MeasuredSample measured, ResultOrigin origin = {});
/// Makes an evaluated result from an existing reconstruction: reads the truth and evaluates first.
/// An unusable truth is reported in Result::Evaluated::truthProblem.
ResultRef makeResult(SampleRef sample, std::vector<int> views, FittedReconstruction reconstruction,
                     ResultOrigin origin = {});

/// Makes a partial result of the stages so far, while later stages are computed: without
/// evaluation, but with the distances to the truth.
ResultRef makePartialResult(const LoadedSample& loaded, const Reconstruction& soFar);

/// Makes a fitted result from the evaluated result `before`, whose meshes stay the same objects.
/// `sample`: its `fit`, which must be set, and its fitted mesh become the result's. Takes some
/// milliseconds: call it on the network's thread.
ResultRef withFit(const ResultRef& before, FitChoice requested, FittedSample sample);

/// Evaluation of MeshMorph::stages[stage]; null if the stage was not evaluated.
const MeshEvaluation* evaluationOf(const Result& result, std::size_t stage);

/// Whether fitSummary() gives the reason for the chosen mesh, SampleFit::choiceReason.
enum class ChoiceReason { included, leftOut };
/// Summary of a fit in a line: photographs, time, overlap before and after, and notes; or why there
/// is no fitted mesh.
QString fitSummary(const SampleFit& fit, ChoiceReason reason = ChoiceReason::included);

/// Thresholds for the plot of F: squared distances from 0 to 3 τ in 150 equal steps, ends included.
std::vector<double> fScoreThresholds();

}  // namespace threefold::ui
