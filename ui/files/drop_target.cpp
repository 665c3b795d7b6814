#include "ui/files/drop_target.h"

#include <QDropEvent>
#include <QMimeData>

#include "ui/document/document.h"
#include "ui/files/opened_files.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

OpenAs openAsOf(const QDropEvent& event) {
    return event.modifiers().testFlag(Qt::ShiftModifier) ? OpenAs::truth : OpenAs::automatic;
}

/// Always copies: after a move, the source may delete its file.
void acceptCopy(QDropEvent& event) {
    event.setDropAction(Qt::CopyAction);
    event.accept();
}

}  // namespace

DropTarget::DropTarget(const WindowParts& parts, Viewport& viewport, OpenedFiles& files)
    : QObject(&parts.window),
      document_(parts.document),
      viewport_(viewport),
      files_(files),
      hint_(std::make_unique<QLabel>(
          nullptr, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput)) {
    hint_->setObjectName(QStringLiteral("dropHint"));
    hint_->setAttribute(Qt::WA_ShowWithoutActivating);
    hint_->setMargin(8);
    parts.window.setAcceptDrops(true);
    parts.window.installEventFilter(this);
    viewport.installEventFilter(this);
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::DragEnter:
        case QEvent::DragMove:
            return over(static_cast<QDropEvent&>(*event));
        case QEvent::DragLeave:
            hint_->hide();
            return true;
        case QEvent::Drop:
            return dropped(static_cast<QDropEvent&>(*event));
        default:
            return QObject::eventFilter(watched, event);
    }
}

bool DropTarget::over(QDropEvent& event) {
    const QString meaning = dropMeaning(filesOf(*event.mimeData()), openAsOf(event),
                                        document_.result.current() != nullptr);
    if (meaning.isEmpty()) return false;
    acceptCopy(event);
    hint_->setText(meaning);
    hint_->adjustSize();
    constexpr int kFromBottom = 24;
    const QPoint corner = viewport_.mapToGlobal(QPoint(0, 0));
    hint_->move(corner.x() + (viewport_.width() - hint_->width()) / 2,
                corner.y() + viewport_.height() - hint_->height() - kFromBottom);
    hint_->show();
    return true;
}

bool DropTarget::dropped(QDropEvent& event) {
    hint_->hide();
    Opening opening;
    opening.files = filesOf(*event.mimeData());
    if (opening.files.empty()) return false;
    opening.how = openAsOf(event);
    acceptCopy(event);
    files_.open(opening);
    return true;
}

}  // namespace threefold::ui
