#pragma once

#include <map>
#include <optional>
#include <vector>

#include <QImage>
#include <QPoint>
#include <QWidget>

#include "ui/document/view_selection.h"

class QGridLayout;

namespace threefold::ui {

class ViewTile;

/// The chosen views as cards, the first being the reference: one below the other up to three, else
/// two beside each other. Arrow keys move between them, with Ctrl they take the view along; Enter
/// and space select, Delete takes a slot away.
class ViewSlots : public QWidget {
    Q_OBJECT

  public:
    explicit ViewSlots(QWidget* parent = nullptr);

    void show(const ViewSelection& selection, const std::map<int, QImage>& images);
    const std::vector<ViewTile*>& tiles() const { return tiles_; }
    /// The slot at a global position.
    std::optional<std::size_t> slotAt(QPoint global) const;
    /// The slot a tile stands for; empty for a tile of elsewhere.
    std::optional<std::size_t> slotOf(const ViewTile* tile) const;

  Q_SIGNALS:
    void tileAdded(threefold::ui::ViewTile* tile);
    void slotSelected(std::size_t slot);
    void swapAsked(std::size_t from, std::size_t to);
    void removalAsked(std::size_t slot);
    /// The wheel was turned over a slot, away from the user is positive; where nobody sets
    /// `taken`, the panel scrolls.
    void wheelTurned(std::size_t slot, double notches, bool* taken);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void setCount(std::size_t count);
    int columns() const;
    bool pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers);

    QGridLayout* layout_;
    std::vector<ViewTile*> tiles_;  // children of this
};

}  // namespace threefold::ui
