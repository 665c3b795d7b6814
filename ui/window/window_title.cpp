#include "ui/window/window_title.h"

#include <vector>

#include <QCoreApplication>

#include "ui/document/input_model.h"
#include "ui/results/sample_title.h"
#include "ui/shell/feature_context.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct WindowTitle {
    Q_DECLARE_TR_FUNCTIONS(WindowTitle)
};

QString titleOf(const Sample& sample, const std::vector<int>& chosen) {
    return WindowTitle::tr("%1 — views %2").arg(sampleTitle(sample), numberList(chosen));
}

/// Title of the window. `input`: sample and views in the slots.
QString titleOf(const Document& document, const InputState& input) {
    const QString title = QStringLiteral("Threefold");
    if (const ReconstructionRun* run = document.run.state().reconstruction())
        return !run->sample ? WindowTitle::tr("Opening… — %1").arg(title)
                            : WindowTitle::tr("%1 — reconstructing… — %2")
                                  .arg(titleOf(*run->sample, run->views), title);
    if (document.run.showsAnotherSample() && input.sample)
        return WindowTitle::tr("%1 — %2").arg(titleOf(*input.sample, input.selection.views()),
                                              title);
    const ResultRef& result = document.result.current();
    const std::vector<MeshId> opened = document.opened.ids();
    if (!result && opened.empty()) return title;
    QString name = result ? titleOf(*result->sample, result->views)
                          : document.opened.find(opened.front())->name();
    if (const OpenedMeshRef& reference = document.opened.reference(); reference && !result)
        name = WindowTitle::tr("%1 against %2").arg(name, reference->name());
    return WindowTitle::tr("%1 — %2").arg(name, title);
}

}  // namespace

void addWindowTitle(const FeatureContext& context) {
    const auto refresh = [context] {
        context.window.setWindowTitle(titleOf(context.document, context.input.state()));
    };
    QObject::connect(&context.document.run, &RunModel::changed, &context.window, refresh);
    QObject::connect(&context.document.opened, &OpenedMeshes::changed, &context.window, refresh);
    refresh();
}

}  // namespace threefold::ui
