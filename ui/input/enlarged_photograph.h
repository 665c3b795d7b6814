#pragma once

#include <functional>

#include <QDialog>
#include <QImage>
#include <QObject>
#include <QPointF>
#include <QPointer>

#include "ui/document/background.h"
#include "ui/input/depth_picture.h"
#include "ui/input/mask_brush.h"
#include "ui/input/outline.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// One photograph, enlarged: fits the window at first; the wheel and + and − zoom about the
/// pointer, dragging and the arrow keys move it, 1 shows a pixel as a pixel, 0 and a double click
/// fit it again. Escape closes.
///
/// Where it has a mask to correct, B takes a brush: the left button paints the object, the right
/// one the background, the middle one moves, [ and ] change the size, Ctrl+Z takes a stroke back,
/// Escape lays the brush down.
///
/// Where it has a depth map, D shows it over the photograph; the pointer reads it.
class PhotographWindow : public QDialog {
    Q_OBJECT

  public:
    /// Draws the outline at a size, in logical pixels; called on this thread.
    using Outline = std::function<QImage(QSize size, qreal pixelRatio)>;

    explicit PhotographWindow(QWidget* parent);

    /// Keeps zoom and place where the sizes are equal.
    void showPhotograph(const QImage& photograph, const QString& title);
    void setOutline(Outline outline);
    /// The photograph's mask, to be corrected; null: there is none.
    void setMask(MaskBrush mask);
    const MaskBrush& mask() const { return mask_; }
    /// The photograph's depth map; null: there is none.
    void setDepth(DepthPicture depth);
    const DepthPicture& depth() const { return depth_; }
    bool showsDepth() const { return depthShown_->isChecked() && !depth_.isNull() && !brushing(); }
    void setBrushing(bool on) { brush_->setChecked(on && !mask_.isNull()); }
    bool brushing() const { return brush_->isChecked(); }

    /// Logical pixels of one pixel of the photograph.
    double scale() const { return scale_; }
    double fittingScale() const;
    /// Where the photograph lies, in logical pixels.
    QRectF photographRect() const;
    const QImage& photograph() const { return photograph_; }
    bool fitted() const { return fitted_; }

  Q_SIGNALS:
    /// The mask is to be kept as it is now.
    void saveAsked();

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
    QRectF room() const {  // for the photograph
        return QRectF(rect()).adjusted(0, 0, 0, bar_->isHidden() ? 0 : -bar_->sizeHint().height());
    }
    void fit();
    void zoom(double scale, QPointF about);
    void move(QPointF step);
    void keepInside();
    void paintMask(QPointF to);
    void changeBrush(double factor);
    void followBar();
    void placeBar();
    QString helpText() const;

    QWidget* bar_;  // below the photograph, where there is a mask or a depth map
    QToolButton* brush_;
    QToolButton* depthShown_;
    QLabel* help_;
    DepthLegend* legend_;
    QToolButton* undo_;
    QToolButton* save_;
    MaskBrush mask_;
    double radius_ = 18;     // of the brush, logical pixels
    bool keeps_ = true;      // the present stroke
    bool painting_ = false;  // a stroke has begun
    DepthPicture depth_;
    QImage photograph_;
    Outline outline_;
    QImage lines_;
    QSize linesSize_;
    double scale_ = 1;
    QPointF middle_;  // of the window, in pixels of the photograph
    bool fitted_ = true;
    QPointF last_;
};

class SlotOutlines;

/// Enlarges the photograph of a slot in a window of its own, with the outline that the slots show:
/// the original where the cameras came as matrices, else as the network sees it. It follows the
/// slot's mesh, and closes with its item. An original's mask can be corrected: it is written beside
/// the photograph, and the item opened anew. A depth map is the fit's, or while that is under way
/// the newest so far.
class EnlargedPhotograph : public QObject {
    Q_OBJECT

  public:
    EnlargedPhotograph(const WindowParts& parts, InputPanel& input, const SlotOutlines& outlines);

    PhotographWindow* openWindow() const {  ///< null: closed
        return window_ && window_->isVisible() ? window_.data() : nullptr;
    }

  private:
    void enlarge(std::size_t slot);
    void drawOutline();
    void drawDepth();
    void saveMask();

    WindowParts parts_;
    InputPanel& input_;
    const SlotOutlines& outlines_;
    QPointer<PhotographWindow> window_;
    NewestRequest reading_;
    NewestRequest drawing_;  // of the depth map
    int view_ = 0;
};

}  // namespace threefold::ui
