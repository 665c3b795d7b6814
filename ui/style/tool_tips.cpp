#include "ui/style/tool_tips.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QStringList>
#include <QToolTip>

namespace threefold::ui {
namespace {

constexpr int kMaxTipWidth = 420;  // logical pixels

/// The tooltip that Qt would show for a widget at one of its positions; empty if none.
QString tipAt(const QWidget& widget, QPoint position) {
    if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
        const QAction* action = menu->toolTipsVisible() ? menu->actionAt(position) : nullptr;
        return action != nullptr ? action->toolTip() : QString();
    }
    const auto* view = qobject_cast<const QAbstractItemView*>(widget.parentWidget());
    if (view != nullptr && view->viewport() == &widget)
        return view->indexAt(position).data(Qt::ToolTipRole).toString();
    return widget.toolTip();
}

}  // namespace

QString wrappedText(const QString& text, const QFontMetrics& metrics, int width) {
    QStringList lines;
    for (const QString& line : text.split('\n')) {
        QString current;
        for (const QString& word : line.split(' ')) {
            const QString longer = current.isEmpty() ? word : current + ' ' + word;
            if (current.isEmpty() || metrics.horizontalAdvance(longer) <= width) {
                current = longer;
            } else {
                lines << current;
                current = word;
            }
        }
        lines << current;
    }
    return lines.join('\n');
}

WrappedToolTips::WrappedToolTips(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WrappedToolTips::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    auto& widget = static_cast<QWidget&>(*watched);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const QString text = tipAt(widget, help.pos());
    if (text.isEmpty() || Qt::mightBeRichText(text)) return false;
    const QString wrapped = wrappedText(text, QFontMetrics(QToolTip::font()), kMaxTipWidth);
    if (wrapped == text) return false;
    QToolTip::showText(help.globalPos(), wrapped, &widget);
    return true;
}

}  // namespace threefold::ui
