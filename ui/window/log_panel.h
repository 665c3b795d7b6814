#pragma once

class QMainWindow;

namespace threefold::ui {

class Actions;
class LogStore;

/// Adds the log in a dock at the bottom, hidden at first.
void addLog(QMainWindow& window, Actions& actions, LogStore& store);

}  // namespace threefold::ui
