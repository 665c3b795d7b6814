#pragma once

#include <utility>

#include <QCoreApplication>
#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"

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

/// One number for each vertex of one mesh, NaN: none. Only that mesh is drawn with them.
class MeshValues {
  public:
    MeshValues() = default;
    MeshValues(render::SceneMeshRef mesh, render::SceneValues values)
        : mesh_(std::move(mesh)),
          values_(std::make_shared<const render::SceneValues>(std::move(values))) {}

    /// For a scene; null: these are of another mesh.
    render::SceneValuesRef on(const render::SceneMeshRef& mesh) const {
        return mesh == mesh_ ? values_ : nullptr;
    }
    explicit operator bool() const { return values_ != nullptr; }
    const render::SceneValues& operator*() const { return *values_; }
    const render::SceneValues* operator->() const { return values_.get(); }
    bool operator==(const MeshValues&) const = default;

  private:
    render::SceneMeshRef mesh_;
    render::SceneValuesRef values_;
};

/// The values of a quantity on one mesh.
struct SurfaceValues {
    MeshValues values;  ///< none: see `reason`
    /// The finite ones, ascending: for ranges and histograms. Null where `values` is.
    std::shared_ptr<const std::vector<float>> sorted;
    /// The same without signs, for a quantity that diverges; else `sorted`.
    std::shared_ptr<const std::vector<float>> sizes;
    QString unit;
    bool diverging = false;
    QString reason;  ///< a sentence; empty where there are values, or none are wanted
};

/// `values` with all that belongs to them. Sorting takes 0.1 ms for the network's meshes.
SurfaceValues surfaceValuesOf(Quantity quantity, const render::SceneMeshRef& mesh,
                              render::SceneValues values);
SurfaceValues withoutValues(Quantity quantity, const QString& reason);

/// Values on the morphed mesh (see morphedMesh): of its vertices, in its order. Those of the stages
/// are computed once and kept with the result. Thread-safe; below 2 ms for the network's meshes.
SurfaceValues morphedValues(const Result& result, float position, Quantity quantity);

/// Coarse: at kMorphCoarse, refined: at kMorphRefined, fitted: at kMorphFitted. Truth: of its
/// points, which only distanceFromTruth has. Hull: of Result::hull. Not for the comparison mesh.
SurfaceValues quantityValues(const Result& result, MeshRole role, Quantity quantity);

/// Values of a fitted mesh while it converges. Thread-safe; 2 ms, but the last two are kept: call
/// it on another thread first to spare the window's.
SurfaceValues fitSoFarValues(const Result& result, const render::SceneMeshRef& soFar,
                             Quantity quantity);

/// Values of the document's shown mesh: `refined` at the look's morph position, the comparison mesh
/// through ComparisonValues, the fitted mesh so far while a fit is under way. Without values there
/// is a reason, unless the quantity needs none. For the window's thread; below 2 ms.
SurfaceValues surfaceValues(const Document& document, MeshRole role, Quantity quantity);
SurfaceValues surfaceValues(const Document& document, MeshRole role);  ///< of the look's quantity

/// Colours or texture of a mesh, for a quantity without values (Colouring::colours).
struct SurfacePaint {
    render::SceneValuesRef colours;   ///< packed, one for each vertex; or null
    render::SceneTextureRef texture;  ///< counts before `colours`; or null

    explicit operator bool() const { return colours != nullptr || texture != nullptr; }
};

/// The paint of the document's mesh in a role, shown as `mesh`, for the look's quantity; empty if
/// there is none, or none yet. For the window's thread.
SurfacePaint surfacePaint(const Document& document, MeshRole role,
                          const render::SceneMeshRef& mesh);

/// Why no shown mesh has such values; empty if one has, or will have. Computes nothing.
QString whyUnavailable(const Document& document, Quantity quantity);

/// The look with another quantity: a range that was typed or is kept belongs to the one before.
Look withQuantity(Look look, Quantity quantity);

}  // namespace threefold::ui
