#pragma once

#include <QCoreApplication>
#include <QThreadPool>

namespace threefold::ui::test {

/// Application without windows, for tests of queued signals, which need an event loop.
class CoreApplication {
  public:
    /// Processes events until background work has finished and its results have arrived.
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
