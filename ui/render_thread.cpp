#include "ui/render_thread.h"

#include <chrono>
#include <exception>
#include <utility>

#include "render/offscreen.h"
#include "render/window_target.h"

namespace threefold::ui {

namespace {

template <class Frame>
Image drawOffscreen(const render::Device& device, const Frame& frame) try {
    return render::renderOffscreen(device, frame.scene, frame.width, frame.height);
} catch (const InputError&) {
    return {};
}

}  // namespace

RenderThread::RenderThread(const render::Instance& instance, VkSurfaceKHR surface)
    : instance_(instance), surface_(surface) {
    thread_ = std::jthread([this](const std::stop_token& closing) { loop(closing); });
}

RenderThread::~RenderThread() {
    thread_.request_stop();
    thread_.join();
}

void RenderThread::draw(render::Scene scene, int width, int height, std::uint64_t serial) {
    {
        const std::scoped_lock lock(mutex_);
        frame_ = Frame{std::move(scene), width, height, serial};
    }
    wake_.notify_one();
}

void RenderThread::drawImage(render::Scene scene, int width, int height, ImageFunction receive) {
    {
        const std::scoped_lock lock(mutex_);
        pictures_.push_back({{std::move(scene), width, height, 0}, std::move(receive)});
    }
    wake_.notify_one();
}

void RenderThread::loop(const std::stop_token& closing) {
    try {
        drawAll(closing);
    } catch (const Error& error) {
        Q_EMIT failed(error.report());
    } catch (const std::exception& error) {
        Q_EMIT failed({"Vulkan", "", error.what(), ""});
    }
}

void RenderThread::drawAll(const std::stop_token& closing) {
    const render::Device device(instance_, surface_);
    Q_EMIT deviceReady(QString::fromStdString(device.description().name),
                       device.description().software);
    render::WindowTarget target(device, surface_);
    int misfits = 0;  // frames in a row that were shown at another size than the window's
    while (!closing.stop_requested()) {
        std::optional<Frame> frame;
        std::optional<Picture> picture;
        {
            std::unique_lock lock(mutex_);
            const bool more =
                wake_.wait(lock, closing, [this] { return frame_ || !pictures_.empty(); });
            if (!more) return;
            frame.swap(frame_);
            if (!pictures_.empty()) {
                picture = std::move(pictures_.front());
                pictures_.pop_front();
            }
        }
        if (picture) picture->receive(drawOffscreen(device, picture->frame));
        if (!frame || frame->width <= 0 || frame->height <= 0) continue;
        const bool drawn = target.draw(frame->scene, frame->width, frame->height);
        // A window system that keeps to another size than asked for has the last word in the end.
        constexpr int kMisfits = 6;
        misfits = drawn && !target.fits() ? misfits + 1 : 0;
        if (drawn && (misfits == 0 || misfits > kMisfits)) {
            Q_EMIT frameDrawn(target.cost());
            Q_EMIT presented(frame->serial);
            continue;
        }
        // The surface is changing its size: the same frame again soon, unless a newer one came.
        std::unique_lock lock(mutex_);
        constexpr std::chrono::milliseconds kPause(8);
        wake_.wait_for(lock, closing, kPause * (1 << misfits),
                       [this] { return frame_.has_value(); });
        if (!frame_) frame_ = std::move(frame);
    }
}

}  // namespace threefold::ui
