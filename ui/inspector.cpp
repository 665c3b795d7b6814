#include "ui/inspector.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/measures_table.h"
#include "ui/number_format.h"
#include "ui/stage_bars.h"
#include "ui/theme.h"

namespace threefold::ui {
namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    setRank(*label, "heading");
    return label;
}

QLabel* note(QWidget* parent) {
    auto* label = new QLabel(parent);
    setRank(*label, "muted");
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString protocolText(const Result& result) {
    return QStringLiteral(
               "Published protocol: %1 vertices against %2 truth points, squared "
               "distances, τ = 1e-4")
        .arg(groupedCount(static_cast<std::int64_t>(result.refined->vertices.size())),
             groupedCount(static_cast<std::int64_t>(result.truthPoints)));
}

}  // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent),
      measures_(new MeasuresTable(this)),
      protocol_(note(this)),
      noTruth_(note(this)),
      stages_(new StageBars(this)),
      backend_(note(this)),
      model_(note(this)),
      renderer_(note(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 12, 16);
    layout->setSpacing(8);
    auto* title = heading(QStringLiteral("MEASURES · τ = 1e-4"), this);
    title->setToolTip(
        QStringLiteral("Published protocol: the mesh's vertices against the truth's "
                       "points, squared distances in object units²"));
    layout->addWidget(title);
    layout->addWidget(measures_);
    layout->addWidget(noTruth_);
    layout->addWidget(protocol_);
    layout->addSpacing(12);
    layout->addWidget(heading(QStringLiteral("STAGES · MS"), this));
    layout->addWidget(stages_);
    layout->addSpacing(12);
    layout->addWidget(heading(QStringLiteral("NETWORK"), this));
    layout->addWidget(backend_);
    layout->addWidget(model_);
    layout->addWidget(renderer_);
    layout->addStretch(1);
    for (QWidget* later : {static_cast<QWidget*>(model_), static_cast<QWidget*>(renderer_)}) {
        later->hide();
    }
    measures_->hide();
    protocol_->hide();
    noTruth_->setText(QStringLiteral("Nothing reconstructed yet."));
    backend_->setText(QStringLiteral("Not loaded yet"));
    stages_->show(StageHistory());
}

void Inspector::show(const Result& result, const StageHistory& history) {
    measures_->setVisible(result.evaluation.has_value());
    protocol_->setVisible(result.evaluation.has_value());
    noTruth_->setVisible(!result.evaluation);
    if (result.evaluation) {
        measures_->show(measureRows(*result.evaluation));
        protocol_->setText(protocolText(result));
    } else {
        noTruth_->setText(result.truthProblem
                              ? QStringLiteral("The ground truth cannot be used.")
                              : QStringLiteral("No ground truth beside this sample: nothing to "
                                               "measure against. It is looked for as "
                                               "gt/{category}_{item}_{view}.dat."));
    }
    stages_->show(history);
}

void Inspector::show(const BackendInfo& backend) {
    backend_->setText(backend.description);
    constexpr int kPrefix = 12;
    model_->setText(backend.modelHash.isEmpty()
                        ? backend.modelName
                        : backend.modelName + " · " + backend.modelHash.left(kPrefix));
    model_->show();
    model_->setToolTip(QStringLiteral("SHA-256 %1\n%2").arg(backend.modelHash, backend.provenance));
}

void Inspector::showRenderer(const QString& device, bool software) {
    renderer_->show();
    renderer_->setText(QStringLiteral("Vulkan · ") + device +
                       (software ? QStringLiteral(" (in software)") : QString()));
}

}  // namespace threefold::ui
