#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <QObject>

#include "engine/error.h"
#include "engine/formats/pictures/image.h"
#include "render/window_target.h"
#include "ui/document/background.h"

namespace threefold::ui {

/// Owns the Vulkan device and the swapchain on a thread of its own, so that the window never waits
/// for the GPU (or for lavapipe, which competes with the network for the processor). Of several
/// waiting scenes only the newest is drawn. After a lost device, a new device draws the last scene
/// again. While a large mesh of a new scene is prepared on another thread, the previous scene
/// stays.
class RenderThread : public QObject {
    Q_OBJECT

  public:
    /// Instance and surface must outlive the object. `faults` is for tests.
    RenderThread(const render::Instance& instance, VkSurfaceKHR surface,
                 render::DriverFaults faults = {});

    /// Requests a frame in the window. Sizes in device pixels. presented() reports `serial`.
    void requestFrame(render::Scene scene, int width, int height, std::uint64_t serial);

    /// Requests an offscreen picture, then calls `receive` on the render thread, with the image or
    /// with a report that says why there is no image. Once nothing more is drawn, calls `receive`
    /// at once on the caller's thread.
    using ImageFunction = std::function<void(const TaskResult<Image>&)>;
    void requestPicture(render::Scene scene, int width, int height, ImageFunction receive);

  Q_SIGNALS:
    void deviceReady(const QString& name, bool software);
    /// A frame of the scene with this serial was presented. While a mesh of the scene is not ready,
    /// this is the serial of the older scene that is shown instead, or 0.
    void presented(quint64 serial);
    /// Emitted for each frame, before presented().
    void frameDrawn(const threefold::render::FrameStatistics& frame);
    /// The scene holds a mesh that cannot be drawn; the previous frame stays.
    void sceneRejected(quint64 serial, const threefold::ErrorReport& report);
    /// The device was lost. A new device follows and draws the last scene.
    void deviceLost(const threefold::ErrorReport& report);
    /// The surface was lost. Nothing more is drawn: a new surface needs a new RenderThread.
    void surfaceLost(const threefold::ErrorReport& report);
    /// The device failed too often or before the first frame, or another error occurred. Nothing
    /// more is drawn.
    void drawingFailed(const threefold::ErrorReport& report);

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

    enum class FrameOutcome {
        presented,
        notPresented,  ///< the surface did not take the frame: draw it again
        rejected,      ///< the scene cannot be drawn
    };
    /// State of drawing, for the render thread only.
    struct Drawing {
        std::optional<Frame> requested;        ///< newest request
        std::optional<Frame> complete;         ///< newest request drawn with all its meshes
        std::optional<Frame> firstIncomplete;  ///< first request that waits for a mesh
        Frame current;            ///< `requested`, or `complete` while meshes are prepared
        int losses = 0;           ///< losses of the device; counted anew after kHealthyFrames
        int framesSinceLoss = 0;  ///< frames presented since the last loss
        bool everPresented = false;
    };

    void loop(const std::stop_token& closing);
    bool recover(const std::stop_token& closing, const ErrorReport& report);
    void drawAll(const std::stop_token& closing);
    FrameOutcome drawFrame(render::WindowTarget& target);
    void usePreviousScene();
    void drawPicture(const render::Device& device);

    const render::Instance& instance_;
    VkSurfaceKHR surface_;
    render::DriverFaults faults_;
    Drawing drawing_;

    std::mutex mutex_;  // guards the members from posted_ to pictures_
    std::condition_variable_any wake_;
    std::optional<Frame> posted_;  // newest frame that the render thread has not taken yet
    bool meshReady_ = false;
    bool ended_ = false;  // loop() draws nothing more
    std::deque<Picture> pictures_;
    std::jthread thread_;  // last: destroyed, and joined, first
};

}  // namespace threefold::ui
