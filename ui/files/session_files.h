#pragma once

#include <filesystem>
#include <optional>
#include <thread>

#include "ui/document/session.h"
#include "ui/files/opened_files.h"

namespace threefold::ui {

class InputPanel;
class Viewport;

/// Saves and restores sessions. On closing, the last state is kept beside the settings; the File
/// menu offers it on the next start. It is written on a thread of its own; the destructor waits for
/// it.
class SessionFiles : public QObject {
    Q_OBJECT

  public:
    SessionFiles(const WindowParts& parts, InputPanel& input, Viewport& viewport,
                 OpenedFiles& files, NetworkMenu& networks);

    Session current() const;
    void save(const std::filesystem::path& file);
    void restore(const std::filesystem::path& file);
    /// Where the last state is kept.
    std::filesystem::path lastFile() const;

  Q_SIGNALS:
    void saved(const QString& file);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void askWhere();
    void apply(const Session& session);
    void applyCameras();
    void keepLast();

    WindowParts parts_;
    InputPanel& input_;
    Viewport& viewport_;
    OpenedFiles& files_;
    NetworkMenu& networks_;
    std::optional<Session> waiting_;  ///< its cameras, until its result is there
    std::jthread keeping_;            ///< the last state; its end waits for the disk
};

}  // namespace threefold::ui
