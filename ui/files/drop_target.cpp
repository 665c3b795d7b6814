#include "ui/files/drop_target.h"

#include <QDropEvent>
#include <QMimeData>

#include "ui/document/document.h"
#include "ui/files/opened_files.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

FileRole roleOf(const QDropEvent& event) {
    return event.modifiers().testFlag(Qt::ShiftModifier) ? FileRole::truth : FileRole::byKind;
}

/// Accepts the drop as a copy, since the source of a move may delete its file.
void acceptCopy(QDropEvent& event) {
    event.setDropAction(Qt::CopyAction);
    event.accept();
}

}  // namespace

DropTarget::DropTarget(const FeatureContext& context, Viewport& viewport, OpenedFiles& files)
    : QObject(&context.window),
      document_(context.document),
      viewport_(viewport),
      files_(files),
      hint_(std::make_unique<QLabel>(
          nullptr, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput)) {
    hint_->setObjectName(QStringLiteral("dropHint"));
    hint_->setAttribute(Qt::WA_ShowWithoutActivating);
    hint_->setMargin(8);
    context.window.setAcceptDrops(true);
    context.window.installEventFilter(this);
    viewport.installEventFilter(this);
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::DragEnter:
        case QEvent::DragMove:
            return onDragOver(static_cast<QDropEvent&>(*event));
        case QEvent::DragLeave:
            hint_->hide();
            return true;
        case QEvent::Drop:
            return onDrop(static_cast<QDropEvent&>(*event));
        default:
            return QObject::eventFilter(watched, event);
    }
}

bool DropTarget::onDragOver(QDropEvent& event) {
    const QString hint =
        dropHint(filesOf(*event.mimeData()), roleOf(event), document_.result.current() != nullptr);
    if (hint.isEmpty()) return false;
    acceptCopy(event);
    hint_->setText(hint);
    hint_->adjustSize();
    constexpr int kFromBottom = 24;
    const QPoint corner = viewport_.mapToGlobal(QPoint(0, 0));
    hint_->move(corner.x() + (viewport_.width() - hint_->width()) / 2,
                corner.y() + viewport_.height() - hint_->height() - kFromBottom);
    hint_->show();
    return true;
}

bool DropTarget::onDrop(QDropEvent& event) {
    hint_->hide();
    OpenRequest request;
    request.files = filesOf(*event.mimeData());
    if (request.files.empty()) return false;
    request.filesRole = roleOf(event);
    acceptCopy(event);
    files_.open(request);
    return true;
}

}  // namespace threefold::ui
