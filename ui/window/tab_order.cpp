#include "ui/window/tab_order.h"

#include <algorithm>
#include <cstddef>

#include <QWidget>

namespace threefold::ui {
namespace {

struct Stop {
    QWidget* widget;
    QRect place;  // in the window
};

bool takesTab(const QWidget& widget, const QWidget& window) {
    return (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget.isVisible() &&
           widget.isEnabled() && widget.focusProxy() == nullptr && widget.window() == &window;
}

std::vector<Stop> stopsIn(QWidget& region, const QWidget& window) {
    std::vector<Stop> stops;
    QList<QWidget*> widgets = region.findChildren<QWidget*>();
    widgets.prepend(&region);
    for (QWidget* widget : widgets) {
        if (!takesTab(*widget, window)) continue;
        stops.push_back({widget, QRect(widget->mapTo(&window, QPoint(0, 0)), widget->size())});
    }
    return stops;
}

// A row holds all widgets whose centre is not below the bottom of the topmost one.
void sortByRows(std::vector<Stop>& stops) {
    const auto middle = [](const Stop& stop) { return stop.place.center().y(); };
    std::stable_sort(stops.begin(), stops.end(),
                     [&](const Stop& a, const Stop& b) { return middle(a) < middle(b); });
    for (auto row = stops.begin(); row != stops.end();) {
        const int end = row->place.bottom();
        const auto next =
            std::find_if(row, stops.end(), [&](const Stop& stop) { return middle(stop) > end; });
        std::stable_sort(row, next, [](const Stop& a, const Stop& b) {
            return a.place.left() < b.place.left();
        });
        row = next == row ? next + 1 : next;
    }
}

}  // namespace

std::vector<QWidget*> tabOrder(const QWidget& window, std::span<QWidget* const> regions) {
    std::vector<QWidget*> order;
    for (QWidget* region : regions) {
        std::vector<Stop> stops = stopsIn(*region, window);
        sortByRows(stops);
        for (const Stop& stop : stops) order.push_back(stop.widget);
    }
    return order;
}

QWidget* neighbour(std::span<QWidget* const> order, const QWidget* now, bool next) {
    if (order.empty()) return nullptr;
    const auto found = std::find(order.begin(), order.end(), now);
    if (found == order.end()) return next ? order.front() : order.back();
    const auto at = static_cast<std::size_t>(found - order.begin());
    return order[(at + (next ? 1 : order.size() - 1)) % order.size()];
}

}  // namespace threefold::ui
