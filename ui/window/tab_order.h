#pragma once

#include <span>
#include <vector>

class QWidget;

namespace threefold::ui {

/// The widgets that Tab reaches, in reading order: region by region, row by row, from the left.
/// Skips hidden, disabled and floating widgets.
std::vector<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions);

/// The widget after or before `now`, wrapping around; the first or last if `now` is not among them;
/// null if `order` is empty.
QWidget* neighbour(std::span<QWidget* const> order, const QWidget* now, bool next);

}  // namespace threefold::ui
