#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <QObject>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "render/window_target.h"

namespace threefold::ui {

/// Owns the Vulkan device and the swapchain on a thread of its own, so that the window never waits
/// for the GPU (or for lavapipe, which draws on the processor that the network is busy with). Draws
/// only given scenes; of several waiting scenes only the newest. If the device is lost, it makes
/// another and draws the last scene again. While a large mesh of a new scene is prepared on another
/// thread, the previous scene stays.
class RenderThread : public QObject {
    Q_OBJECT

  public:
    /// Instance and surface must outlive the object. `fault` is for tests.
    RenderThread(const render::Instance& instance, VkSurfaceKHR surface,
                 render::SubmitFault fault = {});

    /// Sizes in device pixels. `serial` comes back with presented().
    void draw(render::Scene scene, int width, int height, std::uint64_t serial);

    /// Draws offscreen and calls the function on the render thread; with an empty picture if the
    /// device cannot draw that size.
    using ImageFunction = std::function<void(Image)>;
    void drawImage(render::Scene scene, int width, int height, ImageFunction receive);

  Q_SIGNALS:
    void deviceReady(const QString& name, bool software);
    /// A frame of the scene with that serial is on the screen; an older serial, or 0, if that
    /// replaces a scene whose mesh is not ready.
    void presented(quint64 serial);
    /// Before presented(), for each frame.
    void frameDrawn(const threefold::render::FrameCost& cost);
    /// The scene holds a mesh that cannot be drawn; the previous frame stays.
    void refused(quint64 serial, const threefold::ErrorReport& report);
    /// The device was lost. Another is being made and gets the last scene.
    void lost(const threefold::ErrorReport& report);
    /// The surface was lost. Nothing more is drawn: a new surface needs a new RenderThread.
    void surfaceLost(const threefold::ErrorReport& report);
    /// The device failed too often. Nothing more is drawn.
    void failed(const threefold::ErrorReport& report);

  private:
    struct Frame {
        render::Scene scene;
        int width = 0;
        int height = 0;
        std::uint64_t serial = 0;
    };
    struct Picture {
        Frame frame;
        ImageFunction receive;
    };

    void loop(const std::stop_token& closing);
    bool recover(const std::stop_token& closing, const ErrorReport& report);
    void drawAll(const std::stop_token& closing);
    std::optional<bool> drawFrame(render::WindowTarget& target);
    void standIn();
    void drawPicture(const render::Device& device);

    const render::Instance& instance_;
    VkSurfaceKHR surface_;
    render::SubmitFault fault_;
    // Of the render thread: what was drawn last, and how often the device was lost since it last
    // worked for a while.
    std::optional<Frame> last_;
    std::optional<Frame> shown_;    // the last one that was drawn with all its meshes
    std::optional<Frame> awaited_;  // the first one with the meshes that are being made ready
    Frame drawn_;  // being drawn: `last_`, or its replacement while meshes are prepared
    int losses_ = 0;
    int framesSinceLoss_ = 0;
    bool everPresented_ = false;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Frame> frame_;
    bool meshReady_ = false;
    std::deque<Picture> pictures_;
    std::jthread thread_;  // last, as its end needs the others
};

}  // namespace threefold::ui
