#pragma once

#include <QThreadPool>

namespace threefold::ui {

/// A single worker thread. The destructor drops queued work and waits for running work, so the pool
/// must be its owner's last member.
class SingleThreadPool : public QThreadPool {
  public:
    SingleThreadPool() { setMaxThreadCount(1); }
    ~SingleThreadPool() override {
        clear();
        waitForDone();
    }
};

}  // namespace threefold::ui
