#pragma once

#include <functional>
#include <optional>

#include <QDialog>
#include <QImage>
#include <QLabel>
#include <QPointF>
#include <QToolButton>

#include "ui/input/depth_picture.h"
#include "ui/input/mask_brush.h"
#include "ui/input/object_mark.h"

namespace threefold::ui {

/// Window with one enlarged photograph. The photograph fits the window at first. The wheel zooms
/// about the pointer, the keys + and − about the centre; dragging and the arrow keys move the
/// photograph; 1 shows it at full size, 0 fits it again. A double click fits it too, or enlarges a
/// fitted photograph. Escape closes the window.
///
/// If there is a mask to correct, B toggles a brush: the left button paints the object, the right
/// button the background, the middle button moves the photograph, [ and ] change the brush size,
/// Ctrl+Z undoes a stroke, Escape ends brushing. Closing the window and Escape ask first if strokes
/// are not saved. M toggles marking of the object, for a cut-out of
/// all photographs: dragging makes a box, a click a point, Escape removes the mark, then ends
/// marking.
///
/// If there is a depth map, D shows it over the photograph; the depth under the pointer is
/// displayed.
class PhotographWindow : public QDialog {
    Q_OBJECT

  public:
    /// Draws the mesh's outline on a transparent image of `size` logical pixels, for display over
    /// the photograph. Called on the GUI thread.
    using Outline = std::function<QImage(QSize size, qreal pixelRatio)>;

    explicit PhotographWindow(QWidget* parent);

    /// Shows another photograph; keeps zoom and position if its size is the same.
    void showPhotograph(const QImage& photograph, const QString& title);
    void setOutline(Outline outline);
    /// The mask to correct; null: none.
    void setMask(MaskBrush mask);
    const MaskBrush& mask() const { return mask_; }
    /// Replaces the mask by a new mask of the same photograph. Undo restores the old mask, as it
    /// does after a stroke of the brush. The window changes from marking to brushing, so that the
    /// new mask is shown.
    void replaceMask(const MaskBrush& mask);
    bool hasUnsavedMask() const { return mask_.isUnsaved(); }
    /// Calls `then`, at once if the mask is saved. Otherwise asks the user first: calls `then`
    /// after the mask was saved or its changes were discarded, and never if the user cancels.
    void leaveMask(std::function<void()> then);
    /// Call after saveRequested(): the mask `written` was saved.
    void setMaskSaved(const MaskBrush& written);
    /// Call after saveRequested(): the mask could not be saved, so the window stays as it is.
    void setMaskNotSaved() { afterSaving_ = {}; }
    /// The depth map to show; null: none.
    void setDepth(DepthPicture depth);
    const DepthPicture& depth() const { return depth_; }
    bool showsDepth() const { return depthShown_->isChecked() && !depth_.isNull() && !isEditing(); }
    void setBrushing(bool on) { brush_->setChecked(on && !mask_.isNull()); }
    bool isBrushing() const { return brush_->isChecked(); }
    void setMarking(bool on) { marking_->setChecked(on && !mask_.isNull()); }
    bool isMarking() const { return marking_->isChecked(); }
    const std::optional<ObjectMark>& mark() const { return mark_; }
    /// Sets whether photographs are being cut out; meanwhile cutOutRequested() is not emitted.
    void setCuttingOut(bool on);

    /// Logical pixels per pixel of the photograph.
    double scale() const { return scale_; }
    double fittingScale() const;
    /// Rectangle of the photograph in the window, in logical pixels.
    QRectF photographRect() const;
    const QImage& photograph() const { return photograph_; }
    bool isFitted() const { return fitted_; }

    void reject() override;

  Q_SIGNALS:
    /// The user asked to save mask().
    void saveRequested();
    /// The user asked to cut out the object in all photographs by mark(), which is set.
    void cutOutRequested();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    QRectF photographArea() const {
        return QRectF(rect()).adjusted(0, 0, 0, bar_->isHidden() ? 0 : -bar_->sizeHint().height());
    }
    bool isEditing() const { return isBrushing() || isMarking(); }
    /// Converts a position in the window to pixels of the photograph.
    QPointF inPhotograph(QPointF position) const {
        return (position - photographRect().topLeft()) / scale_;
    }
    void fit();
    void zoom(double scale, QPointF about);
    void move(QPointF step);
    void keepInside();
    void paintMask(QPointF to);
    void dragMark(QPointF to);
    void removeMark();
    void drawMark(QPainter& painter) const;
    void changeBrush(double factor);
    void refreshBar();
    void placeBar();
    QString helpText() const;

    QWidget* bar_;  // below the photograph; shown if there is a mask or a depth map
    QToolButton* brush_;
    QToolButton* marking_;
    QToolButton* depthShown_;
    QLabel* help_;
    DepthLegend* legend_;
    QToolButton* undo_;
    QToolButton* save_;
    QToolButton* cutOut_;
    MaskBrush mask_;
    double radius_ = 18;                     // of the brush, logical pixels
    BrushPaint paint_ = BrushPaint::object;  // of the present stroke
    bool painting_ = false;                  // a stroke has begun
    std::function<void()> afterSaving_;      // what waits until the mask is saved; null: nothing
    std::optional<ObjectMark> mark_;
    std::optional<QPointF> markStart_;  // of the present drag, in pixels of the photograph
    bool cuttingOut_ = false;
    DepthPicture depth_;
    QImage photograph_;
    Outline outline_;
    QImage outlineImage_;
    QSize outlineSize_;
    double scale_ = 1;
    QPointF centre_;  // the window's centre, in pixels of the photograph
    bool fitted_ = true;
    QPointF lastPosition_;
};

}  // namespace threefold::ui
