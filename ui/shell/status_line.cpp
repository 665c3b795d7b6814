#include "ui/shell/status_line.h"

#include <algorithm>
#include <iterator>

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/shell/stage_progress.h"
#include "ui/style/elided_label.h"
#include "ui/style/theme.h"

namespace threefold::ui {

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      layout_(new QHBoxLayout(this)),
      text_(new ElidedLabel(this)),
      stage_(new QLabel(this)),
      progress_(new StageProgress(this)),
      cancel_(new QToolButton(this)) {
    setRank(*text_, "muted");
    setRank(*stage_, "muted");
    setRank(*cancel_, "flat");
    text_->setFont(numberFont(font()));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stage_->setFont(numberFont(font()));
    cancel_->setText(tr("Cancel"));
    cancel_->setToolTip(tr("Stop the reconstruction; what is shown stays (Esc)"));
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelClicked);

    layout_->setContentsMargins(14, 0, 8, 0);
    layout_->setSpacing(12);
    layout_->addWidget(text_, 1);
    layout_->addWidget(stage_);
    layout_->addWidget(progress_);
    layout_->addWidget(cancel_);
    // The line keeps its height when the button comes and goes.
    setMinimumHeight(cancel_->sizeHint().height());
    endProgress();
}

void StatusLine::say(const QString& text, const QString& tooltip) {
    text_->setWholeText(text, tooltip);
}

void StatusLine::add(QWidget& part) {
    layout_->insertWidget(1, &part);
}

QString StatusLine::text() const {
    return text_->wholeText();
}

void StatusLine::startProgress(const StageHistory& history) {
    progress_->start(history);
    stage_->clear();
    for (QWidget* part : {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_),
                          static_cast<QWidget*>(cancel_)}) {
        part->show();
    }
}

void StatusLine::advance(const Progress& progress) {
    progress_->advance(progress);
    const std::string_view name = stageName(progress.stage);
    const auto at = std::find(std::begin(kAllStages), std::end(kAllStages), progress.stage);
    stage_->setText(QStringLiteral("%1 · %2 of %3")
                        .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())))
                        .arg(at - std::begin(kAllStages) + 1)
                        .arg(std::size(kAllStages)));
    const std::string_view what = stageDescription(progress.stage);
    progress_->setToolTip(QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())));
}

void StatusLine::endProgress() {
    for (QWidget* part : {static_cast<QWidget*>(stage_), static_cast<QWidget*>(progress_),
                          static_cast<QWidget*>(cancel_)}) {
        part->hide();
    }
}

bool StatusLine::running() const {
    return !cancel_->isHidden();
}

}  // namespace threefold::ui
