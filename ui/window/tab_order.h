#pragma once

#include <span>

#include <QList>
#include <QWidget>

namespace threefold::ui {

/// Widgets that Tab reaches, in reading order: region by region, row by row, from the left. Skips
/// hidden, disabled and floating widgets.
QList<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions);

/// The widget after or before `current`, wrapping around; the first or last if `current` is not in
/// `order`; null if `order` is empty.
QWidget* neighbourInTabOrder(const QList<QWidget*>& order, QWidget* current, bool next);

}  // namespace threefold::ui
