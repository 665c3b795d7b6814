#include "ui/input/enlarged_photograph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/document/document.h"
#include "ui/input/input_panel.h"
#include "ui/input/slot_outlines.h"
#include "ui/input/view_slots.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/style/image_conversion.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr double kMostScale = 32;
constexpr double kStep = 1.25;   // of a key or a notch of the wheel
constexpr double kKeyMove = 40;  // logical pixels

}  // namespace

PhotographWindow::PhotographWindow(QWidget* parent) : QDialog(parent) {
    resize(760, 760);
    setMinimumSize(200, 200);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::OpenHandCursor);
    setAccessibleName(tr("Enlarged photograph"));
    setAccessibleDescription(
        tr("Wheel or plus and minus to zoom, drag or arrow keys to move, 1 for full size, 0 or a "
           "double click to fit, Escape to close"));
}

void PhotographWindow::showPhotograph(const QImage& photograph, const QString& title) {
    const bool same = photograph.size() == photograph_.size();
    photograph_ = photograph;
    setWindowTitle(title);
    if (!same) fit();
    update();
    QDialog::show();
}

void PhotographWindow::setOutline(Outline outline) {
    outline_ = std::move(outline);
    lines_ = {};
    update();
}

double PhotographWindow::fittingScale() const {
    if (photograph_.isNull()) return 1;
    return std::min(width() / static_cast<double>(photograph_.width()),
                    height() / static_cast<double>(photograph_.height()));
}

QRectF PhotographWindow::photographRect() const {
    const QPointF corner = QRectF(rect()).center() - scale_ * middle_;
    return {corner, scale_ * QSizeF(photograph_.size())};
}

void PhotographWindow::fit() {
    fitted_ = true;
    scale_ = fittingScale();
    middle_ = QPointF(photograph_.width(), photograph_.height()) / 2;
    update();
}

void PhotographWindow::zoom(double scale, QPointF about) {
    const double least = fittingScale();
    scale = std::clamp(scale, least, std::max(kMostScale, least));
    if (scale <= least) return fit();
    const QPointF fromCentre = about - QRectF(rect()).center();
    middle_ += fromCentre / scale_ - fromCentre / scale;
    scale_ = scale;
    fitted_ = false;
    keepInside();
}

void PhotographWindow::move(QPointF step) {
    middle_ -= step / scale_;
    keepInside();
}

void PhotographWindow::keepInside() {
    const auto kept = [this](double middle, double whole, double room) {
        const double half = room / scale_ / 2;
        return 2 * half >= whole ? whole / 2 : std::clamp(middle, half, whole - half);
    };
    middle_ = {kept(middle_.x(), photograph_.width(), width()),
               kept(middle_.y(), photograph_.height(), height())};
    update();
}

void PhotographWindow::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colours.viewport);
    if (photograph_.isNull()) return;
    const QRectF place = photographRect();
    painter.fillRect(place, Qt::white);
    // Enlarged this much, pixels are drawn as squares.
    constexpr double kPixelsShow = 4;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, scale_ < kPixelsShow);
    painter.drawImage(place, photograph_);
    if (!outline_) return;
    // Redrawn at each size to keep lines thin, up to where that takes too long.
    constexpr int kMostSide = 2400;
    const QSize size = place.size().toSize().scaled(
        std::min(kMostSide, place.size().toSize().width()),
        std::min(kMostSide, place.size().toSize().height()), Qt::KeepAspectRatio);
    if (lines_.isNull() || size != linesSize_) {
        lines_ = outline_(size, devicePixelRatioF());
        linesSize_ = size;
    }
    if (!lines_.isNull()) painter.drawImage(place, lines_);
}

void PhotographWindow::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    if (fitted_)
        fit();
    else
        keepInside();
}

void PhotographWindow::wheelEvent(QWheelEvent* event) {
    constexpr double kNotch = 120;
    zoom(scale_ * std::pow(kStep, event->angleDelta().y() / kNotch), event->position());
    event->accept();
}

void PhotographWindow::mousePressEvent(QMouseEvent* event) {
    last_ = event->position();
    if (event->button() == Qt::LeftButton) setCursor(Qt::ClosedHandCursor);
}

void PhotographWindow::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    move(event->position() - std::exchange(last_, event->position()));
}

void PhotographWindow::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    last_ = event->position();
    if (!fitted_) return fit();
    // To the photograph's own pixels; a small photograph to twice its fitted size.
    zoom(std::max(1.0, 2 * scale_), event->position());
}

void PhotographWindow::keyPressEvent(QKeyEvent* event) {
    const QPointF centre = QRectF(rect()).center();
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(scale_ * kStep, centre);
        case Qt::Key_Minus:
            return zoom(scale_ / kStep, centre);
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

EnlargedPhotograph::EnlargedPhotograph(const WindowParts& parts, const SlotOutlines& outlines)
    : QObject(&parts.window), parts_(parts), outlines_(outlines) {
    connect(&parts.input.viewSlots(), &ViewSlots::enlargementAsked, this,
            &EnlargedPhotograph::enlarge);
    connect(&parts.input, &InputPanel::otherItemShown, this, [this] {
        reading_.cancel();
        if (window_) window_->close();
    });
    // The outline here changes with those of the slots.
    connect(&outlines, &SlotOutlines::drawn, this, &EnlargedPhotograph::drawOutline,
            Qt::QueuedConnection);
    connect(&outlines, &SlotOutlines::kindChanged, this, &EnlargedPhotograph::drawOutline);
}

PhotographWindow* EnlargedPhotograph::openWindow() const {
    return window_ && window_->isVisible() ? window_.data() : nullptr;
}

void EnlargedPhotograph::enlarge(std::size_t slot) {
    const InputState& state = parts_.input.state();
    if (!state.sample || slot >= state.selection.views().size()) return;
    const int view = state.selection.views()[slot];
    inBackground(
        this, reading_.start(),
        [sample = state.sample, view, cache = parts_.input.cache()] {
            if (sample->photos)
                return toQImage(readImage(sample->images[static_cast<std::size_t>(view)]));
            return toQImage(cache ? *cache->read(*sample, view) : networkView(*sample, view));
        },
        [this, view](const QImage& photograph) {
            view_ = view;
            if (!window_) {
                window_ = new PhotographWindow(&parts_.window);
                window_->setAttribute(Qt::WA_DeleteOnClose);
            }
            window_->showPhotograph(photograph, tr("Photograph · view %1").arg(view));
            drawOutline();
            window_->raise();
            window_->activateWindow();
        },
        [this](const ErrorReport& report) { parts_.banner.show(report); });
}

void EnlargedPhotograph::drawOutline() {
    const SampleRef& sample = parts_.input.sample();
    if (!window_ || !sample || static_cast<std::size_t>(view_) >= sample->viewCount()) return;
    const render::SceneMeshRef mesh = outlines_.mesh();
    const OutlineKind kind = outlines_.kind();
    if (!mesh || kind == OutlineKind::none) return window_->setOutline({});
    const auto view = static_cast<std::size_t>(view_);
    const Camera camera = Camera::fromRow(sample->cameraRows[view]);
    OutlinePlace place;
    if (const auto& own = sample->photos) place = toPhotograph(own->views[view], own->frame.world);
    window_->setOutline([mesh, kind, camera, place](QSize size, qreal pixelRatio) {
        return ui::drawOutline(mesh->vertices, mesh->faces, camera, {}, size, pixelRatio, kind,
                               place)
            .lines;
    });
}

}  // namespace threefold::ui
