#pragma once

class QMainWindow;

namespace threefold::ui {

/// Sends buttons the leave event that they miss while their menu grabs the pointer.
void addMenuHover(QMainWindow& window);

}  // namespace threefold::ui
