#include "ui/figure/web_page_export.h"

#include <QAction>

#include "engine/formats/files/write_file.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/figure/web_document.h"
#include "ui/shell/feature_context.h"
#include "ui/shell/file_dialogs.h"

namespace threefold::ui {
namespace {

struct WebPageExport {
    Q_DECLARE_TR_FUNCTIONS(WebPageExport)
};

}  // namespace

void addWebPageExport(const FeatureContext& context) {
    QAction* action = context.actions.add(
        {.menu = MenuSection::fileSave,
         .text = WebPageExport::tr("Export &web page…"),
         .tooltip = WebPageExport::tr(
             "The photographs and all meshes side by side, turning together, as one "
             "file for any browser")});
    const auto refresh = [action, &document = context.document] {
        action->setEnabled(document.result.current() != nullptr ||
                           document.opened.first() != nullptr);
    };
    refresh();
    connectChanged(action, refresh, context.document.result, context.document.opened);
    const std::stop_source stop;
    QObject::connect(action, &QObject::destroyed, [stop]() mutable { stop.request_stop(); });
    QObject::connect(action, &QAction::triggered, action, [=] {
        const auto write = [=](const std::filesystem::path& file, const QString&) {
            context.status.showMessage(WebPageExport::tr("Writing the web page…"));
            inBackground(
                action,
                [made = webPageOf(context.shown, context.measured),
                 result = context.document.result.current(), file, cancel = stop.get_token()] {
                    WebPage page = made;
                    if (result && !page.results.empty()) addPhotographs(page, *result, cancel);
                    writeFileAtomically(file, webPageHtml(page));
                },
                [=] { context.status.showSavedFiles({file}); },
                [=](const ErrorReport& report) { context.banner.show(report); }, file.string());
        };
        askForSavePath({.parent = context.window,
                        .title = WebPageExport::tr("Export a web page"),
                        .filters = {WebPageExport::tr("Web page (*.html)")},
                        .remembered = {{context.settings, QStringLiteral("files/exportFolder")}},
                        .name = QStringLiteral("page.html")},
                       *action, write);
    });
}

}  // namespace threefold::ui
