#include "ui/shell/status_line.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <QBoxLayout>
#include <QDesktopServices>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QUrl>

#include "ui/style/elided_label.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

/// How far a run is: one segment a stage, as wide as its share of the usual time.
class StageProgress : public QWidget {
  public:
    explicit StageProgress(QWidget* parent) : QWidget(parent) {
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        setAccessibleName(StatusLine::tr("Progress of the reconstruction"));
        start(StageHistory());
    }
    QSize sizeHint() const override { return {200, 8}; }

    void start(const StageHistory& history) {
        shares_.clear();
        double sum = 0;
        // Before the first run: METHOD.md's work, most of it in the two hypothesis blocks.
        constexpr double kExpected[] = {0.02, 0.02, 0.08, 0.05, 0.05, 0.06, 0.06, 0.33, 0.33};
        static_assert(std::size(kExpected) == std::size(kAllStages));
        for (std::size_t i = 0; i < std::size(kAllStages); ++i) {
            const double usual =
                history.runs() > 0 ? history.median(kAllStages[i]).value_or(0) : kExpected[i];
            shares_.push_back(usual);
            sum += usual;
        }
        for (double& share : shares_) share /= std::max(sum, 1e-9);
        advance({Stage::load, 0});
    }
    void advance(const Progress& progress) {
        now_ = progress;
        whole_.reset();
        update();
    }
    /// Of something that has no stages, 0…1.
    void advance(double done) {
        whole_ = done;
        update();
    }

    /// 0…1 of the usual time.
    double done() const {
        if (whole_) return std::clamp(*whole_, 0.0, 1.0);
        double sum = 0;
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            if (kAllStages[i] == now_.stage)
                return sum + shares_[i] * std::clamp(now_.done, 0.0F, 1.0F);
            sum += shares_[i];
        }
        return sum;
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
        filled.setWidth(track.width() * done());
        painter.setBrush(colours.accent);
        painter.drawRoundedRect(filled, 3, 3);
        double edge = 0;
        for (const double share : shares_) {
            edge += share;
            if (edge > 0.995 || whole_) break;
            painter.fillRect(QRectF(track.width() * edge - 0.5, track.top(), 1, track.height()),
                             colours.panel);
        }
    }

  private:
    std::vector<double> shares_;  // of kAllStages, sum 1
    Progress now_{Stage::load, 0};
    std::optional<double> whole_;
};

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      text_(new ElidedLabel(this)),
      openFolder_(
          flatButton(tr("Open folder"), tr("Show the saved files in the file manager"), this)),
      stage_(new QLabel(this)),
      progress_(new StageProgress(this)),
      cancel_(flatButton(tr("Cancel"), tr("Stop the reconstruction and keep what is shown (Esc)"),
                         this)),
      layout_(rowOf({{text_, 1}, openFolder_, stage_, progress_, cancel_}, 12, {14, 0, 8, 0})) {
    setLayout(layout_);
    setRank(*text_, "muted");
    setRank(*stage_, "muted");
    text_->setFont(numberFont(font()));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    stage_->setFont(numberFont(font()));
    connect(cancel_, &QToolButton::clicked, this, &StatusLine::cancelClicked);
    connect(openFolder_, &QToolButton::clicked, this, &StatusLine::openFolder);
    openFolder_->hide();

    endProgress();
}

// The line keeps its height while the button is hidden. The theme, which comes later, sizes it.
void StatusLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        setMinimumHeight(cancel_->sizeHint().height());
}

void StatusLine::say(const QString& text, const QString& tooltip) {
    text_->setWholeText(text, tooltip);
    openFolder_->hide();
}

void StatusLine::saySaved(const std::vector<std::filesystem::path>& files) {
    if (files.empty()) return;
    QStringList names;
    QStringList paths;
    for (const std::filesystem::path& file : files) {
        names << QString::fromStdString(file.filename().string());
        paths << QString::fromStdString(file.string());
    }
    folder_ = files.front().parent_path();
    say(tr("Saved %1 in %2")
            .arg(names.join(QStringLiteral(", ")), QString::fromStdString(folder_.string())),
        paths.join('\n'));
    openFolder_->show();
}

void StatusLine::openFolder() {
    const QString folder = QString::fromStdString(folder_.string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        say(tr("No file manager answers; the files are in %1").arg(folder));
}

void StatusLine::add(QWidget& part) {
    layout_->insertWidget(2, &part);
}

QString StatusLine::text() const {
    return text_->wholeText();
}

void StatusLine::startProgress(const StageHistory& history) {
    progress_->start(history);
    stage_->clear();
    reconstructing_ = true;
    showProgress(true);
}

void StatusLine::endProgress() {
    reconstructing_ = false;
    showProgress(false);
}

void StatusLine::advanceFit(double done) {
    if (reconstructing_) return;
    progress_->advance(done);
    progress_->setToolTip(tr("The mesh is fitted to the photographs"));
    stage_->setText(tr("fit · %1 %").arg(qRound(100 * done)));
    showProgress(true);
}

void StatusLine::endFit() {
    if (!reconstructing_) showProgress(false);
}

void StatusLine::advance(const Progress& progress) {
    progress_->advance(progress);
    const std::string_view name = stageName(progress.stage);
    const auto at = std::find(std::begin(kAllStages), std::end(kAllStages), progress.stage);
    stage_->setText(tr("%1 · %2 of %3")
                        .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())))
                        .arg(at - std::begin(kAllStages) + 1)
                        .arg(std::size(kAllStages)));
    const std::string_view what = stageDescription(progress.stage);
    progress_->setToolTip(QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size())));
}

double StatusLine::done() const {
    return progress_->done();
}

void StatusLine::showProgress(bool shown) {
    for (QWidget* part : std::initializer_list<QWidget*>{stage_, progress_, cancel_}) {
        part->setVisible(shown);
    }
}

bool StatusLine::running() const {
    return !cancel_->isHidden();
}

}  // namespace threefold::ui
