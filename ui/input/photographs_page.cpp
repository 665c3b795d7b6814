#include "ui/input/photographs_page.h"

#include <QAction>
#include <QStyle>

#include "engine/sample/posed_photos/posed_photos.h"
#include "ui/document/connections.h"
#include "ui/input/input_panel.h"
#include "ui/shell/actions.h"
#include "ui/style/control_names.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

PhotographsPage::PhotographsPage(Actions& actions, InputPanel& input)
    : QWidget(&input),
      actions_(actions),
      input_(input),
      cameras_(columnOf({}, 4)),
      masks_(columnOf({}, 4)),
      maskButtons_(rowOf({}, 4)),
      camerasState_(named(roleLabel("muted", this), "camerasState")),
      reconstruct_(named(new QPushButton(tr("Reconstruct"), this), "reconstruct")) {
    setObjectName(QStringLiteral("photographsPage"));
    const auto heading = [this](const QString& text, const QString& tooltip) {
        QLabel* label = roleLabel("heading", this, text);
        label->setToolTip(tooltip);
        stepWidgets_ << label;
        return label;
    };
    camerasState_->setWordWrap(true);
    camerasState_->setTextFormat(Qt::PlainText);
    cameras_->addWidget(camerasState_);
    reconstruct_->setToolTip(actions.reconstruct->toolTip());
    stepWidgets_ << camerasState_ << reconstruct_;
    setLayout(columnOf(
        {heading(tr("1 · CAMERAS"),
                 tr("Where each photograph was taken from: by the printed board, by equal turns, "
                    "by COLMAP where it is installed, or from another program's file")),
         cameras_, heading(tr("2 · MASKS"), tr("The object without its background")), masks_,
         rowOf({maskButtons_, stretch()}),
         heading(tr("3 · RECONSTRUCT"), tr("From the photographs in the slots")),
         rowOf({reconstruct_, stretch()})},
        6));
    input.addBelowSlots(*this);
    connect(reconstruct_, &QPushButton::clicked, actions.reconstruct, &QAction::trigger);
    connect(actions.reconstruct, &QAction::enabledChanged, this, &PhotographsPage::refresh);
    connect(&input.model(), &InputModel::stateChanged, this, &PhotographsPage::refresh);
    refresh();
}

bool PhotographsPage::showsOwnPhotographs() const {
    const SampleRef& sample = input_.model().sample();
    return sample && (sample->photos || input_.model().camerasAreGuessed());
}

void PhotographsPage::refresh() {
    const SampleRef& sample = input_.model().sample();
    for (QWidget* widget : stepWidgets_) widget->setVisible(showsOwnPhotographs());
    reconstruct_->setEnabled(actions_.reconstruct->isEnabled());
    if (!showsOwnPhotographs()) return;
    const auto& photos = sample->photos;
    const bool isDoubtful = photos && !photos->warnings.empty();
    QStringList warnings;
    if (isDoubtful)
        for (const std::string& warning : photos->warnings) warnings << withControlNames(warning);
    const QString origin =
        photos ? tr("%1 cameras, from %2").arg(sample->viewCount()).arg(fileName(photos->file))
               : tr("Not known yet");
    camerasState_->setText(isDoubtful ? tr("%1. They are uncertain: %2").arg(origin, warnings[0])
                                      : origin);
    camerasState_->setToolTip(warnings.join('\n'));
    camerasState_->setProperty("verdict", isDoubtful ? QStringLiteral("worse") : QString());
    // A style sheet reads changed properties only after unpolish() and polish().
    camerasState_->style()->unpolish(camerasState_);
    camerasState_->style()->polish(camerasState_);
}

PhotographsPage& addPhotographsPage(Actions& actions, InputPanel& input) {
    return *new PhotographsPage(actions, input);
}

}  // namespace threefold::ui
