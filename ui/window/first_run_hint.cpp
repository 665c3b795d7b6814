#include <QCoreApplication>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/shell/window_parts.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

// One line of help under the panes for new users; never shown again once closed.
void addFirstRunHint(const WindowParts& parts) {
    struct FirstRunHint {
        Q_DECLARE_TR_FUNCTIONS(FirstRunHint)
    };
    static constexpr const char* kSeenKey = "hints/firstRun";
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
    QObject::connect(close, &QToolButton::clicked, hint, [hint, &settings] {
        settings.setValue(kSeenKey, true);
        hint->hide();
    });
    parts.belowPanes.insertWidget(0, hint);
}

}  // namespace threefold::ui
