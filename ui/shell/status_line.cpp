#include "ui/shell/status_line.h"

#include <algorithm>
#include <iterator>

#include <QDesktopServices>
#include <QEvent>
#include <QPainter>
#include <QUrl>

#include "ui/style/elided_label.h"
#include "ui/style/path_text.h"
#include "ui/style/theme.h"

namespace threefold::ui {

namespace {

// Names the phase. The percentage is that of the whole fit, as on the bar beside the text.
QString textOf(const FitRun& fit) {
    const QString names[] = {StatusLine::tr("fit"), StatusLine::tr("hull of the photographs"),
                             StatusLine::tr("depth from photographs")};
    return StatusLine::tr("%1 · %2 %")
        .arg(names[static_cast<std::size_t>(fit.progress.phase)])
        .arg(qRound(100 * fit.totalFraction));
}

QString toolTipOf(FitPhase phase) {
    const QString texts[] = {
        StatusLine::tr("The mesh is fitted to the photographs"),
        StatusLine::tr("The visual hull of all photographs is computed"),
        StatusLine::tr("The hull is moved to the depth at which the photographs agree")};
    return texts[static_cast<std::size_t>(phase)];
}

}  // namespace

/// Progress bar of a run, divided into steps by their expected fractions of the time.
class StepProgress : public QWidget {
  public:
    explicit StepProgress(QWidget* parent) : QWidget(parent) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setAccessibleName(StatusLine::tr("Progress of the reconstruction"));
    }
    QSize sizeHint() const override { return {200, 8}; }

    void setProgress(const std::vector<double>& stepFractions, double fraction) {
        fractions_ = stepFractions;
        fraction_ = fraction;
        update();
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        const ThemeColours colours = themeColours(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const QRectF track(0, (height() - 6) / 2.0, width(), 6);
        painter.setBrush(colours.border);
        painter.drawRoundedRect(track, 3, 3);
        QRectF filled = track;
        filled.setWidth(track.width() * fraction_);
        painter.setBrush(colours.accent);
        painter.drawRoundedRect(filled, 3, 3);
        double edge = 0;
        for (const double fraction : fractions_) {
            edge += fraction;
            if (edge > 0.995) break;
            painter.fillRect(QRectF(track.width() * edge - 0.5, track.top(), 1, track.height()),
                             colours.panel);
        }
    }

  private:
    std::vector<double> fractions_;  // of each step, sum 1; empty: none
    double fraction_ = 0;
};

StatusLine::StatusLine(const RunModel& run, QWidget* parent)
    : QWidget(parent),
      text_(new ElidedLabel(this)),
      openFolder_(
          flatButton(tr("Open folder"), tr("Show the saved files in the file manager"), this)),
      step_(roleLabel("muted", this)),
      progress_(new StepProgress(this)),
      cancel_(flatButton(tr("Cancel"), tr("Stop the reconstruction and keep what is shown (Esc)"),
                         this)),
      layout_(
          rowOf({stretched(text_), openFolder_, step_, progress_, cancel_}, 12, {14, 0, 8, 0})) {
    setLayout(layout_);
    setTextRole(*text_, "muted");
    text_->setFont(numberFont(font()));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    step_->setFont(numberFont(font()));
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelClicked);
    connect(openFolder_, &QToolButton::clicked, this, [this] { openExternally(folder_); });
    openFolder_->hide();

    for (const auto signal : {&RunModel::changed, &RunModel::advanced})
        connect(&run, signal, this, [this, &run] { showRun(run.state()); });
    showRun(run.state());
}

// Keeps the line's height while the button is hidden. The theme, set later, determines the height.
void StatusLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        setMinimumHeight(cancel_->sizeHint().height());
}

void StatusLine::openExternally(const std::filesystem::path& path) {
    const QString name = pathText(path);
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(name)))
        showMessage(tr("The desktop has no program that opens %1").arg(name));
}

void StatusLine::showMessage(const QString& text, const QString& tooltip) {
    text_->setFullText(text, tooltip);
    openFolder_->hide();
}

void StatusLine::showSavedFiles(const std::vector<std::filesystem::path>& files,
                                const QString& remark) {
    if (files.empty()) return;
    QStringList names;
    QStringList paths;
    for (const std::filesystem::path& file : files) {
        names << fileName(file);
        paths << pathText(file);
    }
    folder_ = files.front().parent_path();
    QString text = tr("Saved %1 in %2").arg(names.join(QStringLiteral(", ")), pathText(folder_));
    if (!remark.isEmpty()) text += QStringLiteral(" · ") + remark;
    showMessage(text, paths.join('\n'));
    openFolder_->show();
}

void StatusLine::showRun(const RunState& state) {
    for (QWidget* widget : std::initializer_list<QWidget*>{step_, progress_, cancel_})
        widget->setVisible(state.isActive());
    if (const FitRun* fit = state.fit()) {
        progress_->setProgress(fit->phaseFractions, fit->totalFraction);
        progress_->setToolTip(toolTipOf(fit->progress.phase));
        step_->setText(textOf(*fit));
    }
    if (const ReconstructionRun* run = state.reconstruction()) showReconstruction(*run);
}

void StatusLine::showReconstruction(const ReconstructionRun& run) {
    progress_->setProgress(run.stepFractions, run.totalFraction);
    if (!run.progress) {
        step_->clear();
        progress_->setToolTip({});
    } else {
        // Counts only steps that report progress.
        qsizetype position = 0;
        qsizetype count = 0;
        for (const RunStep step :
             std::span(kAllRunSteps)
                 .first(std::min(run.stepFractions.size(), kAllRunSteps.size()))) {
            if (isProjection(step)) continue;
            ++count;
            if (step <= run.progress->step) position = count;
        }
        step_->setText(tr("%1 · %2 of %3")
                           .arg(QString::fromUtf8(runStepName(run.progress->step)))
                           .arg(position)
                           .arg(count));
        progress_->setToolTip(QString::fromUtf8(runStepDescription(run.progress->step)));
    }
}

}  // namespace threefold::ui
