#pragma once

#include <memory>
#include <vector>

#include <QString>

#include "render/scene.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// How a quantity is called and read.
struct QuantityInfo {
    QString name = {};         ///< "Distance to truth"
    QString unit = {};         ///< "object units"; empty where there is none
    QString explanation = {};  ///< a sentence or two for a tooltip, with the definition
    bool diverging = false;    ///< signed: zero in the middle of a diverging map
    bool fromZero = true;      ///< a range that is not typed begins at 0
    bool steps = false;        ///< whole numbers only
    int decimals = 4;          ///< of a value as text
    /// How many times more of the values than the look says lie beyond a fitted range: a few
    /// extreme ones must not take the colour from all others.
    float tail = 1;
};
QuantityInfo quantityInfo(Quantity quantity);

/// The values of a quantity on one mesh.
struct SurfaceValues {
    render::SceneValuesRef values;  ///< one for each vertex, NaN: none; null: `reason` says why
    /// The finite ones, ascending: for ranges and histograms. Null where `values` is.
    std::shared_ptr<const std::vector<float>> sorted;
    QString unit;
    bool diverging = false;
    QString reason;  ///< a sentence; empty where there are values, or none are wanted
};

/// `values` with all that belongs to them. Sorting takes 0.1 ms for the network's meshes.
SurfaceValues surfaceValuesOf(Quantity quantity, render::SceneValues values);

/// Values on the mesh at a place of the way (see meshOnWay): its vertices, in its order. Stations
/// are computed once and kept with the result. Thread-safe; below 2 ms for the network's meshes.
SurfaceValues valuesOnWay(const Result& result, float way, Quantity quantity);

/// Coarse: at kWayCoarse, refined: at kWayRefined. Truth: of its points, of which only the distance
/// from them to the refined mesh is known. Not for the comparison mesh.
SurfaceValues quantityValues(const Result& result, MeshRole role, Quantity quantity);

/// Values of whatever the document shows: `refined` at the look's place on the way, the comparison
/// mesh through ComparisonValues. Without values there is a reason, but for Quantity::none and
/// ::normals, which need none. Of the window's thread; below 2 ms.
SurfaceValues surfaceValues(const Document& document, MeshRole role, Quantity quantity);
SurfaceValues surfaceValues(const Document& document, MeshRole role);  ///< of the look's quantity

/// Why no shown mesh has such values; empty where one has, or will have. Computes nothing.
QString whyUnavailable(const Document& document, Quantity quantity);

/// The look with another quantity: a typed range belongs to the one before.
Look withQuantity(Look look, Quantity quantity);

}  // namespace threefold::ui
