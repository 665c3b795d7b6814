#include "ui/window/first_run_hint.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QMainWindow>
#include <QSettings>

#include "ui/panes/viewport.h"
#include "ui/panes/window_panes.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// Event filter that calls back on user input in the window: the end of a click or drag, a key, the
/// wheel, a drop.
class UserInputWatch : public QObject {
  public:
    UserInputWatch(QMainWindow& window, Viewport& viewport, QObject* parent,
                   std::function<void()> onInput)
        : QObject(parent), window_(window), viewport_(viewport), onInput_(std::move(onInput)) {
        qApp->installEventFilter(this);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const QEvent::Type type = event->type();
        const bool isInput = type == QEvent::MouseButtonRelease || type == QEvent::KeyPress ||
                             type == QEvent::Wheel || type == QEvent::Drop;
        // Each event reaches one of these two windows once, then perhaps many widgets. The call is
        // queued, because the callback must not change the layout while the event is being handled.
        if (isInput && (watched == &viewport_ || watched == window_.windowHandle()))
            QMetaObject::invokeMethod(
                this, [this] { onInput_(); }, Qt::QueuedConnection);
        return false;
    }

  private:
    QMainWindow& window_;
    Viewport& viewport_;
    std::function<void()> onInput_;
};

}  // namespace

void addFirstRunHint(QMainWindow& window, QSettings& settings, const WindowPanes& panes) {
    struct FirstRunHint {
        Q_DECLARE_TR_FUNCTIONS(FirstRunHint)
    };
    static constexpr const char* kSeenKey = "hints/firstRun";
    static constexpr int kSteps = 6;
    if (settings.value(kSeenKey).toBool()) return;
    auto* hint = new QWidget;
    hint->setObjectName(QStringLiteral("firstRunHint"));
    auto* text = new ElidedLabel(hint);
    text->setFullText(FirstRunHint::tr("Drag to turn, wheel to zoom. F1 lists all shortcuts."));
    setTextRole(*text, "muted");
    auto* close = flatButton(QStringLiteral("✕"), FirstRunHint::tr("Do not show this again"), hint,
                             FirstRunHint::tr("Close the hint"));
    hint->setLayout(rowOf({stretched(text), close}, -1, {16, 2, 8, 2}));
    const auto rememberSeen = [&settings] { settings.setValue(kSeenKey, true); };
    QObject::connect(close, &QToolButton::clicked, hint, [hint, rememberSeen] {
        rememberSeen();
        hint->hide();
        hint->deleteLater();
    });
    new UserInputWatch(window, panes.viewport, hint, [rememberSeen, steps = 0]() mutable {
        if (++steps == kSteps) rememberSeen();
    });
    panes.below.insertWidget(0, hint);
}

}  // namespace threefold::ui
