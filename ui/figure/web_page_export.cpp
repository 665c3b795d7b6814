#include <QAction>

#include "engine/formats/bytes/write_file.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/figure/web_document.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {
namespace {

struct WebPageExport {
    Q_DECLARE_TR_FUNCTIONS(WebPageExport)
};

}  // namespace

// Adds File > Export web page…: writes the window's meshes as one HTML file whose meshes turn, with
// the colours of the window.
void addWebPageExport(const WindowParts& parts, const ShownValues& values,
                      const MeasuredMeshes& measured) {
    QAction* action = parts.actions.add(
        MenuSection::file, WebPageExport::tr("Export &web page…"), {},
        WebPageExport::tr("The photographs and all meshes side by side, turning together, as one "
                          "file for any browser"));
    const auto follow = [action, &document = parts.document] {
        action->setEnabled(document.result.current() != nullptr ||
                           document.opened.first() != nullptr);
    };
    follow();
    connectChanged(action, follow, parts.document.result, parts.document.opened);
    const std::stop_source stop;
    QObject::connect(action, &QObject::destroyed, [stop]() mutable { stop.request_stop(); });
    QObject::connect(action, &QAction::triggered, action, [=, &measured] {
        const auto write = [=, &measured](const std::filesystem::path& file, const QString&) {
            parts.status.say(WebPageExport::tr("Writing the web page…"));
            inBackground(
                action,
                [made = webPageOf(values, measured), result = parts.document.result.current(), file,
                 cancel = stop.get_token()] {
                    WebPage page = made;
                    if (result && !page.results.empty()) addPhotographs(page, *result, cancel);
                    writeFileWhole(file, webPageHtml(page));
                },
                [=] { parts.status.showSavedFiles({file}); },
                [=](const ErrorReport& report) { parts.banner.show(report); }, file.string());
        };
        askWhereToSave({.parent = parts.window,
                        .title = WebPageExport::tr("Export a web page"),
                        .filters = {WebPageExport::tr("Web page (*.html)")},
                        .settings = &parts.settings,
                        .folderKey = QStringLiteral("files/exportFolder"),
                        .name = QStringLiteral("page.html")},
                       *action, write);
    });
}

}  // namespace threefold::ui
