#include "ui/style/widgets.h"

#include <QBoxLayout>
#include <QToolButton>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

QBoxLayout* boxOf(QBoxLayout::Direction direction, std::initializer_list<BoxItem> items,
                  int spacing, QMargins margins) {
    auto* box = new QBoxLayout(direction);
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    for (const BoxItem& item : items) {
        if (item.widget != nullptr)
            box->addWidget(item.widget, item.stretch);
        else if (item.layout != nullptr)
            box->addLayout(item.layout);
        else if (item.space < 0)
            box->addStretch(1);
        else
            box->addSpacing(item.space);
    }
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
    setRank(*button, "flat");
    return button;
}

QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::LeftToRight, items, spacing, margins);
}

QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::TopToBottom, items, spacing, margins);
}

}  // namespace threefold::ui
