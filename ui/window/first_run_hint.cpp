#include <QCoreApplication>
#include <QSettings>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/shell/window_parts.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"
#include "ui/window/person_watch.h"

namespace threefold::ui {

// One line of help under the panes for new users. Goes after their first steps, after a while, or
// when closed, and is not shown again.
void addFirstRunHint(const WindowParts& parts) {
    struct FirstRunHint {
        Q_DECLARE_TR_FUNCTIONS(FirstRunHint)
    };
    static constexpr const char* kSeenKey = "hints/firstRun";
    constexpr int kSteps = 6;
    constexpr int kWhile = 90'000;  // milliseconds
    QSettings& settings = parts.settings;
    if (settings.value(kSeenKey).toBool()) return;
    auto* hint = new QWidget;
    hint->setObjectName(QStringLiteral("firstRunHint"));
    auto* text = new ElidedLabel(hint);
    text->setWholeText(
        FirstRunHint::tr("Drag to turn, wheel to zoom, click a view on the left to use it. F1 "
                         "lists all shortcuts."));
    setRank(*text, "muted");
    auto* close = flatButton(QStringLiteral("✕"), FirstRunHint::tr("Do not show this again"), hint,
                             FirstRunHint::tr("Close the hint"));
    hint->setLayout(rowOf({{text, 1}, close}, -1, {16, 2, 8, 2}));
    const auto leave = [hint, &settings] {
        settings.setValue(kSeenKey, true);
        hint->hide();
        hint->deleteLater();
    };
    auto* whileIsOver = new QTimer(hint);
    whileIsOver->setSingleShot(true);
    whileIsOver->start(kWhile);
    QObject::connect(close, &QToolButton::clicked, hint, leave);
    QObject::connect(whileIsOver, &QTimer::timeout, hint, leave);
    QObject::connect(new PersonWatch(parts, hint), &PersonWatch::acted, hint,
                     [leave, steps = 0]() mutable {
                         if (++steps >= kSteps) leave();
                     });
    parts.belowPanes.insertWidget(0, hint);
}

}  // namespace threefold::ui
