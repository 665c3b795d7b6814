#include "ui/style/widgets.h"

#include <algorithm>
#include <utility>

#include <QActionGroup>
#include <QEvent>
#include <QScrollBar>

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
            box->addWidget(item.widget, item.stretch);
        else if (item.layout != nullptr)
            box->addLayout(item.layout);
        else if (item.space < 0)
            box->addStretch(1);
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

QBoxLayout* rowOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::LeftToRight, items, spacing, margins);
}

QBoxLayout* columnOf(std::initializer_list<BoxItem> items, int spacing, QMargins margins) {
    return boxOf(QBoxLayout::TopToBottom, items, spacing, margins);
}

BoundedScroll::BoundedScroll(QWidget* content, Qt::Orientation direction,
                             std::function<int()> bound, QWidget* parent)
    : QScrollArea(parent), direction_(direction), bound_(std::move(bound)) {
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    const bool vertical = direction == Qt::Vertical;
    vertical ? setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff)
             : setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    content->installEventFilter(this);
}

QSize BoundedScroll::bounded(QSize full) const {
    if (direction_ == Qt::Vertical) return {full.width(), std::min(full.height(), bound_())};
    const bool scrolls = full.width() > bound_();
    return {std::min(full.width(), bound_()),
            full.height() + (scrolls ? horizontalScrollBar()->sizeHint().height() : 0)};
}

QSize BoundedScroll::minimumSizeHint() const {
    const QSize min = bounded(widget()->minimumSizeHint());
    return {min.width(), sizeHint().height()};
}

bool BoundedScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setWholeText(const QString& text, const QString& tooltip) {
    whole_ = text;
    setToolTip(tooltip.isEmpty() ? text : tooltip);
    setAccessibleName(text);
    updateGeometry();
    fit();
}

QSize ElidedLabel::minimumSizeHint() const {
    constexpr int kMinLetters = 6;
    return {fontMetrics().averageCharWidth() * kMinLetters, fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

}  // namespace threefold::ui
