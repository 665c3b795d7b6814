#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QWidget>

#include "engine/views/camera.h"
#include "ui/document/view_selection.h"

namespace threefold::ui {

/// The cameras of an item seen from above, x to the right and z down: around the object by azimuth,
/// nearer to the centre the higher they stand. Those in slots carry the slot's number; the
/// reference has a second ring. A click on a free camera chooses it, on a numbered one selects its
/// slot; a numbered one can be dragged to another camera. Arrow keys move around the ring, Enter
/// and space choose, the digits 1 to 8 put the camera into that slot.
class CameraRing : public QWidget {
    Q_OBJECT

  public:
    explicit CameraRing(QWidget* parent = nullptr);

    void setCameras(const std::vector<CameraRow>& cameras, const ViewSelection& selection);

    /// Where a camera is drawn, in logical pixels of this widget.
    QPointF placeOf(int view) const;
    /// The camera nearest to a place, within a few pixels of it; −1: none.
    int viewAt(QPointF place) const;
    /// The camera that the arrow keys have reached; −1: none.
    int current() const { return current_; }

  Q_SIGNALS:
    void chosen(int view);
    void slotChosen(std::size_t slot);
    void viewPut(std::size_t slot, int view);
    void viewReached(int view);  ///< by an arrow key
    void dragBegan(std::size_t slot);
    void draggedTo(int view);
    void dragEnded();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { setHovered(-1); }
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    QString describe(int view) const;
    int besideOnRing(int view, int step) const;
    void setCurrent(int view);
    void setHovered(int view);
    void drag(QPointF place);
    void endDrag();

    std::vector<CameraRow> cameras_;
    ViewSelection selection_;
    int current_ = -1;
    int hovered_ = -1;
    std::optional<QPointF> pressed_;
    int pressedView_ = -1;
    bool dragging_ = false;
};

}  // namespace threefold::ui
