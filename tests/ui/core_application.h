#pragma once

#include <QCoreApplication>
#include <QThreadPool>

namespace threefold::ui::test {

/// Application without windows, for tests of queued signals, which need an event loop.
class CoreApplication {
  public:
    /// Waits until background work has finished, then processes events, so that its results arrive.
    static void finishWork() {
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
    }

  private:
    int argc_ = 1;
    char name_[5] = "test";
    char* argv_[2] = {name_, nullptr};
    QCoreApplication application_{argc_, argv_};
};

}  // namespace threefold::ui::test
