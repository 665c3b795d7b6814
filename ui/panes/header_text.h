#pragma once

#include <QString>

#include "ui/document/document.h"
#include "ui/document/shown_document.h"
#include "ui/results/mesh_morph.h"

namespace threefold::ui {

/// Texts of a pane's header for one mesh.
struct HeaderText {
    QString title;        ///< meshTitle(), or the opened file's name
    QString detail;       ///< "2 466 v", "48 %"
    QString note = {};    ///< tooltip
    QString swatch = {};  ///< name of the mesh's plain colour in an overlay; or empty
    bool operator==(const HeaderText&) const = default;
};
/// The texts for a mesh of the panes.
HeaderText headerText(const ShownDocument& shown, MeshId id);
/// Title of a mesh that is being computed.
QString pendingTitle(const Document& document, MeshId id);
/// Title of the stage in the result's pane, or "Level 1 → Level 2" between two stages.
QString shownStageTitle(const Document& document);
/// The stages of the shown result; without a result those of the published model.
const MeshMorph& shownMorph(const Document& document);

}  // namespace threefold::ui
