#pragma once

#include <functional>

#include <QBoxLayout>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QWidget>

#include "ui/document/document.h"
#include "ui/document/shown_values.h"

namespace threefold::ui {

/// Texts of a pane's header for one mesh.
struct HeaderText {
    QString title;        ///< meshTitle(), or the opened file's name
    QString detail;       ///< "2 466 v", "48 %"
    QString note = {};    ///< tooltip
    QString swatch = {};  ///< name of the mesh's plain colour in an overlay; or empty
    bool operator==(const HeaderText&) const = default;
};
HeaderText headerText(const ShownValues& shown, MeshId id);
/// Title of the stage in the result's pane, or "Level 1 → Level 2" between two stages.
QString shownStageTitle(const Document& document);
/// The stages of the shown result; without a result those of the published model.
const MeshMorph& shownMorph(const Document& document);

/// The header of one mesh: its title, its size, and a menu.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeader(QWidget* parent = nullptr);
    /// `choosable`: whether there is a menu.
    void setText(const HeaderText& text, bool choosable);

    QString title() const { return text_.title; }
    QString detail() const { return text_.detail; }
    QString swatch() const { return text_.swatch; }
    /// Adds a widget at the right of the title.
    void addWidget(QWidget* widget) { row_->insertWidget(1, widget); }

  Q_SIGNALS:
    void menuRequested(QPoint global);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override {
        Q_EMIT menuRequested(event->globalPos());
    }
    void mousePressEvent(QMouseEvent*) override {}  // accepted, to receive the release
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void refresh();

    HeaderText text_;
    bool choosable_ = false;
    QLabel* label_;
    QToolButton* menu_;
    QBoxLayout* row_;
};

/// The headers of the panes, one for each mesh. They follow the document, and their menus choose
/// the mesh of each pane. In an overlay the second header has a slider for its mesh's opacity.
class PaneHeaders : public QWidget {
    Q_OBJECT

  public:
    /// `shown` must be of `document`.
    PaneHeaders(Document& document, const ShownValues& shown, QWidget* parent = nullptr);

    /// The headers of the second row of panes; belongs below the panes.
    QWidget& lower() { return *lower_; }
    const PaneHeader& first() const { return *headers_[0]; }
    const PaneHeader& second() const { return *headers_[1]; }
    /// The header of a mesh; null if no pane shows the mesh.
    const PaneHeader* headerOf(MeshId id) const;
    QSlider& opacity() { return *opacity_; }

    /// Writes the titles anew, after a change that the document does not signal.
    void refresh();

    /// Fills the menu of the header of shownIds()[index]. Tests call this, too.
    void fillMenu(QMenu& menu, std::size_t index);
    /// Adds commands that open another mesh to these menus. A command first calls `prepare`, so
    /// that the mesh appears in the menu's pane.
    using OpenCommands = std::function<void(QMenu& menu, const std::function<void()>& prepare)>;
    void addOpening(OpenCommands commands) { openCommands_.push_back(std::move(commands)); }
    /// Adds commands for a pane to these menus.
    using PaneCommands = std::function<void(QMenu& menu, std::size_t pane)>;
    void addCommands(PaneCommands commands) { paneCommands_.push_back(std::move(commands)); }
    /// Shows the menu of the mesh at a fraction (0…1) of the pane's width.
    void showMenu(std::size_t pane, float fraction, QPoint global);

  private:
    void updateFromOpened();
    bool firstTwoShare() const;  // one pane
    void popUp(std::size_t index, QPoint global);
    void showAt(std::size_t index, MeshId id);
    void setPanes(std::vector<MeshId> ids);
    void addChoice(QMenu& menu, const QString& text, std::size_t slot, MeshId id);
    /// Adds the choices of meshes and pictures for the pane `slot`, or for a new pane.
    void addChoices(QMenu& menu, std::size_t slot);
    void addPaneCommands(QMenu& menu, std::size_t index);

    Document& document_;
    const ShownValues shown_;
    QWidget* lower_;
    std::array<PaneHeader*, kMaxPanes + kMaxPanes / 2> headers_;  // second row last
    std::vector<std::optional<std::size_t>> meshIndices_;  // of each header: index in shownIds()
    QBoxLayout* row_;
    QSlider* opacity_;
    std::vector<OpenCommands> openCommands_;
    std::vector<PaneCommands> paneCommands_;
    std::vector<MeshId> opened_;           // previous OpenedMeshes::ids()
    std::optional<std::size_t> awaiting_;  // index in shownIds() for the next opened mesh
};

}  // namespace threefold::ui
