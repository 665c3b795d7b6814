#pragma once

#include <utility>

#include <QCoreApplication>
#include <QString>

#include "render/scene.h"
#include "ui/results/mesh_values.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// Translation context of the quantities' texts.
struct Quantities {
    Q_DECLARE_TR_FUNCTIONS(Quantities)
};

/// Description of a quantity for menus, legend, exports and panes. A quantity without `ofMesh`,
/// `ofStage` and `isFromFile` has no values.
struct QuantityInfo {
    QString name = {};         ///< "Distance to truth"
    QString unit = {};         ///< "object units"; empty if there is none
    QString explanation = {};  ///< a sentence or two for a tooltip, with the definition

    // How values are shown
    bool diverging = false;  ///< signed: zero at the centre of the diverging map
    bool fromZero = true;    ///< an automatic range begins at 0
    int decimals = 4;        ///< of a value as text
    /// An automatic range leaves out `tailFactor` × (1 − Look::upperQuantile) of the values, at
    /// most half of them, so that a few extremes do not flatten all other colours.
    float tailFactor = 1;
    render::Colouring colouring = render::Colouring::values;

    // Requirements
    bool isFromFile = false;  ///< values are in the files of opened meshes (OpenedMesh::scalars)
    bool needsTruth = false;
    bool needsTruthSurface = false;  ///< a truth with faces
    bool needsFaces = false;

    // Functions that return one value for each vertex; thread-safe
    /// Values of any mesh in world space; `truth` meets the requirements above. Null: use
    /// ofStage().
    render::SceneValues (*ofMesh)(const render::SceneMesh& mesh, const TruthShape& truth) = nullptr;
    /// Values of a stage of the reconstruction. Null: use ofMesh().
    render::SceneValues (*ofStage)(const Result& result, std::size_t stage) = nullptr;
    /// Values of the fitted mesh while it converges. Null: use ofMesh(). Not null for quantities
    /// that only the network's vertices have; a fitted mesh with vertices of its own
    /// (hasOwnFittedVertices()) has no such values.
    render::SceneValues (*ofFit)(const Result& result,
                                 const render::SceneMesh& converging) = nullptr;
    /// Why a stage has no values; empty if it has some. Null: every stage has values.
    QString (*missingReason)(const Result& result, std::size_t stage) = nullptr;
    /// Values of ResultTruth::surface, or else of ResultTruth::points. Null: the truth has no
    /// values.
    render::SceneValues (*ofTruth)(const Result& result) = nullptr;

    bool hasValues() const { return ofMesh != nullptr || ofStage != nullptr || isFromFile; }
};
QuantityInfo quantityInfo(Quantity quantity);

/// Why a stage has no values of a quantity; empty if it has some.
QString missingReason(const Result& result, std::size_t stage, const QuantityInfo& info);

/// Completes `values` with their sorted lists and unit. Takes 0.1 ms for the network's meshes.
SurfaceValues surfaceValuesOf(Quantity quantity, const render::SceneMeshRef& mesh,
                              render::SceneValues values);
/// SurfaceValues without values, for this reason.
SurfaceValues noValues(Quantity quantity, const QString& reason);

/// Values of the vertices of morphedMesh(). The stages' values are computed once and cached in the
/// result. Thread-safe; below 2 ms for the network's meshes.
SurfaceValues morphedValues(const Result& result, float position, Quantity quantity);

/// Values of one of kResultMeshes: of the stage at MeshMorph::stageIndex(), of the hull, or of the
/// truth, for which only distanceFromTruth has values. None for opened meshes.
SurfaceValues quantityValues(const Result& result, MeshId id, Quantity quantity);

/// Values of a fitted mesh while it converges. Thread-safe; takes 2 ms unless cached: call it on
/// another thread first to spare the GUI thread.
SurfaceValues convergingValues(const Result& result, const render::SceneMeshRef& converging,
                               Quantity quantity);

}  // namespace threefold::ui
