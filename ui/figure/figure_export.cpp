#include <algorithm>

#include <QAction>

#include "ui/document/background.h"
#include "ui/document/kept_results.h"
#include "ui/figure/figure_page.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {
namespace {

struct FigureExport {
    Q_DECLARE_TR_FUNCTIONS(FigureExport)
};

}  // namespace

// Adds File > Export figure…: draws the pinned results, or else all kept results, like `threefold
// figure`, with the look of the window. `kept` must outlive the window's actions.
void addFigureExport(const WindowParts& parts, const KeptResults& kept) {
    QAction* action = parts.actions.add(
        MenuName::file, FigureExport::tr("Export &figure…"), {},
        FigureExport::tr(
            "The pinned results, or else all of the last ones, beside photographs and "
            "truths: a sheet for print as PDF, SVG or PNG, or a film of them turning"));
    const auto follow = [action, &kept] { action->setEnabled(!kept.all().empty()); };
    follow();
    QObject::connect(&kept, &KeptResults::changed, action, follow);
    const std::stop_source stop;
    QObject::connect(action, &QObject::destroyed, [stop]() mutable {
        stop.request_stop();
        QThreadPool::globalInstance()
            ->waitForDone();  // drawing needs fonts, which end with the application
    });
    QObject::connect(action, &QAction::triggered, action, [=, &kept] {
        FigurePage page{.rows = {}, .look = parts.document.look()};
        const bool pinned = std::ranges::any_of(kept.all(), &KeptResult::pinned);
        for (const KeptResult& each : kept.all())
            if (each.pinned || !pinned) page.rows.push_back({each.result});
        const auto write = [=](const std::filesystem::path& file, const QString&) {
            parts.status.say(FigureExport::tr("Drawing the figure…"));
            inBackground(
                action, [=, cancel = stop.get_token()] { return writeFigure(page, file, cancel); },
                [=](const std::vector<std::filesystem::path>& files) {
                    parts.status.showSavedFiles(
                        files.size() < 2 ? files : std::vector{files.front(), files.back()});
                },
                [=](const ErrorReport& report) { parts.banner.show(report); }, file.string());
        };
        askWhereToSave(
            {.parent = parts.window,
             .title = FigureExport::tr("Export a figure"),
             .filters = {FigureExport::tr("PDF (*.pdf)"), FigureExport::tr("SVG (*.svg)"),
                         FigureExport::tr("PNG (*.png)"), FigureExport::tr("One turn, MP4 (*.mp4)"),
                         FigureExport::tr("One turn, WebM (*.webm)")},
             .settings = &parts.settings,
             .folderKey = QStringLiteral("files/exportFolder"),
             .name = QStringLiteral("figure.pdf")},
            *action, write);
    });
}

}  // namespace threefold::ui
