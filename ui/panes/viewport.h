#pragma once

#include <functional>
#include <utility>

#include <QVariantAnimation>
#include <QWindow>

#include "render/scene.h"
#include "ui/panes/pane_cameras.h"
#include "ui/panes/render_thread.h"

namespace threefold::ui {

/// The Vulkan window with all panes. Owns the cameras, moves them by pointer and keys, and draws a
/// frame only after a change.
class Viewport : public QWindow {
    Q_OBJECT

  public:
    /// `instance` must outlive the viewport and be the instance behind vulkanInstance().
    explicit Viewport(const render::Instance& instance);

    /// Sets the scene; the viewport fills in the cameras and the pixel ratio.
    void setScene(render::Scene scene);
    /// Serial of the newest scene or frame. Once that frame is on the screen, presented() reports
    /// this serial or a later serial.
    std::uint64_t newestSerial() const { return serial_; }
    std::uint64_t framesPresented() const { return framesPresented_; }
    /// Whether the newest requested frame is on the screen.
    bool isUpToDate() const { return presentedSerial_ == serial_; }

    const PaneCameras& cameras() const { return cameras_; }
    /// Whether a camera was moved since the meshes were last framed. If not, the meshes are framed
    /// again when the size or the number of panes changes.
    bool camerasMovedByUser() const { return camerasMovedByUser_; }
    void setFramedPoints(PaneFramedPoints points) { framedPoints_ = std::move(points); }
    void frameMeshes() {
        frameCameras([this](PaneCameras& panes) { panes.frame(framedPoints_); });
    }
    /// Frames `points` once; the next frameMeshes() frames the points of setFramedPoints() again.
    void framePoints(const FramedPoints& points) {
        moveCameras([&](PaneCameras& panes) { panes.frame(points); });
    }
    /// Switches clipping of everything in front of the cameras' targets; Ctrl and the wheel move
    /// the clipping plane.
    void setClipping(bool on);
    /// Sets the up axis of all cameras and frames the meshes, if the axis changes.
    void setUp(render::UpAxis up);
    void lookAlong(StandardView view) {
        frameCameras([&](PaneCameras& panes) { panes.lookAlong(view, framedPoints_); });
    }
    void lookThrough(const Camera& camera) {
        moveCameras([&](PaneCameras& panes) { panes.lookThrough(camera); });
    }
    void lookInDirectionOf(const Camera& camera) {
        frameCameras([&](PaneCameras& panes) { panes.lookInDirectionOf(camera, framedPoints_); });
    }
    void setLinked(bool linked) {
        changeCameras([&](PaneCameras& panes) { panes.setLinked(linked); }, camerasMovedByUser_);
    }
    /// Sets the cameras of the first panes, from a session.
    void setCameras(const std::vector<render::OrbitCamera>& cameras, bool linked);
    /// Swaps the cameras of the first two panes unless the cameras are linked.
    void swapCameras();
    /// Turns a pane's camera around its target within a quarter of a second. Moving a camera stops
    /// the animation. For the angles, in radians, see OrbitCamera.
    void turnTo(std::size_t pane, float yaw, float pitch);
    bool isTurning() const { return turnAnimation_.state() == QAbstractAnimation::Running; }

    /// Called for each frame; returns the profile panel to draw over the frame. An empty function
    /// draws none.
    using ProfilePanelSource = std::function<render::ProfilePanelViewRef()>;
    void setProfilePanel(ProfilePanelSource source);

    /// A pane and a position in device pixels from the pane's top left.
    struct PanePosition {
        std::size_t pane = 0;
        glm::vec2 position{0.0F};
    };
    /// Finds the pane at a position in logical pixels; beyond the edges, the nearest pane.
    PanePosition panePositionAt(QPointF position) const;

    /// The shown scene for a picture of this size in pixels, with lines scaled by the height and
    /// without the profile panel. None before the renderer has started, or for an empty size.
    std::optional<render::Scene> sceneFor(QSize pixels) const;
    /// Draws what the screen shows, with the profile panel, offscreen; calls `receive` on the
    /// render thread. False before the renderer has started, or for a viewport without area.
    bool grabPanes(RenderThread::ImageFunction receive);
    /// Draws another scene offscreen, with its own cameras, in an image of this size in device
    /// pixels; calls `receive` on the render thread. False before the renderer has started.
    bool drawImage(render::Scene scene, int width, int height, RenderThread::ImageFunction receive);

    /// For tests of a lost device: restarts the renderer with these faults.
    void setDriverFaults(render::DriverFaults faults);

  Q_SIGNALS:
    void presented(quint64 serial);
    void frameDrawn(const threefold::render::FrameStatistics& frame);
    void deviceReady(const QString& name, bool software);
    /// The last scene cannot be drawn; the previous frame stays on the screen.
    void sceneRejected(const threefold::ErrorReport& report);
    /// The device or surface was lost; a new device or surface follows, and the scene is drawn
    /// again.
    void deviceLost(const threefold::ErrorReport& report);
    /// Nothing more will be drawn.
    void drawingFailed(const threefold::ErrorReport& report);
    void camerasChanged();
    /// The pointer moved without a button down. Logical pixels.
    void pointerMoved(QPointF position);
    /// The pointer left the viewport, or a button went down.
    void pointerLeft();
    /// A click of the left button with Shift. Logical pixels.
    void shiftClicked(QPointF position);
    /// A click of the right button. Logical pixels.
    void menuRequested(QPointF position);
    /// The seam of a wipe was dragged to this fraction of its pane's width.
    void seamMoved(float fraction);
    /// Tab or Shift+Tab: the focus moves to the next widget, or back.
    void focusLeft(bool forward);

  protected:
    bool event(QEvent* event) override;
    void exposeEvent(QExposeEvent*) override { requestFrame(); }
    void resizeEvent(QResizeEvent*) override { onResized(); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// The pane whose seam is under the position, if any.
    std::optional<std::size_t> seamAt(QPointF position) const;
    /// Requests a frame; several calls before the next frame request only one frame.
    void requestFrame() {
        if (isExposed()) requestUpdate();
    }
    /// Requests a frame with the changed cameras, and emits camerasChanged().
    void onCameraMoved(bool movedByUser = true);
    /// Stops the animation and changes the cameras.
    template <class Change>
    void changeCameras(const Change& change, bool movedByUser) {
        turnAnimation_.stop();
        change(cameras_);
        onCameraMoved(movedByUser);
    }
    /// Changes the cameras; from then on camerasMovedByUser() is true.
    template <class Change>
    void moveCameras(const Change& change) {
        changeCameras(change, true);
    }
    /// Changes the cameras so that the meshes fit into the panes.
    template <class Change>
    void frameCameras(const Change& change) {
        changeCameras(change, false);
    }
    void onResized();
    bool startRenderer();
    void renewSurface(const ErrorReport& report);
    render::Scene sceneWithCameras() const;
    glm::vec2 devicePixels(QPointF position) const;

    const render::Instance& instance_;
    std::unique_ptr<RenderThread> renderer_;
    render::DriverFaults faults_;
    int surfaceLosses_ = 0;  // since a frame was last presented
    render::Scene scene_;
    ProfilePanelSource profilePanel_;
    std::uint64_t serial_ = 0;           // of the newest scene or frame
    std::uint64_t presentedSerial_ = 0;  // of the frame on the screen
    std::uint64_t framesPresented_ = 0;
    PaneCameras cameras_;
    PaneFramedPoints framedPoints_;
    bool camerasMovedByUser_ = false;
    glm::vec2 lastPosition_{0.0F};
    std::size_t draggedPane_ = 0;
    // Where the pressed button went down; none once the pointer has moved too far for a click.
    std::optional<QPointF> pressPosition_;
    std::optional<std::size_t> draggedSeam_;  // the pane whose seam is dragged
    float seamOffset_ = 0;                    // from the pointer to the seam, device pixels
    QVariantAnimation turnAnimation_;
};

}  // namespace threefold::ui
