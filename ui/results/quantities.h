#pragma once

#include <utility>

#include <QCoreApplication>
#include <QString>

#include "render/scene.h"
#include "ui/results/mesh_values.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Quantities::tr() translates the quantities' texts.
struct Quantities {
    Q_DECLARE_TR_FUNCTIONS(Quantities)
};

/// The description of a quantity for menus, legend, sessions, exports and panes. Without `ofMesh`
/// and `ofStage` it has no values.
struct QuantityInfo {
    QString name = {};         ///< "Distance to truth"
    QString unit = {};         ///< "object units"; empty where there is none
    QString explanation = {};  ///< a sentence or two for a tooltip, with the definition

    // How values are shown
    bool diverging = false;  ///< signed: zero in the middle of the diverging map
    bool fromZero = true;    ///< an automatic range begins at 0
    int decimals = 4;        ///< of a value as text
    /// A fitted range leaves out `tail` times the look's share of values, so that a few extremes do
    /// not flatten all other colours.
    float tail = 1;
    render::Colouring colouring = render::Colouring::values;

    // Where it is defined
    bool needsTruth = false;
    bool needsFaces = false;

    // The values, one for each vertex; thread-safe
    /// Of any mesh in world space; `truth` is null unless needsTruth. Null: only ofStage().
    render::SceneValues (*ofMesh)(const render::SceneMesh& mesh,
                                  const render::SceneMesh* truth) = nullptr;
    /// Of a stage of the reconstruction, where that differs from ofMesh().
    render::SceneValues (*ofStage)(const Result& result, std::size_t stage) = nullptr;
    /// Of the fitted mesh while it converges, where that differs from ofMesh(): a value of the
    /// network's vertices, which a fittedApart() mesh does not have.
    render::SceneValues (*ofFit)(const Result& result, const render::SceneMesh& soFar) = nullptr;
    /// Why a stage has no values; empty if it has. Null: every stage has.
    QString (*whyNot)(const Result& result, std::size_t stage) = nullptr;
    /// Of the truth's points. Null: they have none.
    render::SceneValues (*ofTruth)(const Result& result) = nullptr;

    bool hasValues() const { return ofMesh != nullptr || ofStage != nullptr; }
};
QuantityInfo quantityInfo(Quantity quantity);

/// Why a stage has no values of a quantity; empty if it has.
QString whyWithoutValues(const Result& result, std::size_t stage, const QuantityInfo& info);

/// `values` with all that belongs to them. Sorting takes 0.1 ms for the network's meshes.
SurfaceValues surfaceValuesOf(Quantity quantity, const render::SceneMeshRef& mesh,
                              render::SceneValues values);
SurfaceValues withoutValues(Quantity quantity, const QString& reason);

/// Values on the morphed mesh (see morphedMesh): of its vertices, in its order. Those of the stages
/// are computed once and kept with the result. Thread-safe; below 2 ms for the network's meshes.
SurfaceValues morphedValues(const Result& result, float position, Quantity quantity);

/// Coarse, refined and fitted: at MeshMorph::of(). Truth: of its
/// points, which only distanceFromTruth has. Hull: of Result::hull. Not for the comparison mesh.
SurfaceValues quantityValues(const Result& result, MeshId id, Quantity quantity);

/// Values of a fitted mesh while it converges. Thread-safe; 2 ms, but the last two are kept: call
/// it on another thread first to spare the window's.
SurfaceValues fitSoFarValues(const Result& result, const render::SceneMeshRef& soFar,
                             Quantity quantity);

}  // namespace threefold::ui
