#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QWidget>

#include "engine/views/camera.h"
#include "ui/document/view_selection.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Map of a sample's cameras seen from above, x to the right and z down. The angle is the azimuth;
/// a higher camera is nearer to the centre. A camera in a slot carries the slot's number; the
/// reference has a second ring. A click on a free camera chooses it; a click on a numbered camera
/// selects its slot; dragging a numbered camera moves the slot to another camera. Arrow keys move
/// the keyboard cursor around the ring, Enter and space choose the camera at the cursor, a digit
/// from 1 to kMaxInputViews puts this camera into the slot of that number.
class CameraRing : public QWidget {
    Q_OBJECT

  public:
    explicit CameraRing(QWidget* parent = nullptr);

    void setCameras(const std::vector<CameraRow>& cameras, const ViewSelection& selection);

    /// Position of a camera on the widget, in logical pixels.
    QPointF positionOf(int view) const;
    /// The camera nearest to a position, within a few pixels; −1: none.
    int viewAt(QPointF position) const;
    /// The camera that has the keyboard cursor; −1: none.
    int current() const { return current_; }

  Q_SIGNALS:
    void viewChosen(int view);
    void slotChosen(std::size_t slot);
    void viewAssigned(std::size_t slot, int view);
    void viewFocused(int view);  ///< by an arrow key, Home or End
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
    void paintCard(QPainter& painter, const ThemeColours& colours) const;
    void paintFreeViews(QPainter& painter, const ThemeColours& colours) const;  // and the rays
    void paintSlots(QPainter& painter, const ThemeColours& colours) const;
    void paintLabel(QPainter& painter, const ThemeColours& colours) const;
    QString describe(int view) const;
    int neighbourOnRing(int view, int step) const;
    void setCurrent(int view);
    void setHovered(int view);
    void drag(QPointF position);
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
