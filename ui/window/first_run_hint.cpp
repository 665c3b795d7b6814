#include "ui/window/first_run_hint.h"

#include <QHBoxLayout>
#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/elided_label.h"
#include "ui/style/theme.h"

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
        tr("Drag to turn, wheel to zoom, click a view on the left to use it. F1 "
           "lists every key."));
    setRank(*text, "muted");
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAccessibleName(tr("Close the hint"));
    close->setToolTip(tr("Close the hint for good"));
    close->setFocusPolicy(Qt::TabFocus);
    setRank(*close, "flat");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 2, 8, 2);
    row->addWidget(text, 1);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this, &settings] {
        settings.setValue(kSeenKey, true);
        hide();
    });
}

}  // namespace threefold::ui
