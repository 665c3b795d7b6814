#pragma once

#include <span>
#include <vector>

class QWidget;

namespace threefold::ui {

/// What Tab reaches, as the eye reads it: region after region, in each row by row, each row from
/// the left. Hidden, disabled and floating ones are left out.
std::vector<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions);

/// The one after `now`, or before it, around the end; the first or last where `now` is none of
/// them; null where there are none.
QWidget* neighbour(std::span<QWidget* const> order, const QWidget* now, bool next);

}  // namespace threefold::ui
