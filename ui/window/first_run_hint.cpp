#include "ui/window/first_run_hint.h"

#include <QBoxLayout>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

const QString kSeenKey = QStringLiteral("hints/firstRun");

}  // namespace

void FirstRunHint::addTo(const WindowParts& parts) {
    if (parts.settings.value(kSeenKey).toBool()) return;
    parts.belowPanes.insertWidget(0, new FirstRunHint(parts.settings));
}

FirstRunHint::FirstRunHint(QSettings& settings) {
    auto* text = new ElidedLabel(this);
    text->setWholeText(
        tr("Drag to turn, wheel to zoom, click a view on the left to use it. F1 lists all "
           "shortcuts."));
    setRank(*text, "muted");
    auto* close =
        flatButton(QStringLiteral("✕"), tr("Do not show this again"), this, tr("Close the hint"));
    setLayout(rowOf({{text, 1}, close}, -1, {16, 2, 8, 2}));
    connect(close, &QToolButton::clicked, this, [this, &settings] {
        settings.setValue(kSeenKey, true);
        hide();
    });
}

}  // namespace threefold::ui
