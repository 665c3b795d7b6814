#include "tests/ui/monkey.h"

#include <malloc.h>

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QMenu>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <QWheelEvent>

#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"

#if defined(__SANITIZE_ADDRESS__)
// GCC installs the sanitizer's function, but not the header that declares it.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#endif

namespace threefold::ui::test {
namespace {

constexpr std::size_t kRemembered = 30;

template <class Event>
void sendDrop(QObject& target, QPoint position, const QMimeData& data) {
    Event event(position, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
}

}  // namespace

std::size_t allocatedBytes() {
#if defined(__SANITIZE_ADDRESS__)
    return __sanitizer_get_current_allocated_bytes();
#else
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
}

Monkey::Monkey(MainWindow& window, std::uint32_t seed, std::vector<std::string> files)
    : window_(window), random_(seed), files_(std::move(files)) {
    // A menu or modal dialog runs its own event loop inside act(), so a timer closes it.
    constexpr int kPatience = 40;  // milliseconds
    dialogCloser_.setInterval(kPatience);
    QObject::connect(&dialogCloser_, &QTimer::timeout, &dialogCloser_, [this] { leavePopups(); });
    dialogCloser_.start();
}

void Monkey::leavePopups() {
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (auto* dialog = qobject_cast<QDialog*>(widget);
            dialog != nullptr && dialog->isVisible()) {
            dialog->reject();
        }
    }
}

void Monkey::note(std::string action) {
    lastActions_.push_back(std::move(action));
    if (lastActions_.size() > kRemembered) lastActions_.pop_front();
}

int Monkey::upTo(int max) {
    return static_cast<int>(random_() % static_cast<std::uint32_t>(std::max(max, 0) + 1));
}

QPoint Monkey::pointIn(QSize size) {
    const int x = upTo(size.width() - 1);
    return {x, upTo(size.height() - 1)};
}

void Monkey::act() {
    switch (upTo(15)) {
        case 0:
        case 1:
        case 2:
        case 3:
            trigger();
            break;
        case 4:
        case 5:
        case 6:
            click();
            break;
        case 7:
        case 8:
        case 9:
            dragInPanes();
            break;
        case 10:
        case 11:
            wheel();
            break;
        case 12:
        case 13:
            press();
            break;
        case 14:
            resize();
            break;
        default:
            drop();
            break;
    }
    QTest::qWait(upTo(12));
}

void Monkey::trigger() {
    std::vector<QAction*> enabled;
    for (QAction* action : window_.findChildren<QAction*>()) {
        const bool leaves = action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Q);
        if (action->isEnabled() && !action->isSeparator() && action->menu() == nullptr && !leaves) {
            enabled.push_back(action);
        }
    }
    if (enabled.empty()) return;
    QAction* action = enabled[static_cast<std::size_t>(upTo(static_cast<int>(enabled.size()) - 1))];
    note("command " + action->text().toStdString());
    action->trigger();
}

void Monkey::click() {
    std::vector<QWidget*> visible;
    for (QWidget* widget : window_.findChildren<QWidget*>()) {
        if (widget->isVisible() && widget->isEnabled() && !widget->isWindow()) {
            visible.push_back(widget);
        }
    }
    if (visible.empty()) return;
    const QPointer<QWidget> widget =
        visible[static_cast<std::size_t>(upTo(static_cast<int>(visible.size()) - 1))];
    const QPoint place = pointIn(widget->size());
    note(std::string("click on ") + widget->metaObject()->className() + " '" +
         widget->accessibleName().toStdString() + "'");
    const Qt::MouseButton button = upTo(7) == 0 ? Qt::RightButton : Qt::LeftButton;
    constexpr Qt::KeyboardModifier kHeld[] = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier,
                                              Qt::ShiftModifier, Qt::ControlModifier};
    const Qt::KeyboardModifiers held = kHeld[upTo(4)];
    QTest::mouseClick(widget, button, held, place);
    if (!widget || upTo(5) != 0) return;
    QTest::mouseDClick(widget, button, held, place);
    // QTest::mouseDClick() on a widget sends no release after the second press.
    QTest::mouseRelease(widget ? widget.data() : &window_, button, held, place);
}

void Monkey::dragInPanes() {
    Viewport& panes = window_.viewport();
    constexpr Qt::MouseButton kButtons[] = {Qt::LeftButton, Qt::RightButton, Qt::MiddleButton};
    const Qt::MouseButton button = kButtons[upTo(2)];
    const QPoint from = pointIn(panes.size());
    const QPoint to = pointIn(panes.size());
    note("drag in the panes");
    // The panes may shrink during the drag.
    const auto inside = [&panes](QPoint place) {
        return QPoint(std::min(place.x(), panes.width() - 1),
                      std::min(place.y(), panes.height() - 1));
    };
    QTest::mousePress(&panes, button, {}, inside(from));
    for (int step = 1; step <= 4; ++step) {
        QTest::mouseMove(&panes, inside(from + (to - from) * step / 4));
    }
    QTest::mouseRelease(&panes, button, {}, inside(to));
}

void Monkey::wheel() {
    Viewport& panes = window_.viewport();
    const QPointF place = pointIn(panes.size());
    const int turn = 120 * (upTo(8) - 4);
    note("wheel " + std::to_string(turn));
    QWheelEvent event(place, place, {}, {0, turn}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&panes, &event);
}

void Monkey::press() {
    constexpr int kKeys[] = {Qt::Key_Left,   Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                             Qt::Key_Tab,    Qt::Key_Space, Qt::Key_Return, Qt::Key_Escape,
                             Qt::Key_Plus,   Qt::Key_Minus, Qt::Key_B,      Qt::Key_N,
                             Qt::Key_P,      Qt::Key_F,     Qt::Key_0,      Qt::Key_5,
                             Qt::Key_Delete, Qt::Key_Home,  Qt::Key_End,    Qt::Key_PageDown};
    const auto key = static_cast<Qt::Key>(kKeys[upTo(static_cast<int>(std::size(kKeys)) - 1)]);
    const auto modifiers = upTo(3) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
    QWidget* focused = window_.focusWidget();
    note("key " + QKeySequence(key).toString().toStdString());
    if (focused == nullptr || upTo(1) == 0) {
        QTest::keyClick(&window_.viewport(), key, modifiers);
    } else {
        QTest::keyClick(focused, key, modifiers);
    }
}

void Monkey::resize() {
    const QSize size(window_.minimumWidth() + upTo(900), window_.minimumHeight() + upTo(700));
    note("size " + std::to_string(size.width()) + " × " + std::to_string(size.height()));
    window_.resize(size);
}

void Monkey::drop() {
    if (files_.empty()) return;
    QMimeData data;
    QList<QUrl> urls;
    for (int i = upTo(1); i >= 0; --i) {
        const std::string& file =
            files_[static_cast<std::size_t>(upTo(static_cast<int>(files_.size()) - 1))];
        urls << QUrl::fromLocalFile(QString::fromStdString(file));
        note("drop " + file);
    }
    data.setUrls(urls);
    sendDrop<QDragEnterEvent>(window_, {50, 50}, data);
    sendDrop<QDropEvent>(window_, {50, 50}, data);
}

}  // namespace threefold::ui::test
