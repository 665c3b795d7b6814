#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <thread>

#include <QObject>
#include <QSize>

#include "engine/error.h"
#include "render/device.h"
#include "render/scene.h"
#include "ui/files/picture_labels.h"

namespace threefold::ui {

/// Renders scenes to PNG files, one after the other, on a thread and device of its own. The panes
/// stay responsive, and only a band of a 16384² picture is in memory. Functions are for the GUI
/// thread only. Signals are emitted on the writer's thread, ended() on the GUI thread. The
/// destructor cancels and waits for the current tile.
class ScreenshotWriter : public QObject {
    Q_OBJECT

  public:
    /// Screenshot of the panes to write.
    struct Job {
        render::Scene scene;
        QSize pixels;
        std::filesystem::path file;
        std::optional<PictureLabels> labels = {};  ///< none: no labels
    };

    /// `instance` must outlive the writer.
    ScreenshotWriter(const render::Instance& instance, QObject* parent);

    void write(Job job);
    /// Drops all pictures not yet written; no file of theirs is touched.
    void cancel();

  Q_SIGNALS:
    void progressed(double fraction);  ///< 0…1, of the picture being written
    void saved(const QString& file);
    void failed(const threefold::ErrorReport& report);
    void cancelled();
    void ended();  ///< after saved, failed or cancelled, when the queue is empty

  private:
    void start();
    void next();
    void run(const Job& job, const std::stop_token& cancel);

    const render::Instance& instance_;
    std::deque<Job> jobs_;  // the first is being written
    std::jthread thread_;
};

}  // namespace threefold::ui
