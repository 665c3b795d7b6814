#include "ui/panes/number_label.h"

#include <algorithm>
#include <utility>

#include <QPainter>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {

NumberLabel::NumberLabel(QWidget* parent) : QWidget(parent) {
    setFont(numberFont(font()));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    hide();
}

void NumberLabel::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    const int width = fontMetrics().horizontalAdvance(text) + 2;
    const int previous = std::exchange(widest_, text.isEmpty() ? 0 : std::max(width, widest_));
    if (widest_ > previous) updateGeometry();
    update();
}

void NumberLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(themeColours(palette()).text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text_, Qt::ElideRight, width()));
}

}  // namespace threefold::ui
