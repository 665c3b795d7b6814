#pragma once

#include <map>

#include <QImage>

#include "ui/document/view_selection.h"
#include "ui/input/view_tiles.h"

class QGridLayout;

namespace threefold::ui {

/// The chosen views, the first being the reference: in one column up to three, else in two. Arrow
/// keys move the focus, with Ctrl also the view; Enter and space select a slot, Delete removes it.
class ViewSlots : public ViewTiles {
    Q_OBJECT

  public:
    explicit ViewSlots(QWidget* parent = nullptr);

    void show(const ViewSelection& selection, const std::map<int, QImage>& images);

  Q_SIGNALS:
    void swapAsked(std::size_t from, std::size_t to);
    void removalAsked(std::size_t slot);
    /// The wheel was turned over a slot; away from the user is positive. Unless `taken` is set, the
    /// panel scrolls.
    void wheelTurned(std::size_t slot, double notches, bool* taken);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void arrange(std::size_t count);
    int columns() const override;
    bool pressKey(std::size_t slot, int key, Qt::KeyboardModifiers modifiers);

    QGridLayout* layout_;
};

}  // namespace threefold::ui
