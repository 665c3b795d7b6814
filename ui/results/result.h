#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <QString>

#include "engine/pipeline/measure_sample.h"
#include "render/scene.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/quantity_cache.h"

namespace threefold::ui {

using SampleRef = std::shared_ptr<const Sample>;
/// The points that a camera must fit into view; null or empty: a cube around the origin.
using Extent = std::shared_ptr<const Points>;

/// Whether results are fitted to photographs, the `chosen` or `all` of the sample's, and from what.
struct FitChoice {
    bool on = false;
    FitRequest::Kind views = FitRequest::Kind::all;
    FitRequest::From from = FitRequest::From::byDefault;
    bool operator==(const FitChoice&) const = default;
};

/// Their names in settings and sessions; in the order of their menus, the usual one first.
inline constexpr std::pair<std::string_view, FitRequest::Kind> kFitKindNames[] = {
    {"all", FitRequest::Kind::all}, {"chosen", FitRequest::Kind::chosen}};
inline constexpr std::pair<std::string_view, FitRequest::From> kFitFromNames[] = {
    {"auto", FitRequest::From::byDefault},
    {"depth", FitRequest::From::depth},
    {"hull", FitRequest::From::hull},
    {"network", FitRequest::From::network}};

/// The outcome of a fit to photographs.
struct FitOutcome {
    FitChoice asked;
    std::vector<int> views;                         ///< the views used by the fit
    FitResult fit;                                  ///< without vertices if there is a `problem`
    std::optional<ErrorReport> problem;             ///< why there is no fitted mesh
    Faces faces = {};                               ///< Reconstruction::fittedFaces
    std::optional<PhotographSurface> surface = {};  ///< where the fitted mesh is made of one
};

/// What computed a result.
struct ResultOrigin {
    std::string model;    ///< name of its file
    std::string backend;  ///< description and precision
    bool operator==(const ResultOrigin&) const = default;
};

/// Everything shown of one reconstruction. Made on the network's thread, then immutable.
struct Result {
    SampleRef sample;
    std::vector<int> views;         ///< the first is the reference
    Reconstruction reconstruction;  ///< timings include `load`
    ResultOrigin origin;            ///< empty if the caller gave none

    std::optional<Evaluation> evaluation;  ///< none without truth
    /// Of each of MeshMorph::stages: scores at sweepThresholds(); empty where it is not evaluated.
    std::vector<std::vector<FScore>> sweeps;
    std::size_t truthPoints = 0;              ///< 0 without truth
    bool truthSampled = false;                ///< these points are samples of its faces
    std::optional<ErrorReport> truthProblem;  ///< why an existing truth cannot be used
    std::vector<std::string> truthNotes;      ///< GroundTruth::notes

    /// All meshes are in ShapeNet's world space (y up), so that orbiting turns around the object's
    /// own axis and does not depend on the reference view. This one is the photographs' hull before
    /// depth moved it to the fitted mesh; null where none did.
    render::SceneMeshRef hull;
    render::SceneMeshRef truth;  ///< its points, and its faces where it is a mesh; null without one
    Points truthNormals;         ///< of these points, in world space; empty where there are none
    /// The points that `evaluation` compares with; null without one.
    std::shared_ptr<const GroundTruth> evaluationTruth;
    MeshMorph morph = publishedMorph();
    /// Of each of MeshMorph::stages: its vertices' distance to the truth; empty without truth.
    std::vector<std::vector<float>> stageDistance;
    std::shared_ptr<QuantityCache> quantities;  ///< for quantityValues()
    Extent extent;  ///< the vertices of coarse and refined mesh, in world space

    std::optional<FitOutcome> fit;            ///< none: not fitted yet
    std::shared_ptr<const Result> beforeFit;  ///< null if `fit` is none

    /// Null where it is not there: a stage that is awaited, no fit, no truth. Not of opened meshes.
    const render::SceneMeshRef& mesh(MeshId id) const {
        return id == MeshId::hull    ? hull
               : id == MeshId::truth ? truth
                                     : morph.stages.at(morph.of(id)).mesh;
    }
    /// The fitted mesh, or else the network's result.
    const render::SceneMeshRef& best() const {
        const render::SceneMeshRef& fitted = mesh(MeshId::fitted);
        return fitted ? fitted : mesh(MeshId::result);
    }

    Camera referenceCamera() const {
        return Camera::fromRow(sample->cameraRows.at(static_cast<std::size_t>(views.front())));
    }
};
using ResultRef = std::shared_ptr<const Result>;

/// Prepares a sample for the panes.
ResultRef makeResult(MeasuredSample measured, ResultOrigin origin = {});
/// The same for an existing reconstruction: reads the truth and evaluates first. An unusable truth
/// is reported in `truthProblem`.
ResultRef makeResult(SampleRef sample, std::vector<int> views, Reconstruction reconstruction,
                     ResultOrigin origin = {});

/// A result after stage 1, while stage 2 is running: without refined mesh and evaluation. Its
/// coarse mesh and the stages before it have their distance to the truth.
ResultRef makeCoarseResult(const LoadedSample& loaded, const Reconstruction& soFar);

/// The same result after its fit: coarse and refined stay the same objects. Takes some
/// milliseconds, on the network's thread.
ResultRef withFit(const ResultRef& result, FitOutcome outcome);

/// How that stage of MeshMorph::stages compares with the truth; null where it was not evaluated.
const MeshEvaluation* evaluationOf(const Result& result, std::size_t stage);

/// What a fit came to, in a line: photographs, overlap before and after, time, and its notes, such
/// as whether the hull took the mesh's place; or why there is no fitted mesh.
QString fitSummary(const FitOutcome& outcome);

/// "car p0001"; the item alone outside of ShapeNet's categories.
QString itemName(const Sample& sample);

/// Squared distances from 0 to 3 τ, in equal steps, for the plot of F.
std::vector<double> sweepThresholds();

}  // namespace threefold::ui
