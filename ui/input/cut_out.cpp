#include "ui/input/cut_out.h"

#include <algorithm>

#include <QAction>
#include <QBoxLayout>
#include <QHash>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QToolButton>

#include "engine/cutout/cutout_files.h"
#include "engine/masks/mask_files.h"
#include "engine/views/foreground.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/document/newest_task.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_viewer.h"
#include "ui/input/photographs_page.h"
#include "ui/input/reopen_masked.h"
#include "ui/shell/feature_context.h"
#include "ui/style/image_conversion.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// Row that counts the sample's photographs with a background; a button of the row writes masks for
/// them all. A button of the page begins the cut-out of all photographs by a mark in one of them.
/// While a cut-out by a mark runs, the row shows the progress and a button to cancel.
class CutOut : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(CutOut)

  public:
    CutOut(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
           PhotographViewer& viewer)
        : QWidget(&input),
          context_(context),
          input_(input),
          viewer_(viewer),
          action_(context.actions.add(
              {.menu = MenuSection::photographs,
               .text = tr("Cut &out photographs"),
               .tooltip = tr("Find the object in each photograph that still has its background, "
                             "and keep it as "
                             "a mask beside the photograph, which stays as it is")})),
          markAction_(context.actions.add(
              {.menu = MenuSection::photographs, .text = tr("Cut out b&y a box…")}, &viewer,
              &PhotographViewer::markObject)),
          label_(roleLabel("muted", this)),
          button_(new QPushButton(tr("Cut out all"), this)),
          cancel_(named(new QPushButton(tr("Cancel"), this), "cancelCutOut")),
          markButton_(named(flatButton(tr("By a box…"), {}, &input), "cutOutByBox")) {
        setObjectName(QStringLiteral("cutOut"));
        label_->setToolTip(action_->toolTip());
        button_->setToolTip(action_->toolTip());
        cancel_->setToolTip(tr("End the cut-out; all masks stay as they are"));
        setLayout(rowOf({label_, stretch(), button_, cancel_}));
        markButton_->setAccessibleName(tr("Cut out by a box"));
        page.masks().addWidget(this);
        page.maskButtons().addWidget(markButton_);
        hide();
        connect(button_, &QPushButton::clicked, action_, &QAction::trigger);
        connect(action_, &QAction::triggered, this, &CutOut::start);
        connect(markButton_, &QToolButton::clicked, markAction_, &QAction::trigger);
        connect(cancel_, &QPushButton::clicked, this, &CutOut::cancel);
        connect(&viewer, &PhotographViewer::cutOutRequested, this, &CutOut::startByMark);
        connect(&input.model(), &InputModel::sampleChanged, this, [this] { backgrounds_.clear(); });
        connect(&input.model(), &InputModel::stateChanged, this, &CutOut::refresh);
        connect(&input, &InputPanel::imagesChanged, this, &CutOut::refresh);
        refresh();
    }

  private:
    /// Work in progress.
    enum class Work { none, each, byMark };

    void refresh() {
        const InputState& state = input_.model().state();
        action_->setEnabled(state.sample && work_ == Work::none);
        button_->setEnabled(work_ == Work::none);
        button_->setVisible(work_ != Work::byMark);
        cancel_->setVisible(work_ == Work::byMark);
        refreshMarking();
        const auto uncut = std::ranges::count_if(input_.images(), [this](const QImage& image) {
            return !image.isNull() && hasBackground(image);
        });
        label_->setText(work_ != Work::none ? progress_
                        : uncut == 1        ? tr("1 photograph still has its background")
                                     : tr("%1 photographs still have their background").arg(uncut));
        setVisible(uncut > 0 || work_ != Work::none);
    }

    void refreshMarking() {
        const SampleRef& sample = input_.model().sample();
        const QString obstacle = obstacleToMarking();
        const QString tooltip =
            obstacle.isEmpty()
                ? tr("Mark the object in one photograph, by a box around it or a point on it, to "
                     "cut it out there, and in all others through their cameras. The old masks "
                     "are kept in masks/replaced")
                : obstacle;
        markAction_->setEnabled(obstacle.isEmpty() && work_ == Work::none);
        markAction_->setToolTip(tooltip);
        markButton_->setEnabled(markAction_->isEnabled());
        markButton_->setToolTip(tooltip);
        markButton_->setVisible(sample && (sample->photos || input_.model().camerasAreGuessed()));
    }

    /// Why a mark in one photograph cannot lead to the object in the others; empty: it can.
    QString obstacleToMarking() const {
        const SampleRef& sample = input_.model().sample();
        if (!sample) return tr("Needs photographs with cameras; nothing is open");
        if (sample->photos) return {};
        return input_.model().camerasAreGuessed()
                   ? tr("Needs the cameras of the photographs, which are not known yet: find them "
                        "first")
                   : tr("Needs photographs whose cameras are in a camera file; for those with a "
                        "rendering_metadata.txt, use threefold cutout --box");
    }

    // Whether a picture has a background. The answer is cached, since refresh() runs for every
    // picture that arrives.
    bool hasBackground(const QImage& image) {
        const auto known = backgrounds_.constFind(image.cacheKey());
        if (known != backgrounds_.cend()) return *known;
        return *backgrounds_.insert(image.cacheKey(), !foregroundOf(fromQImage(image)));
    }

    void setWork(Work work, const QString& progress = {}) {
        work_ = work;
        progress_ = progress;
        viewer_.setCuttingOut(work_ != Work::none);
        refresh();
    }

    void start() {
        const SampleRef sample = input_.model().sample();
        std::vector<std::filesystem::path> images = sample->images;
        std::erase_if(images, [](const auto& image) { return image.empty(); });
        setWork(Work::each, tr("Cutting out…"));
        const std::stop_token cancel = task_.restart();
        inBackground(
            this, cancel,
            [images = std::move(images), cancel] {
                return cutOutFiles(images, {.cameraFileMasks = masksNamedByCameras(images, cancel)},
                                   cancel);
            },
            [this, sample](const std::vector<CutoutFile>& files) { finish(sample, files); },
            [this](const ErrorReport& report) {
                setWork(Work::none);
                context_.banner.show(report);
            });
    }

    void startByMark(const ObjectHint& hint) {
        const SampleRef sample = input_.model().sample();
        cancel_->setEnabled(true);
        setWork(Work::byMark, tr("Cutting out…"));
        const std::stop_token stop = task_.restart();
        const auto onProgress = [receiver = QPointer<QObject>(this), this, stop](
                                    const char*, std::size_t done, std::size_t count) {
            callOnGuiThread(receiver, [this, stop, done, count] {
                if (stop.stop_requested()) return;
                setWork(Work::byMark, tr("Cutting out: %1 of %2").arg(done).arg(count));
            });
        };
        // Handles the outcome even after a cancellation, since the masks may have been replaced
        // before the cancellation.
        inBackground(
            this,
            [cameras = sample->photos->file, hint, stop, onProgress] {
                return writePropagatedMasks(cameras, hint, {}, stop, onProgress);
            },
            [this, sample](const TaskResult<std::vector<MaskFile>>& outcome) {
                if (outcome.value) {
                    std::vector<CutoutFile> files;
                    for (const MaskFile& file : *outcome.value) files.push_back(file.cutout);
                    finish(sample, files);
                    viewer_.reloadMask(sample);
                    return;
                }
                setWork(Work::none);
                if (outcome.problem) context_.banner.show(*outcome.problem);
            });
    }

    void cancel() {
        task_.cancel();
        cancel_->setEnabled(false);
        setWork(Work::byMark, tr("Cancelling…"));
    }

    void finish(const SampleRef& sample, const std::vector<CutoutFile>& files) {
        setWork(Work::none);
        const auto cutCount =
            std::ranges::count_if(files, [](const CutoutFile& f) { return f.fraction > 0; });
        QStringList remarks;  // errors first
        for (const auto text : {&CutoutFile::error, &CutoutFile::warning})
            for (const CutoutFile& file : files)
                if (!(file.*text).empty()) remarks << QString::fromStdString(file.*text);
        // Reopens first, since opening a sample hides the banner.
        if (cutCount > 0 && isSameSample(input_.model().sample(), sample))
            reopenMasked(context_.opener, input_);
        context_.status.showMessage(
            tr("%1 of %2 photographs cut out").arg(cutCount).arg(files.size()), remarks.join('\n'));
        if (!remarks.isEmpty()) context_.banner.showRemarks(tr("Cut out"), remarks);
    }

    FeatureContext context_;
    InputPanel& input_;
    PhotographViewer& viewer_;
    QAction* action_;
    QAction* markAction_;
    QLabel* label_;
    QPushButton* button_;
    QPushButton* cancel_;
    QToolButton* markButton_;
    Work work_ = Work::none;
    QString progress_;
    QHash<qint64, bool> backgrounds_;  // by QImage::cacheKey(), of the shown sample
    NewestTask task_;
};

}  // namespace

void addCutOut(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
               PhotographViewer& viewer) {
    new CutOut(context, input, page, viewer);
}

}  // namespace threefold::ui
