#include "ui/panes/pane_header.h"

#include <algorithm>

#include <QEvent>
#include <QFontMetrics>
#include <QMouseEvent>

#include "ui/style/number_format.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

PaneHeader::PaneHeader(QWidget* parent)
    : QWidget(parent),
      label_(new QLabel(this)),
      menu_(flatButton(QStringLiteral("▾"), tr("What this pane shows"), this,
                       tr("What this pane shows"))),
      row_(rowOf({stretched(label_), menu_})) {
    label_->setTextFormat(Qt::RichText);
    label_->setFont(numberFont(font()));
    label_->setMinimumWidth(0);
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setTextRole(*menu_, "inline");
    connect(menu_, &QToolButton::clicked, this,
            [this] { Q_EMIT menuRequested(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
    row_->setContentsMargins(16, 8, 8, 8);
    setLayout(row_);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label_->installEventFilter(this);
}

void PaneHeader::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT menuRequested(mapToGlobal(QPoint(0, height())));
}

void PaneHeader::setText(const HeaderText& text, bool choosable) {
    // This function is called for every header at every step of a run, and refresh() parses HTML.
    if (text == text_ && choosable == choosable_) return;
    text_ = text;
    choosable_ = choosable;
    refresh();
}

bool PaneHeader::event(QEvent* event) {
    const bool handled = QWidget::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::PaletteChange || type == QEvent::StyleChange || type == QEvent::Resize)
        refresh();
    return handled;
}

// A widget beside the title, shown later, takes room from the title without resizing the header.
bool PaneHeader::eventFilter(QObject* watched, QEvent* event) {
    if (watched == label_ && event->type() == QEvent::Resize) refresh();
    return QWidget::eventFilter(watched, event);
}

void PaneHeader::refresh() {
    constexpr int kNarrow = 100;  // the title needs the room of the button
    menu_->setVisible(choosable_ && width() > kNarrow);
    QFont bold = label_->font();
    bold.setBold(true);
    const int swatchWidth =
        text_.swatch.isEmpty() ? 0 : label_->fontMetrics().horizontalAdvance(QStringLiteral("■ "));
    const int room = std::max(label_->width() - swatchWidth, 24);
    const QString title = QFontMetrics(bold).elidedText(
        text_.title, width() > kNarrow ? Qt::ElideMiddle : Qt::ElideRight, room);
    const QString detail = QStringLiteral("  ") + text_.detail;
    const bool showsDetail = QFontMetrics(bold).horizontalAdvance(title) +
                                 label_->fontMetrics().horizontalAdvance(detail) <=
                             room;
    const QString swatch =
        text_.swatch.isEmpty()
            ? QString()
            : QStringLiteral("<span style='color:%1'>■ </span>").arg(text_.swatch);
    label_->setText(swatch +
                    QStringLiteral("<b>%1</b><span style='color:%2; white-space:pre'>%3</span>")
                        .arg(title.toHtmlEscaped(), themeColours(palette()).muted.name(),
                             showsDetail ? detail : QString()));
    label_->setToolTip(text_.note);
    setAccessibleName(text_.title + QStringLiteral(": ") + text_.detail);
}

}  // namespace threefold::ui
