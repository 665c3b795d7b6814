#include "ui/figure/figure_export.h"

#include <algorithm>

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QToolButton>

#include "ui/document/background.h"
#include "ui/document/result_history.h"
#include "ui/document/single_thread_pool.h"
#include "ui/figure/figure_dialog.h"
#include "ui/figure/figure_page.h"
#include "ui/shell/feature_context.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// File > Export figure…, and the thread that draws. The destructor stops the thread and waits for
/// its end, since drawing needs fonts, which exist only as long as the application.
class FigureExport : public QObject {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)

  public:
    FigureExport(const FeatureContext& context, QObject* parent);
    ~FigureExport() override {
        stop_.request_stop();
        delete dialog_;  // uses `thread_`
    }

  private:
    void openDialog();
    void save(const FigurePage& page);
    void write(FigurePage page, const std::filesystem::path& file);
    void cancelSaving();
    /// Shows the progress of a figure that is saved, or hides it once no figure is saved.
    void showProgress(double fraction);

    FeatureContext context_;
    QAction* action_;
    QPointer<FigureDialog> dialog_;
    QWidget* progress_;  // a child of the status line
    QLabel* progressText_;
    int saving_ = 0;         // figures that are being saved
    std::stop_source stop_;  // of the figures that are being saved
    SingleThreadPool thread_;
};

FigureExport::FigureExport(const FeatureContext& context, QObject* parent)
    : QObject(parent),
      context_(context),
      action_(context.actions.add(
          {.menu = MenuSection::fileSave,
           .text = tr("Export &figure…"),
           .tooltip =
               tr("Export the pinned results, or all recent results if none is pinned, with "
                  "photographs and truths: as a sheet (PDF, SVG, PNG) or a turntable video")})),
      progress_(named(new QWidget(&context.status), "figureProgress")),
      progressText_(roleLabel("muted", progress_)) {
    auto* cancel =
        flatButton(tr("Cancel"), tr("Stop drawing the figure"), progress_, tr("Cancel the figure"));
    progressText_->setFont(numberFont(context.status.font()));
    progress_->setLayout(rowOf({progressText_, cancel}));
    progress_->hide();
    context.status.add(*progress_);
    connect(cancel, &QToolButton::clicked, this, &FigureExport::cancelSaving);
    const auto refresh = [this] { action_->setEnabled(!context_.history.entries().empty()); };
    refresh();
    connect(&context_.history, &ResultHistory::changed, this, refresh);
    connect(action_, &QAction::triggered, this, &FigureExport::openDialog);
}

void FigureExport::openDialog() {
    FigurePage page{.rows = {}, .look = context_.document.look.current()};
    const bool pinned = std::ranges::any_of(context_.history.entries(), &HistoryEntry::pinned);
    for (const HistoryEntry& each : context_.history.entries())
        if (each.pinned || !pinned) page.rows.push_back({each.result});
    if (dialog_) dialog_->close();
    dialog_ = new FigureDialog(std::move(page), thread_, &context_.window);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &FigureDialog::saveRequested, this, &FigureExport::save);
    dialog_->show();
}

void FigureExport::save(const FigurePage& page) {
    askForSavePath(
        {.parent = *dialog_,
         .title = tr("Export a figure"),
         .filters = {tr("PDF (*.pdf)"), tr("SVG (*.svg)"), tr("PNG (*.png)"),
                     tr("Turntable video, MP4 (*.mp4)"), tr("Turntable video, WebM (*.webm)")},
         .remembered = {{context_.settings, QStringLiteral("files/exportFolder")}},
         .name = QStringLiteral("figure.pdf")},
        *action_, [this, page](const std::filesystem::path& file, const QString&) {
            if (dialog_) dialog_->close();
            write(page, file);
        });
}

void FigureExport::write(FigurePage page, const std::filesystem::path& file) {
    context_.status.showMessage(tr("Drawing the figure…"));
    ++saving_;
    showProgress(0);
    const FigureTask task{.cancel = stop_.get_token(),
                          .progress = [receiver = QPointer<QObject>(this), this](double fraction) {
                              callOnGuiThread(receiver,
                                              [this, fraction] { showProgress(fraction); });
                          }};
    using Files = std::vector<std::filesystem::path>;
    inBackground(
        this, [page = std::move(page), file, task] { return writeFigure(page, file, task); },
        [this](const TaskResult<Files>& outcome) {
            --saving_;
            showProgress(0);
            if (outcome.problem) {
                context_.banner.show(*outcome.problem);
            } else if (outcome.value) {
                const Files& files = *outcome.value;
                context_.status.showSavedFiles(
                    files.size() < 2 ? files : Files{files.front(), files.back()});
            } else {
                context_.status.showMessage(tr("Saving the figure was cancelled"));
            }
        },
        file.string(), thread_);
}

void FigureExport::cancelSaving() {
    stop_.request_stop();
    stop_ = {};
}

void FigureExport::showProgress(double fraction) {
    progressText_->setText(tr("Figure · %1 %").arg(static_cast<int>(100 * fraction)));
    progress_->setVisible(saving_ > 0);
}

}  // namespace

void addFigureExport(const FeatureContext& context) {
    new FigureExport(context, &context.actions);
}

}  // namespace threefold::ui
