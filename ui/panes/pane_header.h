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

namespace threefold::ui {

/// A header's text about one mesh.
struct HeaderText {
    QString title;      ///< "Coarse"
    QString detail;     ///< "2 466 v", "48 %"
    QString note = {};  ///< the tooltip
    bool operator==(const HeaderText&) const = default;
};
HeaderText headerText(const Document& document, MeshId id);
/// What the refined mesh's pane shows: "Refined", or "Coarse → Refined 1" between two stages.
QString shownStageTitle(const Document& document);
/// The stages of the result that the panes show; before there is one the published model's.
const MeshMorph& shownMorph(const Document& document);

/// The strip at one mesh: which it is, how large it is, and a menu.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeader(QWidget* parent = nullptr);
    /// `choosable`: whether there is a menu.
    void setText(const HeaderText& text, bool choosable);

    QString title() const { return text_.title; }
    QString detail() const { return text_.detail; }
    /// Adds a widget at the right of the title.
    void addBeside(QWidget* widget) { row_->insertWidget(1, widget); }

  Q_SIGNALS:
    void menuAsked(QPoint global);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override {
        Q_EMIT menuAsked(event->globalPos());
    }
    void mousePressEvent(QMouseEvent*) override {}  // or it would not be told of the release
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

/// The headers of the panes, one a mesh: they follow the document and its layout, and choose what
/// each pane shows. In an overlay the second has a slider for its opacity.
class PaneHeaders : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeaders(Document& document, QWidget* parent = nullptr);

    /// Belongs below the panes: the headers of their second row.
    QWidget& lower() { return *lower_; }
    const PaneHeader& first() const { return *headers_[0]; }
    const PaneHeader& second() const { return *headers_[1]; }
    /// Null where no pane shows that mesh.
    const PaneHeader* of(MeshId id) const;
    QSlider& opacity() { return *opacity_; }

    /// Fills the menu of a header with the choices for a place in shownIds(). Tests call this, too.
    void fill(QMenu& menu, std::size_t place);
    /// Adds commands to these menus that open another mesh. Each calls `here` before it begins, so
    /// that the mesh is shown in the menu's pane.
    using Filler = std::function<void(QMenu& menu, const std::function<void()>& here)>;
    void addOpening(Filler filler) { fillers_.push_back(std::move(filler)); }
    /// Adds commands for a pane.
    using PaneFiller = std::function<void(QMenu& menu, std::size_t pane)>;
    void addCommands(PaneFiller filler) { paneFillers_.push_back(std::move(filler)); }
    /// Shows the menu of the mesh at a share of the pane's width.
    void showMenu(std::size_t pane, float share, QPoint global);

  private:
    void follow();
    void followOpened();
    bool shared() const;  // the first two meshes share a pane
    void popUp(std::size_t place, QPoint global);
    void showIn(std::size_t place, MeshId id);
    void setPanes(std::vector<MeshId> ids);

    Document& document_;
    QWidget* lower_;
    std::array<PaneHeader*, kMostPanes + kMostPanes / 2> headers_;  // the last of them below
    std::vector<std::optional<std::size_t>> places_;                // by header: in shownIds()
    QBoxLayout* row_;
    QSlider* opacity_;
    std::vector<Filler> fillers_;
    std::vector<PaneFiller> paneFillers_;
    std::vector<MeshId> opened_;           // as they were last
    std::optional<std::size_t> awaiting_;  // the place of the mesh that is opened next
};

}  // namespace threefold::ui
