#include "ui/style/elided_label.h"

#include <QEvent>

namespace threefold::ui {

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode) : QLabel(parent), mode_(mode) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text, const QString& tooltip) {
    const QString& tip = tooltip.isEmpty() ? text : tooltip;
    if (text == full_ && tip == toolTip()) return;  // eliding and a new layout take long
    full_ = text;
    setToolTip(tip);
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
