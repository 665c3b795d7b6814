#pragma once

#include <functional>
#include <utility>

#include <QVariantAnimation>
#include <QWindow>

#include "render/scene.h"
#include "ui/panes/pane_cameras.h"
#include "ui/panes/render_thread.h"

namespace threefold::ui {

/// The Vulkan window with all panes. It owns the cameras, turns pointer and keys into their
/// movement, and draws a frame only after a change.
class Viewport : public QWindow {
    Q_OBJECT

  public:
    /// `instance` must outlive the viewport, and stand behind its vulkanInstance().
    explicit Viewport(const render::Instance& instance);

    /// Everything but the cameras and the pixel ratio, which the viewport fills in itself.
    void setScene(render::Scene scene);
    /// Serial of the last scene given to setScene(): presented() reports it, or a later one, once
    /// it is on the screen.
    std::uint64_t lastShown() const { return serial_; }
    std::uint64_t framesPresented() const { return frames_; }
    /// Whether the newest frame that was asked for is on the screen.
    bool upToDate() const { return presentedSerial_ == serial_; }

    const PaneCameras& cameras() const { return cameras_; }
    /// Whether a camera was moved since the meshes were last fitted. Until then they are fitted
    /// again when the size changes.
    bool cameraTouched() const { return touched_; }
    void setExtent(Extent extent) { extent_ = std::move(extent); }
    void fit() {
        aim([this](PaneCameras& all) { all.fit(extent_); }, false);
    }
    /// Fits other points, until something else is asked for.
    void fitNow(const Extent& extent) {
        aim([&](PaneCameras& all) { all.fit(extent); });
    }
    /// Cuts away what lies before the cameras' targets; Ctrl and the wheel then move the cut.
    void setCut(bool on);
    void look(StandardView view) {
        aim([&](PaneCameras& all) { all.look(view, extent_); }, false);
    }
    void lookFrom(const Camera& photo) {
        aim([&](PaneCameras& all) { all.lookFrom(photo); });
    }
    void lookLike(const Camera& photo) {
        aim([&](PaneCameras& all) { all.lookLike(photo, extent_); }, false);
    }
    void setLinked(bool linked) {
        aim([&](PaneCameras& all) { all.setLinked(linked); });
    }
    /// A session's cameras, for the first panes.
    void setCameras(const std::vector<render::OrbitCamera>& cameras, bool linked);
    /// The first two panes' cameras change places, where they are not linked.
    void swapCameras();
    /// Turns a pane's camera around its target, in a quarter of a second; whatever the user does
    /// with the cameras stops it. Angles in radians, as OrbitCamera's.
    void turnTo(std::size_t pane, float yaw, float pitch);
    bool turning() const { return turn_.state() == QAbstractAnimation::Running; }

    /// Called for each frame; returns what to draw over it. Empty: nothing, at no cost.
    using OverlaySource = std::function<render::OverlayViewRef()>;
    void setOverlay(OverlaySource source);

    /// Where a position in logical pixels lies, in device pixels of its pane.
    struct Place {
        std::size_t pane = 0;
        glm::vec2 position{0.0F};
    };
    Place placeOf(QPointF position) const;

    /// What is shown, for a picture of that size in pixels: lines scaled with the height, without
    /// the overlay. Null while nothing can be drawn yet.
    std::optional<render::Scene> sceneFor(QSize pixels) const;
    /// The panes as on the screen, with the overlay. Drawn offscreen; `receive` is called on the
    /// render thread. False where nothing can be drawn yet.
    bool grabPanes(RenderThread::ImageFunction receive);
    /// The same for another scene, sizes in device pixels.
    bool drawImage(render::Scene scene, int width, int height, RenderThread::ImageFunction receive);

    /// For tests of losing the device: starts the renderer anew with it.
    void setSubmitFault(render::SubmitFault fault);

  Q_SIGNALS:
    void presented(quint64 serial);
    void frameDrawn(const threefold::render::FrameCost& cost);
    void deviceReady(const QString& name, bool software);
    /// The scene shown last cannot be drawn; what was on the screen stays.
    void refused(const threefold::ErrorReport& report);
    /// The device or the surface was lost; another is being made, and gets the same scene.
    void lost(const threefold::ErrorReport& report);
    /// Nothing more will be drawn.
    void failed(const threefold::ErrorReport& report);
    void camerasChanged();
    /// The pointer moved over the panes with no button down, in logical pixels; or it went away, or
    /// a button went down.
    void pointerMoved(QPointF position);
    void pointerLeft();
    /// Shift and the left button went down and up in one place, in logical pixels.
    void shiftClicked(QPointF position);
    /// The right button likewise.
    void menuAsked(QPointF position);
    /// The seam of a wipe was dragged to this share of its pane's width.
    void seamMoved(float share);
    /// Tab or Shift+Tab: the focus moves to the next widget, or back.
    void focusLeft(bool forward);

  protected:
    bool event(QEvent* event) override;
    void exposeEvent(QExposeEvent*) override { changed(); }
    void resizeEvent(QResizeEvent*) override { resized(); }
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    /// The pane whose seam is under the position, if any.
    std::optional<std::size_t> seamAt(QPointF position) const;
    /// Requests a frame; several calls before that frame request one.
    void changed() {
        if (isExposed()) requestUpdate();
    }
    void cameraMoved();
    /// Ends what turns the cameras and changes them. `touches`: by the user.
    template <class Change>
    void aim(const Change& change, bool touches = true) {
        turn_.stop();
        change(cameras_);
        cameraMoved();
        touched_ = touches;
    }
    void resized();
    bool startRenderer();
    void renewSurface(const ErrorReport& report);
    render::Scene sceneWithCameras() const;
    glm::vec2 devicePixels(QPointF position) const;

    const render::Instance& instance_;
    std::unique_ptr<RenderThread> renderer_;
    render::SubmitFault fault_;
    int surfaceLosses_ = 0;  // since a frame was last presented
    render::Scene scene_;
    OverlaySource overlay_;
    std::uint64_t serial_ = 0;           // of the newest scene or frame
    std::uint64_t presentedSerial_ = 0;  // of what is on the screen
    std::uint64_t frames_ = 0;
    PaneCameras cameras_;
    Extent extent_;
    bool touched_ = false;
    glm::vec2 lastPosition_{0.0F};
    std::size_t draggedPane_ = 0;
    // Where a button went down that may become a click; none once the pointer moves away.
    std::optional<QPointF> press_;
    std::optional<std::size_t> draggedSeam_;  // the pane of it
    float seamOffset_ = 0;                    // from the pointer to the seam, device pixels
    QVariantAnimation turn_;
};

}  // namespace threefold::ui
