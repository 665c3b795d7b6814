#include "ui/panes/pointer_tip.h"

#include <algorithm>

#include <QPainter>
#include <QWindow>

#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr QMargins kMargins(8, 5, 8, 5);
constexpr int kGap = 18;  // logical pixels; wider than the circle in which a vertex is found

// Beyond `at`, or before it if there is no room; never over it.
int placed(int at, int length, int room) {
    return at + kGap + length <= room ? at + kGap : at - kGap - length;
}

}  // namespace

PointerTip::PointerTip(QWidget& window, const Viewport& panes) : QWidget(&window), panes_(panes) {
    setObjectName(QStringLiteral("pointerTip"));
    // Only another native window can be above the panes.
    setAttribute(Qt::WA_NativeWindow);
    setAttribute(Qt::WA_DontCreateNativeAncestors);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setFont(numberFont(font()));
    hide();
}

void PointerTip::setLines(const QStringList& lines, QPoint pointer) {
    lines_ = lines;
    setAccessibleName(lines.join(QStringLiteral(", ")));
    const QSize size = sizeOfText();
    if (lines.isEmpty()) return hide();
    const QPoint corner(placed(pointer.x(), size.width(), panes_.width()),
                        placed(pointer.y(), size.height(), panes_.height()));
    const QRect place(QPoint(std::max(corner.x(), 0), std::max(corner.y(), 0)), size);
    if (place.contains(pointer)) return hide();  // in narrow panes
    setGeometry(QRect(parentWidget()->mapFromGlobal(panes_.mapToGlobal(place.topLeft())), size));
    if (isHidden()) {
        QWidget::show();
        windowHandle()->setFlag(Qt::WindowTransparentForInput);
        raise();
    }
    update();
}

QSize PointerTip::sizeOfText() const {
    int width = 0;
    for (const QString& line : lines_)
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    const int height = static_cast<int>(lines_.size()) * fontMetrics().lineSpacing();
    return QSize(width, height).grownBy(kMargins);
}

void PointerTip::paintEvent(QPaintEvent*) {
    const ThemeColours colours = themeColours(palette());
    QPainter painter(this);
    painter.setPen(colours.border);
    painter.setBrush(colours.raised);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    int y = kMargins.top() + fontMetrics().ascent();
    for (int i = 0; i < lines_.size(); ++i, y += fontMetrics().lineSpacing()) {
        painter.setPen(i == 0 ? colours.text : colours.muted);
        painter.drawText(kMargins.left(), y, lines_[i]);
    }
}

}  // namespace threefold::ui
