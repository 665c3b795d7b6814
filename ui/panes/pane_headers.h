#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include <QBoxLayout>
#include <QMenu>
#include <QSlider>
#include <QWidget>

#include "ui/document/document.h"
#include "ui/document/shown_document.h"
#include "ui/panes/pane_header.h"

namespace threefold::ui {

/// The headers of the panes, one for each mesh. They follow the document, and their menus choose
/// the mesh of each pane. Beside chosen panes they add one for each mesh that is opened. In an
/// overlay the second header has a slider for its mesh's opacity.
class PaneHeaders : public QWidget {
    Q_OBJECT

  public:
    /// `shown` must refer to `document`.
    PaneHeaders(Document& document, const ShownDocument& shown, QWidget* parent = nullptr);

    /// The widget with the headers of the second row of panes; belongs below the panes.
    QWidget& lower() { return *lower_; }
    const PaneHeader& first() const { return *headers_[0]; }
    const PaneHeader& second() const { return *headers_[1]; }
    /// The header of a mesh; null if no pane shows the mesh.
    const PaneHeader* headerOf(MeshId id) const;

    /// Writes the titles anew, after a change that the document does not signal.
    void refresh();

    /// Fills the menu of the header of paneIds()[index]. Tests call this, too.
    void fillMenu(QMenu& menu, std::size_t index);
    /// Extends the headers' menus by commands that open another mesh. A command first calls
    /// `prepare`, so that the mesh appears in the menu's pane.
    using OpenCommands = std::function<void(QMenu& menu, const std::function<void()>& prepare)>;
    void addOpening(OpenCommands commands) { openCommands_.push_back(std::move(commands)); }
    /// Adds commands for a pane to the headers' menus.
    using PaneCommands = std::function<void(QMenu& menu, std::size_t pane)>;
    void addCommands(PaneCommands commands) { paneCommands_.push_back(std::move(commands)); }
    /// Shows the menu of the mesh at a fraction (0…1) of the pane's width.
    void showMenu(std::size_t pane, float fraction, QPoint global);

  private:
    void updateFromOpened();
    bool firstTwoShareAPane() const;
    void popUp(std::size_t index, QPoint global);
    void showAt(std::size_t index, MeshId id);
    void addPaneFor(MeshId opened);
    void setPanes(std::vector<MeshId> ids);
    /// Adds the choice of the mesh `id` for the pane of paneIds()[index].
    void addChoice(QMenu& menu, const QString& text, std::size_t index, MeshId id);
    /// Adds the choices of meshes and pictures for the pane of paneIds()[index]; an `index` past
    /// the end means a new pane.
    void addChoices(QMenu& menu, std::size_t index);
    void addPaneCommands(QMenu& menu, std::size_t index);

    Document& document_;
    const ShownDocument shown_;
    QWidget* lower_;
    std::array<PaneHeader*, kMaxPanes + kMaxPanes / 2> headers_;  // the second row comes last
    std::vector<std::optional<std::size_t>> meshIndices_;  // of each header: index in paneIds()
    QBoxLayout* row_;
    QSlider* opacity_;
    std::vector<OpenCommands> openCommands_;
    std::vector<PaneCommands> paneCommands_;
    std::vector<MeshId> opened_;           // previous OpenedMeshes::ids()
    std::optional<std::size_t> awaiting_;  // index in paneIds() for the next opened mesh
};

}  // namespace threefold::ui
