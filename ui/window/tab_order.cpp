#include "ui/window/tab_order.h"

#include <algorithm>

namespace threefold::ui {
namespace {

bool acceptsTab(const QWidget& widget, const QWidget& window) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isVisible() &&
           widget.isEnabled() && widget.focusProxy() == nullptr && widget.window() == &window;
}

}  // namespace

QList<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions) {
    const auto rectOf = [&](const QWidget* widget) {
        return QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size());
    };
    const auto centreY = [&](const QWidget* widget) { return rectOf(widget).center().y(); };
    const auto leftOf = [&](const QWidget* widget) { return rectOf(widget).left(); };
    QList<QWidget*> order;
    for (QWidget* region : regions) {
        QList<QWidget*> stops = region->findChildren<QWidget*>();
        stops.prepend(region);
        stops.removeIf([&](const QWidget* widget) { return !acceptsTab(*widget, window); });
        std::ranges::stable_sort(stops, {}, centreY);
        // A row holds all widgets whose centre is not below the bottom of the topmost widget.
        for (auto row = stops.begin(); row != stops.end();) {
            const int end = rectOf(*row).bottom();
            const auto next = std::find_if(
                row + 1, stops.end(), [&](const QWidget* widget) { return centreY(widget) > end; });
            std::ranges::stable_sort(row, next, {}, leftOf);
            row = next;
        }
        order += stops;
    }
    return order;
}

QWidget* neighbourInTabOrder(const QList<QWidget*>& order, QWidget* current, bool next) {
    if (order.empty()) return nullptr;
    const qsizetype index = order.indexOf(current);
    if (index < 0) return next ? order.front() : order.back();
    return order[(index + (next ? 1 : order.size() - 1)) % order.size()];
}

}  // namespace threefold::ui
