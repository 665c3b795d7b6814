#include "engine/error.h"
#include "ui/run/worker.h"
#include "ui/shell/window_parts.h"
#include "ui/style/theme.h"
#include "ui/style/window_words.h"

namespace threefold::ui {

// In the status bar: why a GPU that the machine has does not compute. Hidden where one does, where
// there is none, and where another device was chosen.
void addUnusedGpu(const WindowParts& parts, Worker& worker) {
    constexpr int kCharacters = 60;
    auto* label = new ElidedLabel;
    label->setObjectName(QStringLiteral("unusedGpu"));
    setRank(*label, "muted");
    label->setMaximumWidth(kCharacters * label->fontMetrics().averageCharWidth());
    label->hide();
    parts.status.add(*label);
    QObject::connect(&worker, &Worker::backendReady, label, [label](const BackendInfo& info) {
        if (info.unusedGpu)
            label->setWholeText(StatusLine::tr("GPU not used: %1")
                                    .arg(QString::fromStdString(info.unusedGpu->problem)),
                                windowWords(Error(*info.unusedGpu).what()));
        label->setVisible(info.unusedGpu.has_value());
    });
}

}  // namespace threefold::ui
