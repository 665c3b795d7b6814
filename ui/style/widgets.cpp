#include "ui/style/widgets.h"

#include <utility>

#include <QActionGroup>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QBoxLayout* boxOf(QBoxLayout::Direction direction, std::initializer_list<BoxItem> items,
                  int spacing, QMargins margins) {
    auto* box = new QBoxLayout(direction);
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    for (const BoxItem& item : items)
        if (item.widget != nullptr)
            box->addWidget(item.widget, item.stretchFactor);
        else if (item.layout != nullptr)
            box->addLayout(item.layout);
        else if (item.stretchFactor > 0)
            box->addStretch(item.stretchFactor);
        else
            box->addSpacing(item.space);
    return box;
}

}  // namespace

QToolButton* flatButton(const QString& text, const QString& tooltip, QWidget* parent,
                        const QString& accessibleName) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(tooltip);
    button->setAccessibleName(accessibleName);
    button->setFocusPolicy(Qt::TabFocus);
    setTextRole(*button, "flat");
    return button;
}

QLabel* roleLabel(const char* role, QWidget* parent, const QString& text) {
    auto* label = new QLabel(text, parent);
    setTextRole(*label, role);
    return label;
}

QMenu* transientMenu(QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    return menu;
}

QList<QAction*> exclusiveActions(const QStringList& texts, QObject* parent,
                                 std::function<void(std::size_t)> chosen) {
    auto* group = new QActionGroup(parent);
    for (const QString& text : texts) group->addAction(text)->setCheckable(true);
    QList<QAction*> actions = group->actions();
    QObject::connect(group, &QActionGroup::triggered, parent,
                     [actions, chosen = std::move(chosen)](QAction* action) {
                         chosen(static_cast<std::size_t>(actions.indexOf(action)));
                     });
    return actions;
}

BoxItem spacing(int pixels) {
    BoxItem item;
    item.space = pixels;
    return item;
}

BoxItem stretch() {
    BoxItem item;
    item.stretchFactor = 1;
    return item;
}

BoxItem stretched(QWidget* widget, int factor) {
    BoxItem item(widget);
    item.stretchFactor = factor;
    return item;
}

QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::LeftToRight, items, spacing, margins);
}

QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::TopToBottom, items, spacing, margins);
}

}  // namespace threefold::ui
