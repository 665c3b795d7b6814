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
Image drawOffscreen(const render::Device& device, const Frame& frame) try {
    // Larger framebuffers are not supported by all devices.
    constexpr int kMaxUntiled = 4096;
    if (std::max(frame.width, frame.height) <= kMaxUntiled)
        return render::renderOffscreen(device, frame.scene, frame.width, frame.height);
    Image image{frame.width, frame.height, {}};
    render::renderTiled(device, frame.scene, frame.width, frame.height, [&image](auto rows) {
        image.rgba.insert(image.rgba.end(), rows.begin(), rows.end());
    });
    return image;
} catch (const render::VulkanDeviceLost&) {
    throw;
} catch (const std::exception&) {
    return {};  // too large for the device or its memory
}

}  // namespace

RenderThread::RenderThread(const render::Instance& instance, VkSurfaceKHR surface,
                           render::DriverFaults faults)
    : instance_(instance), surface_(surface), faults_(std::move(faults)) {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

void RenderThread::draw(render::Scene scene, int width, int height, std::uint64_t serial) {
    const std::scoped_lock lock(mutex_);
    frame_ = Frame{std::move(scene), width, height, serial};
    wake_.notify_one();
}

void RenderThread::drawImage(render::Scene scene, int width, int height, ImageFunction receive) {
    {
        const std::scoped_lock lock(mutex_);
        if (!ended_) {
            pictures_.push_back({{std::move(scene), width, height, 0}, std::move(receive)});
            wake_.notify_one();
            return;
        }
    }
    receive({});
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
    for (const Picture& picture : undrawn) picture.receive({});
}

// Returns whether to retry with a new device.
bool RenderThread::recover(const std::stop_token& closing, const ErrorReport& report) {
    constexpr int kMaxLosses = 3;
    constexpr int kHealthyFrames = 100;
    if (framesSinceLoss_ >= kHealthyFrames) losses_ = 0;
    framesSinceLoss_ = 0;
    // Do not retry a device that has never presented anything.
    if (!everPresented_ || ++losses_ > kMaxLosses) {
        Q_EMIT drawingFailed(report);
        return false;
    }
    Q_EMIT deviceLost(report);
    // A driver may need a moment after a reset before it provides a new device.
    constexpr std::chrono::milliseconds kPause(50);
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, closing, kPause * (1 << (2 * (losses_ - 1))), [] { return false; });
    if (!frame_) frame_ = last_;
    return !closing.stop_requested();
}

void RenderThread::drawAll(const std::stop_token& closing) {
    const render::Device device(instance_, surface_, faults_);
    Q_EMIT deviceReady(QString::fromStdString(device.description().name),
                       device.description().software);
    render::WindowTarget target(device, surface_);
    int misfits = 0;  // consecutive frames whose size was not the window's
    while (!closing.stop_requested()) {
        bool hasFrame = false;
        {
            std::unique_lock lock(mutex_);
            const bool running = wake_.wait(
                lock, closing, [this] { return frame_ || meshReady_ || !pictures_.empty(); });
            if (!running) return;
            hasFrame = frame_.has_value() || (meshReady_ && last_);
            if (frame_) last_ = std::exchange(frame_, std::nullopt);
            meshReady_ = false;
        }
        drawPicture(device);
        if (!hasFrame || last_->width <= 0 || last_->height <= 0) continue;
        const std::optional<bool> drawn = drawFrame(target);
        if (!drawn) continue;
        // After this many frames, accept the window system's size.
        constexpr int kMaxMisfits = 6;
        misfits = *drawn && !target.lastFrameFits() ? misfits + 1 : 0;
        if (*drawn && (misfits == 0 || misfits > kMaxMisfits)) {
            everPresented_ = true;
            ++framesSinceLoss_;
            Q_EMIT frameDrawn(target.cost());
            Q_EMIT presented(drawn_.serial);
            continue;
        }
        // The surface is being resized: draw the same frame again soon, or a newer one.
        std::unique_lock lock(mutex_);
        constexpr std::chrono::milliseconds kPause(8);
        wake_.wait_for(lock, closing, kPause * (1 << misfits),
                       [this] { return frame_.has_value(); });
        if (!frame_) frame_ = last_;
    }
}

// Returns the result of WindowTarget::draw(); none for a scene that cannot be drawn.
std::optional<bool> RenderThread::drawFrame(render::WindowTarget& target) {
    try {
        const bool ready = target.prepareAsync(last_->scene, [this] {
            const std::scoped_lock lock(mutex_);
            meshReady_ = true;
            wake_.notify_one();
        });
        drawn_ = *last_;
        ready ? awaited_.reset() : usePreviousScene();
        const bool drawn = target.draw(drawn_.scene, drawn_.width, drawn_.height);
        if (drawn && ready) shown_ = drawn_;
        return drawn;
    } catch (const InputError& error) {
        Q_EMIT sceneRejected(last_->serial, error.report());
        return std::nullopt;
    }
}

// Prepares the previous panes at the requested size. They follow cameras that the user moves
// meanwhile, but not a camera change that came with the awaited mesh.
void RenderThread::usePreviousScene() {
    if (!awaited_) awaited_ = last_;
    std::vector<render::Pane> panes(last_->scene.panes.size());
    if (shown_) panes = shown_->scene.panes;
    for (std::size_t i = 0; i < panes.size() && i < last_->scene.panes.size(); ++i) {
        const render::OrbitCamera& camera = last_->scene.panes[i].camera;
        const bool moved =
            i >= awaited_->scene.panes.size() || !(camera == awaited_->scene.panes[i].camera);
        if (moved) panes[i].camera = camera;
    }
    drawn_.scene.panes = std::move(panes);
    drawn_.serial = shown_ ? shown_->serial : 0;
}

// Draws a single picture, so that frames do not wait for many.
void RenderThread::drawPicture(const render::Device& device) {
    std::optional<Picture> picture;
    {
        const std::scoped_lock lock(mutex_);
        if (pictures_.empty()) return;
        picture = std::move(pictures_.front());
        pictures_.pop_front();
    }
    try {
        picture->receive(drawOffscreen(device, picture->frame));
    } catch (const render::VulkanDeviceLost&) {
        const std::scoped_lock lock(mutex_);
        pictures_.push_front(std::move(*picture));
        throw;
    }
}

}  // namespace threefold::ui
