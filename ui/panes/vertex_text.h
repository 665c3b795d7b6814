#pragma once

#include <QStringList>

#include "ui/document/shown_document.h"

namespace threefold::ui {

/// Describes a vertex: its mesh, index, value with unit, and position in world space and in the
/// reference camera's space. Empty if the vertex does not exist.
QString vertexSummary(const ShownDocument& shown, const VertexId& vertex);

/// Names a vertex by its mesh and index: "truth #1 204".
QString vertexName(const Document& document, const VertexId& vertex);

/// The lines of the vertex's PointerTip: mesh and index; value; position in world space.
QStringList vertexTipLines(const ShownDocument& shown, const VertexId& vertex);

}  // namespace threefold::ui
