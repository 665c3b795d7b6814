#pragma once

#include <filesystem>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QSize>

#include "render/device.h"
#include "ui/files/mesh_export.h"
#include "ui/panes/window_panes.h"
#include "ui/shell/feature_context.h"

class QImage;

namespace threefold::ui {

class ExportDialog;
class ScreenshotWriter;
class ScreenshotDialog;
struct ScreenshotChoice;

/// Commands that export meshes and save screenshots, with their dialogs. Files are written in the
/// background; saved() or failed() follows, the latter with a message in the banner. A file that
/// the window shows (Document::shows()) is never replaced.
class ExportCommands : public QObject {
    Q_OBJECT

  public:
    /// `instance` and all parts of `context` and `panes` must outlive this object.
    ExportCommands(const FeatureContext& context, const WindowPanes& panes,
                   const render::Instance& instance);

    void exportTo(const ExportChoice& choice);
    /// Writes the panes at any size.
    void savePanes(const std::filesystem::path& file, QSize pixels, bool transparent = false,
                   bool labelled = false);
    /// Copies a pane to the clipboard, as on the screen.
    void copyPane(std::size_t pane);
    /// Writes the whole window at its own resolution.
    void saveWindow(const std::filesystem::path& file);
    /// Cancels the pictures of panes that are not written yet.
    void cancel();

  Q_SIGNALS:
    void saved(const QString& file);
    void failed(const threefold::ErrorReport& report);

  private:
    /// Shows the dialog; `done` gets its choice.
    template <class Dialog, class Subject, class Done>
    void ask(QPointer<Dialog>& dialog, const Subject& subject, Done done);
    void askForFile(const ScreenshotChoice& choice);
    /// Whether none of the files is one that the window shows; else reports the failure.
    bool mayReplace(const std::vector<std::filesystem::path>& files);
    void writeImage(const std::filesystem::path& file, const QImage& image);
    /// `remark`: for the status line; may be empty.
    void reportSaved(const std::vector<std::filesystem::path>& files, const QString& remark = {});
    void reportFailed(const ErrorReport& report);
    void reportNoPicture();

    FeatureContext context_;
    const WindowPanes panes_;
    ScreenshotWriter* screenshots_;
    QPointer<ExportDialog> exportDialog_;
    QPointer<ScreenshotDialog> screenshotDialog_;
};

/// Adds the exports and screenshots. Arguments: as for the constructor.
ExportCommands& addExportCommands(const FeatureContext& context, const WindowPanes& panes,
                                  const render::Instance& instance);

}  // namespace threefold::ui
