#include "ui/window/menu_hover.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMenu>
#include <QToolButton>

namespace threefold::ui {
namespace {

// Sends the leave event that a button misses while its menu grabs the pointer.
class MenuHover : public QObject {
  public:
    explicit MenuHover(QWidget& window) : QObject(&window), window_(window) {
        qApp->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Hide && qobject_cast<QMenu*>(watched) != nullptr)
            QMetaObject::invokeMethod(
                this, [this] { leaveButtons(); }, Qt::QueuedConnection);
        return false;
    }

  private:
    void leaveButtons() {
        for (QToolButton* button : window_.findChildren<QToolButton*>()) {
            const QPoint pointer = button->mapFromGlobal(QCursor::pos());
            if (!button->underMouse() || button->rect().contains(pointer)) continue;
            button->setAttribute(Qt::WA_UnderMouse, false);
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(button, &leave);
            button->update();
        }
    }

    QWidget& window_;
};

}  // namespace

void addMenuHover(QMainWindow& window) {
    new MenuHover(window);
}

}  // namespace threefold::ui
