#include "ui/run/unused_gpu.h"

#include "engine/error.h"
#include "ui/run/network_client.h"
#include "ui/shell/status_line.h"
#include "ui/style/control_names.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"

namespace threefold::ui {

void addUnusedGpu(StatusLine& status, NetworkClient& client) {
    constexpr int kMaxCharacters = 60;
    auto* label = new ElidedLabel;
    label->setObjectName(QStringLiteral("unusedGpu"));
    setTextRole(*label, "muted");
    label->setMaximumWidth(kMaxCharacters * label->fontMetrics().averageCharWidth());
    label->hide();
    status.add(*label);
    QObject::connect(
        &client, &NetworkClient::networkReady, label, [label](const NetworkDescription& info) {
            if (info.unusedGpu)
                label->setFullText(StatusLine::tr("GPU not used: %1")
                                       .arg(QString::fromStdString(info.unusedGpu->problem)),
                                   withControlNames(Error(*info.unusedGpu).what()));
            label->setVisible(info.unusedGpu.has_value());
        });
}

}  // namespace threefold::ui
