#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>

#include "engine/sample/data_set.h"
#include "ui/document/document.h"
#include "ui/document/quantities.h"
#include "ui/input/input_panel.h"
#include "ui/shell/banner.h"
#include "ui/shell/window_parts.h"
#include "ui/style/theme.h"
#include "ui/window/person_watch.h"

namespace threefold::ui {

// One sentence above the panes that says what the first picture shows, until something is done.
void addGreeting(const WindowParts& parts) {
    struct Greeting {
        Q_DECLARE_TR_FUNCTIONS(Greeting)
    };
    auto* line = new QLabel;
    line->setObjectName(QStringLiteral("greeting"));
    line->setWordWrap(true);
    line->setContentsMargins(16, 8, 16, 8);
    line->hide();
    const auto tell = [line, parts] {
        const SampleRef& sample = parts.input.sample();
        if (!sample) return;
        const std::string category = categoryName(sample->category);
        line->setText(
            Greeting::tr("This %1 was reconstructed from three views by a small bundled model, "
                         "which has never seen a photograph: %2, coloured by %3.")
                .arg(category.empty() ? Greeting::tr("object") : QString::fromStdString(category),
                     parts.document.fitChoice().on
                         ? Greeting::tr("coarse mesh, refined mesh, and one fitted to all views")
                         : Greeting::tr("coarse and refined mesh"),
                     quantityInfo(parts.document.look().quantity).name.toLower()));
        line->show();
    };
    QObject::connect(&parts.input, &InputPanel::stateChanged, line, tell);
    QObject::connect(&parts.document, &Document::lookChanged, line, tell);
    QObject::connect(new PersonWatch(parts, line), &PersonWatch::acted, line,
                     [line] { line->deleteLater(); });
    if (auto* column = qobject_cast<QBoxLayout*>(parts.banner.parentWidget()->layout()))
        column->insertWidget(column->indexOf(&parts.banner) + 1, line);
}

}  // namespace threefold::ui
