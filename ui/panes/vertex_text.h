#pragma once

#include <QStringList>

#include "ui/document/shown_values.h"

namespace threefold::ui {

/// Describes a vertex: its mesh, index, value with unit, and position in world space and in the
/// reference camera's space. Empty if the vertex does not exist.
QString describeVertex(const ShownValues& shown, const PickedVertex& vertex);

/// Names a vertex by its mesh and index: "truth #1 204".
QString vertexName(const Document& document, const PickedVertex& vertex);

/// The lines of the vertex's PointerTip: mesh and index; value; position in world space.
QStringList vertexLines(const ShownValues& shown, const PickedVertex& vertex);

}  // namespace threefold::ui
