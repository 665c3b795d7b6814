#pragma once

#include <filesystem>
#include <optional>
#include <thread>

#include "ui/document/newest_task.h"
#include "ui/document/session.h"
#include "ui/files/opened_files.h"

namespace threefold::ui {

class Viewport;

/// Saves and restores sessions. Closing the window writes the last state beside the settings, on a
/// thread of its own; the destructor waits for that thread. The File menu offers the last state on
/// the next start.
class SessionFiles : public QObject {
    Q_OBJECT

  public:
    SessionFiles(const FeatureContext& context, Viewport& viewport, OpenedFiles& files,
                 NetworkMenu& networks);

    Session current() const;
    void save(const std::filesystem::path& file);
    void restore(const std::filesystem::path& file);
    /// File of the last state.
    std::filesystem::path lastFile() const;

  Q_SIGNALS:
    void saved(const QString& file);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void askForPath();
    void apply(const Session& session);
    void applyCameras();
    void saveLast();
    QString omittedText() const;

    FeatureContext context_;
    Viewport& viewport_;
    OpenedFiles& files_;
    NetworkMenu& networks_;
    /// Session whose cameras are applied after its meshes have opened.
    std::optional<Session> restoring_;
    NewestTask restoreTask_;   ///< reads the session to restore
    std::jthread lastWriter_;  ///< writes the last state
};

}  // namespace threefold::ui
