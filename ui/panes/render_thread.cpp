#include "ui/panes/render_thread.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "render/offscreen.h"
#include "render/vulkan_check.h"

namespace threefold::ui {

namespace {

template <class Frame>
Image drawOffscreen(const render::Device& device, const Frame& frame) {
    // Larger framebuffers are not supported by all devices.
    constexpr int kMaxUntiled = 4096;
    if (std::max(frame.width, frame.height) <= kMaxUntiled)
        return render::renderOffscreen(device, frame.scene, frame.width, frame.height);
    Image image{frame.width, frame.height, {}};
    render::renderTiled(device, frame.scene, frame.width, frame.height, [&image](auto rows) {
        image.rgba.insert(image.rgba.end(), rows.begin(), rows.end());
    });
    return image;
}

constexpr const char* kPicture = "picture";

TaskResult<Image> nothingDrawn() {
    return {std::nullopt,
            ErrorReport{kPicture, "", "the device draws nothing any more", "Restart Threefold."}};
}

}  // namespace

RenderThread::RenderThread(const render::Instance& instance, VkSurfaceKHR surface,
                           render::DriverFaults faults)
    : instance_(instance), surface_(surface), faults_(std::move(faults)) {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

void RenderThread::requestFrame(render::Scene scene, int width, int height, std::uint64_t serial) {
    const std::scoped_lock lock(mutex_);
    posted_ = Frame{std::move(scene), width, height, serial};
    wake_.notify_one();
}

void RenderThread::requestPicture(render::Scene scene, int width, int height,
                                  ImageFunction receive) {
    {
        const std::scoped_lock lock(mutex_);
        if (!ended_) {
            pictures_.push_back({{std::move(scene), width, height, 0}, std::move(receive)});
            wake_.notify_one();
            return;
        }
    }
    receive(nothingDrawn());
}

void RenderThread::loop(const std::stop_token& closing) {
    try {
        for (bool retry = true; retry;) {
            try {
                drawAll(closing);
                retry = false;
            } catch (const render::VulkanSurfaceLost& error) {
                Q_EMIT surfaceLost(error.report());
                retry = false;
            } catch (const DeviceError& error) {
                retry = recover(closing, error.report());
            }
        }
    } catch (const Error& error) {
        Q_EMIT drawingFailed(error.report());
    } catch (const std::exception& error) {
        Q_EMIT drawingFailed({"Vulkan", "", error.what(), ""});
    }
    std::deque<Picture> undrawn;
    {
        const std::scoped_lock lock(mutex_);
        ended_ = true;
        undrawn.swap(pictures_);
    }
    for (const Picture& picture : undrawn) picture.receive(nothingDrawn());
}

// Returns whether to retry with a new device.
bool RenderThread::recover(const std::stop_token& closing, const ErrorReport& report) {
    constexpr int kMaxLosses = 3;
    constexpr int kHealthyFrames = 100;
    if (drawing_.framesSinceLoss >= kHealthyFrames) drawing_.losses = 0;
    drawing_.framesSinceLoss = 0;
    // Do not retry a device that has never presented anything.
    if (!drawing_.everPresented || ++drawing_.losses > kMaxLosses) {
        Q_EMIT drawingFailed(report);
        return false;
    }
    Q_EMIT deviceLost(report);
    // A driver may need a moment after a reset before it provides a new device.
    constexpr std::chrono::milliseconds kPause(50);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, closing, kPause * (1 << (2 * (drawing_.losses - 1))),
                   [] { return false; });
    if (!posted_) posted_ = drawing_.requested;
    return !closing.stop_requested();
}

void RenderThread::drawAll(const std::stop_token& closing) {
    const render::Device device(instance_, surface_, faults_);
    Q_EMIT deviceReady(QString::fromStdString(device.description().name),
                       device.description().software);
    render::WindowTarget target(device, surface_);
    int misfits = 0;  // consecutive frames whose size was not the window's size
    while (!closing.stop_requested()) {
        bool hasFrame = false;
        {
            std::unique_lock lock(mutex_);
            const bool running = wake_.wait(
                lock, closing, [this] { return posted_ || meshReady_ || !pictures_.empty(); });
            if (!running) return;
            hasFrame = posted_.has_value() || (meshReady_ && drawing_.requested);
            if (posted_) drawing_.requested = std::exchange(posted_, std::nullopt);
            meshReady_ = false;
        }
        drawPicture(device);
        if (!hasFrame || drawing_.requested->width <= 0 || drawing_.requested->height <= 0)
            continue;
        const FrameOutcome outcome = drawFrame(target);
        if (outcome == FrameOutcome::rejected) continue;
        const bool isPresented = outcome == FrameOutcome::presented;
        // After this many misfits, accept the window system's size.
        constexpr int kMaxMisfits = 6;
        misfits = isPresented && !target.lastFrameFits() ? misfits + 1 : 0;
        if (isPresented && (misfits == 0 || misfits > kMaxMisfits)) {
            drawing_.everPresented = true;
            ++drawing_.framesSinceLoss;
            Q_EMIT frameDrawn(target.lastFrame());
            Q_EMIT presented(drawing_.current.serial);
            continue;
        }
        // The surface is being resized: draw this frame again soon, or a newer frame.
        std::unique_lock lock(mutex_);
        constexpr std::chrono::milliseconds kPause(8);
        wake_.wait_for(lock, closing, kPause * (1 << misfits),
                       [this] { return posted_.has_value(); });
        if (!posted_) posted_ = drawing_.requested;
    }
}

RenderThread::FrameOutcome RenderThread::drawFrame(render::WindowTarget& target) {
    try {
        const bool ready = target.isReady(drawing_.requested->scene);
        if (!ready) {
            target.startPreparing(drawing_.requested->scene, [this] {
                const std::scoped_lock lock(mutex_);
                meshReady_ = true;
                wake_.notify_one();
            });
        }
        drawing_.current = *drawing_.requested;
        if (ready)
            drawing_.firstIncomplete.reset();
        else
            usePreviousScene();
        const bool drawn =
            target.draw(drawing_.current.scene, drawing_.current.width, drawing_.current.height);
        if (drawn && ready) drawing_.complete = drawing_.current;
        return drawn ? FrameOutcome::presented : FrameOutcome::notPresented;
    } catch (const InputError& error) {
        Q_EMIT sceneRejected(drawing_.requested->serial, error.report());
        return FrameOutcome::rejected;
    }
}

// Prepares the previous panes at the requested size. They follow cameras that the user moves
// meanwhile, but not a camera change that came with the awaited mesh.
void RenderThread::usePreviousScene() {
    if (!drawing_.firstIncomplete) drawing_.firstIncomplete = drawing_.requested;
    std::vector<render::Pane> panes(drawing_.requested->scene.panes.size());
    if (drawing_.complete) panes = drawing_.complete->scene.panes;
    for (std::size_t i = 0; i < panes.size() && i < drawing_.requested->scene.panes.size(); ++i) {
        const render::OrbitCamera& camera = drawing_.requested->scene.panes[i].camera;
        const bool moved = i >= drawing_.firstIncomplete->scene.panes.size() ||
                           !(camera == drawing_.firstIncomplete->scene.panes[i].camera);
        if (moved) panes[i].camera = camera;
    }
    drawing_.current.scene.panes = std::move(panes);
    drawing_.current.serial = drawing_.complete ? drawing_.complete->serial : 0;
}

// Draws at most one picture, so that frames do not wait for many pictures.
void RenderThread::drawPicture(const render::Device& device) {
    std::optional<Picture> picture;
    {
        const std::scoped_lock lock(mutex_);
        if (pictures_.empty()) return;
        picture = std::move(pictures_.front());
        pictures_.pop_front();
    }
    TaskResult<Image> result;
    try {
        result.value = drawOffscreen(device, picture->frame);
    } catch (const render::VulkanDeviceLost&) {
        const std::scoped_lock lock(mutex_);
        pictures_.push_front(std::move(*picture));
        throw;
    } catch (...) {
        result.problem = currentErrorReport(kPicture);
    }
    picture->receive(result);
}

}  // namespace threefold::ui
