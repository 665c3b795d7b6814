#include "ui/style/elided_label.h"

#include <QEvent>

namespace threefold::ui {

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
    constexpr int kFewestLetters = 6;
    return {fontMetrics().averageCharWidth() * kFewestLetters, fontMetrics().height()};
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(whole_) + 2, fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void ElidedLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

void ElidedLabel::fit() {
    setText(fontMetrics().elidedText(whole_, mode_, contentsRect().width()));
}

}  // namespace threefold::ui
