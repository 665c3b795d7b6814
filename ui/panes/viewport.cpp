#include "ui/panes/viewport.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPlatformSurfaceEvent>
#include <QVulkanInstance>
#include <QWheelEvent>

namespace threefold::ui {
namespace {

// The camera centres of a pane of photographs, where each photograph is visible only from the
// centre of its own camera; none for any other pane.
Points viewingCentres(const render::Pane& pane) {
    Points centres;
    for (const render::Layer& layer : pane.layers) {
        if (!layer.onlySeenFrom) return {};
        centres.push_back(*layer.onlySeenFrom);
    }
    return centres;
}

}  // namespace

Viewport::Viewport(const render::Instance& instance) : instance_(instance) {
    setSurfaceType(QSurface::VulkanSurface);
    // Another screen may have another pixel ratio.
    connect(this, &QWindow::screenChanged, this, &Viewport::onResized);
    setTitle(QStringLiteral("Meshes"));
}

void Viewport::setScene(render::Scene scene) {
    scene_ = std::move(scene);
    if (const std::size_t panes = scene_.panes.size(); panes != cameras_.count()) {
        cameras_.setCount(panes);
        if (!camerasMovedByUser_) cameras_.frame(framedPoints_);
    }
    ++serial_;
    requestFrame();
}

void Viewport::setClipping(bool on) {
    cameras_.setClipping(on);
    requestFrame();
    Q_EMIT camerasChanged();
}

void Viewport::setUp(render::UpAxis up) {
    if (up == cameras_.up()) return;
    moveCameras([up](PaneCameras& panes) { panes.setUp(up); });
    frameMeshes();
}

void Viewport::setCameras(const std::vector<render::OrbitCamera>& cameras, bool linked) {
    moveCameras([&](PaneCameras& panes) {
        panes.setLinked(false);
        for (std::size_t pane = 0; pane < cameras.size(); ++pane)
            panes.setCamera(pane, cameras[pane]);
        panes.setLinked(linked);
    });
}

void Viewport::setProfilePanel(ProfilePanelSource source) {
    profilePanel_ = std::move(source);
    requestFrame();
}

void Viewport::swapCameras() {
    if (cameras_.isLinked()) return;
    cameras_.swap();
    onCameraMoved();
}

void Viewport::turnTo(std::size_t pane, float yaw, float pitch) {
    constexpr int kMilliseconds = 250;
    constexpr float kTurn = 2 * std::numbers::pi_v<float>;
    turnAnimation_.stop();
    const render::OrbitCamera from = cameras_.camera(pane);
    const float yawChange = std::remainder(yaw - from.yaw, kTurn);  // the shorter direction
    turnAnimation_.disconnect(this);
    connect(&turnAnimation_, &QVariantAnimation::valueChanged, this,
            [=, this](const QVariant& value) {
                const float t = value.toFloat();
                cameras_.setAngles(pane, std::remainder(from.yaw + t * yawChange, kTurn),
                                   from.pitch + t * (pitch - from.pitch));
                onCameraMoved();
            });
    turnAnimation_.setStartValue(0.0F);
    turnAnimation_.setEndValue(1.0F);
    turnAnimation_.setDuration(kMilliseconds);
    turnAnimation_.setEasingCurve(QEasingCurve::InOutSine);
    turnAnimation_.start();
}

Viewport::PanePosition Viewport::panePositionAt(QPointF position) const {
    const glm::vec2 pixel = devicePixels(position);
    const std::size_t pane = cameras_.paneAt(pixel);
    return {pane, cameras_.inPane(pane, pixel)};
}

std::optional<std::size_t> Viewport::seamAt(QPointF position) const {
    constexpr float kSeamTolerance = 6.0F;  // logical pixels to either side
    const PanePosition location = panePositionAt(position);
    if (location.pane >= scene_.panes.size() || !scene_.panes[location.pane].seamPosition)
        return std::nullopt;
    const float seam = *scene_.panes[location.pane].seamPosition * cameras_.paneSize().x;
    const float tolerance = kSeamTolerance * static_cast<float>(devicePixelRatio());
    return std::abs(location.position.x - seam) <= tolerance ? std::optional(location.pane)
                                                             : std::nullopt;
}

std::optional<render::Scene> Viewport::sceneFor(QSize pixels) const {
    if (!renderer_ || width() <= 0 || height() <= 0 || pixels.isEmpty()) return std::nullopt;
    render::Scene scene = sceneWithCameras();
    scene.pixelRatio = static_cast<float>(pixels.height()) / static_cast<float>(height());
    return scene;
}

bool Viewport::grabPanes(RenderThread::ImageFunction receive) {
    const QSize pixels = size() * devicePixelRatio();
    std::optional<render::Scene> scene = sceneFor(pixels);
    if (!scene) return false;
    if (profilePanel_) scene->profilePanel = profilePanel_();
    return drawImage(std::move(*scene), pixels.width(), pixels.height(), std::move(receive));
}

bool Viewport::drawImage(render::Scene scene, int width, int height,
                         RenderThread::ImageFunction receive) {
    if (!renderer_) return false;
    renderer_->requestPicture(std::move(scene), width, height, std::move(receive));
    return true;
}

bool Viewport::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::UpdateRequest:
            if (isExposed() && (renderer_ || startRenderer())) {
                const glm::vec2 size = devicePixels(QPointF(width(), height()));
                render::Scene scene = sceneWithCameras();
                if (profilePanel_) scene.profilePanel = profilePanel_();
                renderer_->requestFrame(std::move(scene), qRound(size.x), qRound(size.y),
                                        ++serial_);
            }
            return true;
        case QEvent::PlatformSurface:
            if (static_cast<QPlatformSurfaceEvent*>(event)->surfaceEventType() ==
                QPlatformSurfaceEvent::SurfaceAboutToBeDestroyed)
                renderer_.reset();
            break;
        case QEvent::Leave:
            Q_EMIT pointerLeft();
            break;
        default:
            break;
    }
    return QWindow::event(event);
}

void Viewport::onResized() {
    cameras_.setSize(devicePixels(QPointF(width(), height())),
                     static_cast<float>(devicePixelRatio()));
    if (!camerasMovedByUser_) cameras_.frame(framedPoints_);
    requestFrame();
}

void Viewport::mousePressEvent(QMouseEvent* event) {
    turnAnimation_.stop();
    Q_EMIT pointerLeft();
    lastPosition_ = devicePixels(event->position());
    draggedPane_ = cameras_.paneAt(lastPosition_);
    draggedSeam_ = event->button() == Qt::LeftButton ? seamAt(event->position()) : std::nullopt;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    pressPosition_.reset();
    if (event->button() == (shift ? Qt::LeftButton : Qt::RightButton))
        pressPosition_ = event->position();
    if (!draggedSeam_) return;
    const float seam = *scene_.panes[*draggedSeam_].seamPosition * cameras_.paneSize().x;
    seamOffset_ = seam - cameras_.inPane(*draggedSeam_, lastPosition_).x;
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
    const glm::vec2 position = devicePixels(event->position());
    const glm::vec2 delta = position - std::exchange(lastPosition_, position);
    const Qt::MouseButtons buttons = event->buttons();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (pressPosition_) {
        constexpr qreal kClickTolerance = 3;  // logical pixels, movement within a click
        if ((event->position() - *pressPosition_).manhattanLength() <= kClickTolerance) return;
        pressPosition_.reset();
    }
    if (draggedSeam_ && buttons.testFlag(Qt::LeftButton)) {
        const float x = cameras_.inPane(*draggedSeam_, position).x + seamOffset_;
        Q_EMIT seamMoved(std::clamp(x / cameras_.paneSize().x, 0.0F, 1.0F));
        return;
    }
    if (buttons.testFlag(Qt::LeftButton) && !shift) {
        cameras_.orbit(draggedPane_, delta);
    } else if (buttons & (Qt::LeftButton | Qt::RightButton | Qt::MiddleButton)) {
        cameras_.pan(draggedPane_, delta);
    } else {
        const Qt::CursorShape shape =
            seamAt(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor;
        if (cursor().shape() != shape) setCursor(shape);
        Q_EMIT pointerMoved(event->position());
        return;
    }
    onCameraMoved();
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
    lastPosition_ = devicePixels(event->position());
    if (event->button() == Qt::LeftButton) draggedSeam_.reset();
    if (const auto press = std::exchange(pressPosition_, std::nullopt)) {
        if (event->button() == Qt::LeftButton) Q_EMIT shiftClicked(*press);
        if (event->button() == Qt::RightButton) Q_EMIT menuRequested(*press);
    }
    if (event->buttons() == Qt::NoButton) Q_EMIT pointerMoved(event->position());
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
    // With Shift each click picks a vertex.
    const bool picks = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::LeftButton && !picks && !seamAt(event->position())) frameMeshes();
}

void Viewport::wheelEvent(QWheelEvent* event) {
    constexpr float kAnglePerStep = 120.0F;  // eighths of a degree, by Qt's convention
    const float steps = static_cast<float>(event->angleDelta().y()) / kAnglePerStep;
    if (steps == 0) return;
    turnAnimation_.stop();
    const glm::vec2 pixel = devicePixels(event->position());
    const bool clips = event->modifiers().testFlag(Qt::ControlModifier) && cameras_.isClipping();
    if (clips)
        cameras_.moveClipPlane(cameras_.paneAt(pixel), steps);
    else
        cameras_.zoom(pixel, steps);
    onCameraMoved();
}

void Viewport::keyPressEvent(QKeyEvent* event) {
    constexpr float kStep = 24.0F;  // logical pixels of a drag
    const float drag = kStep * static_cast<float>(devicePixelRatio());
    const glm::vec2 centreOfFirstPane = cameras_.paneSize() / 2.0F;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const std::pair<int, glm::vec2> drags[] = {{Qt::Key_Left, {-drag, 0}},
                                               {Qt::Key_Right, {drag, 0}},
                                               {Qt::Key_Up, {0, -drag}},
                                               {Qt::Key_Down, {0, drag}}};
    const int key = event->key();
    for (const auto& [arrow, pixels] : drags) {
        if (key != arrow) continue;
        turnAnimation_.stop();
        if (shift)
            cameras_.pan(0, pixels);
        else
            cameras_.orbit(0, pixels);
        return onCameraMoved();
    }
    if (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus) {
        const float step = key == Qt::Key_Minus ? -1 : 1;
        const bool clips =
            event->modifiers().testFlag(Qt::ControlModifier) && cameras_.isClipping();
        if (clips)
            cameras_.moveClipPlane(0, step);
        else
            cameras_.zoom(centreOfFirstPane, step);
        onCameraMoved();
    } else if (key == Qt::Key_Tab || key == Qt::Key_Backtab) {
        Q_EMIT focusLeft(key == Qt::Key_Tab);
    } else {
        QWindow::keyPressEvent(event);
    }
}

void Viewport::onCameraMoved(bool movedByUser) {
    camerasMovedByUser_ = movedByUser;
    requestFrame();
    Q_EMIT camerasChanged();
}

bool Viewport::startRenderer() {
    VkSurfaceKHR surface = QVulkanInstance::surfaceForWindow(this);
    if (surface == VK_NULL_HANDLE) {
        Q_EMIT drawingFailed({"Vulkan", "", "the window system gives no surface to draw into",
                              "Run under X11 or Wayland with a Vulkan driver that supports it."});
        return false;
    }
    renderer_ = std::make_unique<RenderThread>(instance_, surface, faults_);
    connect(renderer_.get(), &RenderThread::deviceReady, this, &Viewport::deviceReady);
    connect(renderer_.get(), &RenderThread::frameDrawn, this, &Viewport::frameDrawn);
    connect(renderer_.get(), &RenderThread::sceneRejected, this,
            [this](quint64 serial, const ErrorReport& report) {
                presentedSerial_ = serial;  // no frame of this scene will follow
                Q_EMIT sceneRejected(report);
            });
    connect(renderer_.get(), &RenderThread::deviceLost, this, &Viewport::deviceLost);
    connect(renderer_.get(), &RenderThread::surfaceLost, this, &Viewport::renewSurface);
    connect(renderer_.get(), &RenderThread::drawingFailed, this, &Viewport::drawingFailed);
    connect(renderer_.get(), &RenderThread::presented, this, [this](quint64 serial) {
        presentedSerial_ = serial;
        surfaceLosses_ = 0;
        ++framesPresented_;
        Q_EMIT presented(serial);
    });
    return true;
}

void Viewport::setDriverFaults(render::DriverFaults faults) {
    renderer_.reset();
    faults_ = std::move(faults);
    requestFrame();
}

// Qt ties the surface to the native window, so the native window is destroyed and made anew.
void Viewport::renewSurface(const ErrorReport& report) {
    constexpr int kMaxLosses = 3;
    if (++surfaceLosses_ > kMaxLosses) {
        Q_EMIT drawingFailed(report);
        return;
    }
    Q_EMIT deviceLost(report);
    renderer_.reset();
    destroy();
    QWindow::show();
    requestFrame();
}

render::Scene Viewport::sceneWithCameras() const {
    render::Scene scene = scene_;
    for (std::size_t i = 0; i < scene.panes.size() && i < kMaxPanes; ++i) {
        render::Pane& pane = scene.panes[i];
        pane.camera = cameras_.camera(i);
        if (const Points centres = viewingCentres(pane); !centres.empty())
            pane.camera =
                render::withCentre(pane.camera, render::nearestCentre(pane.camera, centres));
    }
    scene.pixelRatio = static_cast<float>(devicePixelRatio());
    return scene;
}

glm::vec2 Viewport::devicePixels(QPointF position) const {
    const QPointF scaled = position * devicePixelRatio();
    return {static_cast<float>(scaled.x()), static_cast<float>(scaled.y())};
}

}  // namespace threefold::ui
