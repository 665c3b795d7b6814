#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <QAction>
#include <QPointer>
#include <QTimer>

#include "ui/window/main_window.h"

namespace threefold::ui::test {

/// Performs random interactions: commands, clicks, drags, keys, wheel, resizing, dropped files. A
/// seed gives the same interactions each time, as far as the window's timing allows.
class Monkey {
  public:
    /// `files`: valid and invalid files to drop and open. The window must outlive the object.
    Monkey(MainWindow& window, std::uint32_t seed, std::vector<std::string> files);

    /// Performs one interaction and processes the events that follow from it.
    void act();

    /// The last actions, oldest first, to reproduce a failure.
    const std::deque<std::string>& lastActions() const { return lastActions_; }

  private:
    void note(std::string action);
    int upTo(int max);  // 0…max
    QPoint pointIn(QSize size);
    void trigger();
    void click();
    void dragInPanes();
    void wheel();
    void press();
    void resize();
    void drop();
    void leavePopups();

    MainWindow& window_;
    std::mt19937 random_;
    std::vector<std::string> files_;
    std::deque<std::string> lastActions_;
    QTimer dialogCloser_;
};

/// Returns the bytes that the process has allocated and not freed.
std::size_t allocatedBytes();

}  // namespace threefold::ui::test
