#include "ui/panes/pointer_tip.h"

#include <algorithm>

#include <QPainter>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"

namespace threefold::ui {
namespace {

constexpr QMargins kMargins(8, 5, 8, 5);
constexpr int kGap = 18;  // logical pixels; more than the picking radius

// The tip's coordinate on one axis: greater than the pointer's coordinate, or less if `room` is too
// small.
int besidePointer(int pointer, int length, int room) {
    return pointer + kGap + length <= room ? pointer + kGap : pointer - kGap - length;
}

}  // namespace

PointerTip::PointerTip(QWidget& window, const Viewport& panes) : QWidget(&window), panes_(panes) {
    setObjectName(QStringLiteral("pointerTip"));
    // Only another native window can lie above the Vulkan window.
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
    if (lines.isEmpty()) return hide();
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, fontMetrics().horizontalAdvance(line));
    const int height = static_cast<int>(lines.size()) * fontMetrics().lineSpacing();
    const QSize size = QSize(width, height).grownBy(kMargins);
    const QPoint corner(besidePointer(pointer.x(), size.width(), panes_.width()),
                        besidePointer(pointer.y(), size.height(), panes_.height()));
    const auto areaAt = [&](int x, int y) {
        return QRect(QPoint(std::clamp(x, 0, std::max(0, panes_.width() - size.width())),
                            std::clamp(y, 0, std::max(0, panes_.height() - size.height()))),
                     size);
    };
    QRect area = areaAt(corner.x(), corner.y());
    if (area.contains(pointer)) return hide();  // no room in narrow panes
    const auto inWindow = [&](const QRect& rect) {
        return QRect(parentWidget()->mapFromGlobal(panes_.mapToGlobal(rect.topLeft())), size);
    };
    if (avoided_ != nullptr && avoided_->isVisible()) {
        const auto isFree = [&](const QRect& rect) {
            return !rect.contains(pointer) && !inWindow(rect).intersects(avoided_->geometry());
        };
        const int left = pointer.x() - kGap - size.width();
        const int above = pointer.y() - kGap - size.height();
        for (const QRect& other : {areaAt(corner.x(), above), areaAt(left, corner.y()),
                                   areaAt(left, above), areaAt(corner.x(), pointer.y() + kGap)})
            if (!isFree(area)) area = other;
    }
    setGeometry(inWindow(area));
    if (isHidden()) {
        QWidget::show();
        windowHandle()->setFlag(Qt::WindowTransparentForInput);
        raise();
    }
    update();
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
