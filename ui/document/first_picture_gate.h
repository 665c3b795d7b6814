#pragma once

#include <functional>
#include <utility>

#include <QTimer>

namespace threefold::ui {

/// Holds background work back until a result's first picture is on the screen, so that the picture
/// has the processor for itself. The gate opens after a second at the latest, because a hidden
/// window draws no pictures. GUI thread only.
class FirstPictureGate {
  public:
    /// `onOpen` is called whenever the gate opens.
    explicit FirstPictureGate(std::function<void()> onOpen) : onOpen_(std::move(onOpen)) {
        constexpr int kMaxMilliseconds = 1000;
        timer_.setSingleShot(true);
        timer_.setInterval(kMaxMilliseconds);
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { onOpen_(); });
    }

    /// Makes close() close the gate; until then, close() does nothing.
    void enable() { enabled_ = true; }
    void close() {
        if (enabled_) timer_.start();
    }
    bool isClosed() const { return timer_.isActive(); }
    void open() {
        if (!isClosed()) return;
        timer_.stop();
        onOpen_();
    }

  private:
    std::function<void()> onOpen_;
    bool enabled_ = false;
    QTimer timer_;
};

}  // namespace threefold::ui
