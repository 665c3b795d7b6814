#pragma once

#include <functional>
#include <utility>

#include <QTimer>

namespace threefold::ui {

/// Lets background work wait until the first picture of a result is on the screen, so that the
/// picture has the processor for itself; at most a second, as a hidden window has no pictures. For
/// the window's thread.
class PictureWait {
  public:
    /// `goOn` is called at the end of each wait.
    explicit PictureWait(std::function<void()> goOn) : goOn_(std::move(goOn)) {
        constexpr int kMaxMilliseconds = 1000;
        timer_.setSingleShot(true);
        timer_.setInterval(kMaxMilliseconds);
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { goOn_(); });
    }

    /// From now on begin() begins a wait; before, it does nothing.
    void enable() { enabled_ = true; }
    void begin() {
        if (enabled_) timer_.start();
    }
    bool active() const { return timer_.isActive(); }
    void end() {
        if (!active()) return;
        timer_.stop();
        goOn_();
    }

  private:
    std::function<void()> goOn_;
    bool enabled_ = false;
    QTimer timer_;
};

}  // namespace threefold::ui
