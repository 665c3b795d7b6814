#include "ui/input/photograph_window.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QMessageBox>
#include <QPainter>
#include <QWheelEvent>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

constexpr double kMaxScale = 32;
constexpr double kZoomStep = 1.25;  // zoom factor of a key or a notch of the wheel
constexpr double kKeyMove = 40;     // logical pixels

}  // namespace

PhotographWindow::PhotographWindow(QWidget* parent)
    : QDialog(parent),
      bar_(new QWidget(this)),
      brush_(flatButton(tr("Correct the mask"), tr("Paint object and background (B)"), bar_)),
      marking_(flatButton(tr("Mark the object"),
                          tr("Drag a box around the object, or click on it, to cut it out of all "
                             "photographs (M)"),
                          bar_)),
      depthShown_(flatButton(tr("Depth"),
                             tr("Show the depth map: how far the photographs show the surface from "
                                "this camera (D)"),
                             bar_)),
      help_(roleLabel("muted", bar_)),
      legend_(new DepthLegend(bar_)),
      undo_(flatButton(tr("Undo"), tr("Undo the last stroke (Ctrl+Z)"), bar_)),
      save_(flatButton(tr("Save"), tr("Write the mask beside the photograph"), bar_)),
      cutOut_(named(flatButton({},
                               tr("Find the object in all photographs, through their cameras, and "
                                  "replace their masks; the old ones are kept in masks/replaced"),
                               bar_),
                    "cutOutMarked")) {
    connect(brush_, &QToolButton::toggled, this, [this](bool on) {
        if (on) setMarking(false);
    });
    connect(marking_, &QToolButton::toggled, this, [this](bool on) {
        if (on) setBrushing(false);
        removeMark();
    });
    for (QToolButton* button : {brush_, marking_, depthShown_}) {
        button->setCheckable(true);
        connect(button, &QToolButton::toggled, this, &PhotographWindow::refreshBar);
    }
    bar_->setAutoFillBackground(true);
    bar_->setLayout(
        rowOf({brush_, marking_, depthShown_, stretched(help_), legend_, undo_, save_, cutOut_}, 8,
              {8, 4, 8, 4}));
    help_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar_->hide();
    connect(save_, &QToolButton::clicked, this, &PhotographWindow::saveRequested);
    connect(cutOut_, &QToolButton::clicked, this, &PhotographWindow::cutOutRequested);
    connect(undo_, &QToolButton::clicked, this, [this] {
        mask_.undo();
        refreshBar();
    });
    setMouseTracking(true);
    resize(760, 760);
    setMinimumSize(200, 200);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::OpenHandCursor);
    setAccessibleName(tr("Enlarged photograph"));
    setAccessibleDescription(
        tr("Wheel or plus and minus to zoom, drag or arrow keys to move, 1 for full size, 0 or a "
           "double click to fit, D for its depth map, Escape to close"));
}

void PhotographWindow::showPhotograph(const QImage& photograph, const QString& title) {
    const bool same = photograph.size() == photograph_.size();
    photograph_ = photograph;
    setWindowTitle(title);
    if (!same) fit();
    update();
    QDialog::show();
    setFocus();  // keys act on the photograph until Tab moves to the bar
}

void PhotographWindow::setOutline(Outline outline) {
    outline_ = std::move(outline);
    outlineImage_ = {};
    update();
}

void PhotographWindow::setMask(MaskBrush mask) {
    mask_ = std::move(mask);
    setBrushing(false);
    setMarking(false);
    refreshBar();
}

void PhotographWindow::leaveMask(std::function<void()> then) {
    if (std::exchange(painting_, false)) mask_.endStroke();
    if (!hasUnsavedMask()) return then();
    // A newer way out replaces an older one.
    delete findChild<QMessageBox*>(QStringLiteral("unsavedMask"));
    auto* question =
        named(new QMessageBox(QMessageBox::Question, tr("Unsaved mask"),
                              tr("You have corrected the mask of this photograph. Save the mask?"),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this),
              "unsavedMask");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setDefaultButton(QMessageBox::Save);
    question->setEscapeButton(QMessageBox::Cancel);
    connect(question, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        if (answer == QMessageBox::Save) {
            afterSaving_ = then;
            Q_EMIT saveRequested();
        } else if (answer == QMessageBox::Discard) {
            mask_.discardChanges();
            refreshBar();
            update();
            then();
        }
    });
    question->open();
}

void PhotographWindow::setMaskSaved(const MaskBrush& written) {
    mask_.setSaved(written);
    if (const auto then = std::exchange(afterSaving_, {})) then();
}

void PhotographWindow::reject() {
    leaveMask([this] { QDialog::reject(); });
}

void PhotographWindow::replaceMask(const MaskBrush& mask) {
    if (std::exchange(painting_, false)) mask_.endStroke();
    mask_.replace(mask);
    if (isMarking()) setBrushing(true);
    refreshBar();
    update();
}

void PhotographWindow::setCuttingOut(bool on) {
    cuttingOut_ = on;
    refreshBar();
}

void PhotographWindow::setDepth(DepthPicture depth) {
    depth_ = std::move(depth);
    if (!depth_.isNull()) legend_->setPicture(depth_);
    refreshBar();
}

void PhotographWindow::refreshBar() {
    bar_->setVisible(!mask_.isNull() || !depth_.isNull());
    brush_->setVisible(!mask_.isNull());
    marking_->setVisible(!mask_.isNull() && !isBrushing() && !showsDepth());
    depthShown_->setVisible(!depth_.isNull() && !isEditing());
    legend_->setVisible(showsDepth());
    help_->setText(helpText());
    for (QToolButton* button : {undo_, save_}) {
        button->setVisible(isBrushing());
        button->setEnabled(mask_.changed());
    }
    cutOut_->setVisible(isMarking());
    cutOut_->setEnabled(mark_ && !cuttingOut_);
    cutOut_->setText(cuttingOut_                ? tr("Cutting out…")
                     : mark_ && !mark_->isBox() ? tr("Cut out by this point")
                                                : tr("Cut out by this box"));
    setCursor(isEditing() || showsDepth() ? Qt::CrossCursor : Qt::OpenHandCursor);
    placeBar();
}

QString PhotographWindow::helpText() const {
    if (isBrushing()) return tr("Left button: object · right: background · [ ] size");
    if (isMarking()) return tr("Drag a box closely around the object, or click on it");
    if (!showsDepth()) return {};
    if (!depth_.isConsistent) return tr("so far, not checked yet");
    const QRectF rect = photographRect();
    const QPointF offset = lastPosition_ - rect.topLeft();
    return underMouse()
               ? depth_.depthTextAt({offset.x() / rect.width(), offset.y() / rect.height()})
               : QString();
}

void PhotographWindow::placeBar() {
    const int barHeight = bar_->sizeHint().height();
    bar_->setGeometry(0, height() - barHeight, width(), barHeight);
    if (fitted_)
        fit();
    else
        keepInside();
}

void PhotographWindow::paintMask(QPointF to) {
    mask_.paint(inPhotograph(lastPosition_), inPhotograph(to), radius_ / scale_, paint_);
}

void PhotographWindow::dragMark(QPointF to) {
    constexpr double kMaxClick = 4;  // logical pixels
    mark_ = markOfDrag(*markStart_, inPhotograph(to), photograph_.size(), kMaxClick / scale_);
    update();
}

void PhotographWindow::removeMark() {
    mark_.reset();
    markStart_.reset();
    refreshBar();
    update();
}

void PhotographWindow::drawMark(QPainter& painter) const {
    constexpr double kPointRadius = 6;  // logical pixels
    const QPointF corner = photographRect().topLeft() + scale_ * mark_->box.topLeft();
    painter.setRenderHint(QPainter::Antialiasing);
    // White on black is visible on every photograph.
    for (const QPen& pen : {QPen(Qt::black, 3.5), QPen(Qt::white, 1.5)}) {
        painter.setPen(pen);
        if (mark_->isBox())
            painter.drawRect(QRectF(corner, scale_ * mark_->box.size()));
        else
            painter.drawEllipse(corner, kPointRadius, kPointRadius);
    }
}

void PhotographWindow::changeBrush(double factor) {
    constexpr double kMinRadius = 2, kMaxRadius = 200;
    radius_ = std::clamp(radius_ * factor, kMinRadius, kMaxRadius);
    update();
}

double PhotographWindow::fittingScale() const {
    if (photograph_.isNull()) return 1;
    return std::min(photographArea().width() / photograph_.width(),
                    photographArea().height() / photograph_.height());
}

QRectF PhotographWindow::photographRect() const {
    const QPointF corner = photographArea().center() - scale_ * centre_;
    return {corner, scale_ * QSizeF(photograph_.size())};
}

void PhotographWindow::fit() {
    fitted_ = true;
    scale_ = fittingScale();
    centre_ = QPointF(photograph_.width(), photograph_.height()) / 2;
    update();
}

void PhotographWindow::zoom(double scale, QPointF about) {
    const double minScale = fittingScale();
    scale = std::clamp(scale, minScale, std::max(kMaxScale, minScale));
    if (scale <= minScale) return fit();
    const QPointF fromCentre = about - photographArea().center();
    centre_ += fromCentre / scale_ - fromCentre / scale;
    scale_ = scale;
    fitted_ = false;
    keepInside();
}

void PhotographWindow::move(QPointF step) {
    centre_ -= step / scale_;
    keepInside();
}

void PhotographWindow::keepInside() {
    const auto clampCentre = [this](double centre, double size, double available) {
        const double half = available / scale_ / 2;
        return 2 * half >= size ? size / 2 : std::clamp(centre, half, size - half);
    };
    centre_ = {clampCentre(centre_.x(), photograph_.width(), photographArea().width()),
               clampCentre(centre_.y(), photograph_.height(), photographArea().height())};
    update();
}

void PhotographWindow::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colours.viewport);
    if (photograph_.isNull()) return;
    const QRectF target = photographRect();
    painter.fillRect(target, Qt::white);
    // From this scale on, pixels are drawn as squares.
    constexpr double kSquaresFrom = 4;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale_ < kSquaresFrom);
    painter.drawImage(target, photograph_);
    if (showsDepth()) {
        QColor veil = colours.viewport;
        veil.setAlphaF(0.6F);
        painter.fillRect(target, veil);
        painter.drawImage(target, depth_.colours);
    }
    if (isBrushing()) {
        painter.drawImage(target, mask_.dimming());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Qt::white, 1.5));
        if (underMouse()) painter.drawEllipse(lastPosition_, radius_, radius_);
    }
    if (isMarking() && mark_) drawMark(painter);
    if (!outline_ || isEditing()) return;
    // Redraws the outline at each size to keep its lines thin, up to a size beyond which drawing
    // takes too long.
    constexpr int kMaxOutlineSide = 2400;
    const QSize size = target.size().toSize().scaled(
        std::min(kMaxOutlineSide, target.size().toSize().width()),
        std::min(kMaxOutlineSide, target.size().toSize().height()), Qt::KeepAspectRatio);
    if (outlineImage_.isNull() || size != outlineSize_) {
        outlineImage_ = outline_(size, devicePixelRatioF());
        outlineSize_ = size;
    }
    if (!outlineImage_.isNull()) painter.drawImage(target, outlineImage_);
}

void PhotographWindow::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    placeBar();
}

void PhotographWindow::wheelEvent(QWheelEvent* event) {
    constexpr double kNotch = 120;
    zoom(scale_ * std::pow(kZoomStep, event->angleDelta().y() / kNotch), event->position());
    event->accept();
}

void PhotographWindow::mousePressEvent(QMouseEvent* event) {
    lastPosition_ = event->position();
    if (isBrushing() && event->button() != Qt::MiddleButton) {
        if (!std::exchange(painting_, true)) mask_.beginStroke();
        paint_ = event->button() == Qt::LeftButton ? BrushPaint::object : BrushPaint::background;
        paintMask(lastPosition_);
        update();
    } else if (isMarking() && event->button() == Qt::LeftButton) {
        markStart_ = inPhotograph(lastPosition_);
        dragMark(lastPosition_);
    } else if (event->button() != Qt::RightButton) {
        setCursor(Qt::ClosedHandCursor);
    }
}

void PhotographWindow::mouseMoveEvent(QMouseEvent* event) {
    const bool moves = event->buttons().testFlag(Qt::MiddleButton) ||
                       (event->buttons().testFlag(Qt::LeftButton) && !isMarking());
    if (painting_)
        paintMask(event->position());
    else if (markStart_)
        dragMark(event->position());
    else if (moves)
        move(event->position() - lastPosition_);
    lastPosition_ = event->position();
    if (isBrushing()) update();
    if (showsDepth()) help_->setText(helpText());
}

void PhotographWindow::mouseReleaseEvent(QMouseEvent*) {
    if (std::exchange(painting_, false)) mask_.endStroke();
    markStart_.reset();
    refreshBar();
}

void PhotographWindow::mouseDoubleClickEvent(QMouseEvent* event) {
    if (isEditing()) return mousePressEvent(event);
    if (event->button() != Qt::LeftButton) return;
    lastPosition_ = event->position();
    if (!fitted_) return fit();
    // Zooms to full size, or a small photograph to twice its fitted size.
    zoom(std::max(1.0, 2 * scale_), event->position());
}

void PhotographWindow::keyPressEvent(QKeyEvent* event) {
    const QPointF centre = photographArea().center();
    if (isBrushing() && event->matches(QKeySequence::Undo)) return undo_->click();
    switch (event->key()) {
        case Qt::Key_B:
            return setBrushing(!isBrushing());
        case Qt::Key_M:
            return setMarking(!isMarking());
        case Qt::Key_D:
            return isEditing() || depth_.isNull() ? QDialog::keyPressEvent(event)
                                                  : depthShown_->toggle();
        case Qt::Key_BracketLeft:
            return changeBrush(1 / kZoomStep);
        case Qt::Key_BracketRight:
            return changeBrush(kZoomStep);
        case Qt::Key_Escape:
            if (mark_ || markStart_) return removeMark();
            if (!isEditing()) return QDialog::keyPressEvent(event);
            if (isBrushing()) return leaveMask([this] { setBrushing(false); });
            return setMarking(false);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(scale_ * kZoomStep, centre);
        case Qt::Key_Minus:
            return zoom(scale_ / kZoomStep, centre);
        case Qt::Key_1:
            return zoom(1, centre);
        case Qt::Key_0:
            return fit();
        case Qt::Key_Left:
            return move({kKeyMove, 0});
        case Qt::Key_Right:
            return move({-kKeyMove, 0});
        case Qt::Key_Up:
            return move({0, kKeyMove});
        case Qt::Key_Down:
            return move({0, -kKeyMove});
        default:
            return QDialog::keyPressEvent(event);
    }
}

}  // namespace threefold::ui
