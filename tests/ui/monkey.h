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

/// Uses the window at random, as nobody would: commands, clicks, drags, keys, wheel, sizes, files
/// dropped on it. The same seed does the same things, as far as the window's own timing lets it.
class Monkey {
  public:
    /// `files`: what it drops and opens, good and bad. The window must outlive it.
    Monkey(MainWindow& window, std::uint32_t seed, std::vector<std::string> files);

    /// One interaction. Lets the events that follow from it pass.
    void act();

    /// Its last actions, oldest first, to reproduce a failure.
    const std::deque<std::string>& past() const { return past_; }

  private:
    void note(std::string what);
    int upTo(int most);  // 0…most
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
    std::deque<std::string> past_;
    QTimer wayOut_;
};

/// Bytes that the program holds from its allocator now.
std::size_t allocatedBytes();

}  // namespace threefold::ui::test
