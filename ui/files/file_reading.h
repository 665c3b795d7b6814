#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>
#include <QTimer>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "ui/document/background.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Reads files in the background, with progress in the status line. The banner reports a file that
/// cannot be read; nothing else changes then.
class FileReading : public QObject {
    Q_OBJECT

  public:
    explicit FileReading(const FeatureContext& context);

    bool isBusy() const { return reading_ > 0; }
    /// Calls `onValue` with the value of `work(MeshReadOptions)`, unless a newer `request` has
    /// begun. `work` runs on another thread, `onValue` on the GUI thread.
    template <class Work, class OnValue>
    void read(const std::filesystem::path& file, RequestStopSource& request, Work work,
              OnValue onValue) {
        MeshReadOptions reading;
        reading.cancel = request.restart();
        reading.progress = [progress = progress_](float fraction) { progress->store(fraction); };
        begin(file);
        using Value = std::invoke_result_t<Work, const MeshReadOptions&>;
        tryInBackground(
            this, [reading, work = std::move(work)] { return work(reading); },
            [this, cancel = reading.cancel,
             onValue = std::move(onValue)](const TaskResult<Value>& outcome) {
                if (!cancel.stop_requested()) {
                    if (outcome.problem) reportFailure(*outcome.problem);
                    if (outcome.value) onValue(*outcome.value);
                }
                end();
            },
            file.string());
    }
    /// Shows the report in the banner, and tells the window that a request failed.
    void reportFailure(const ErrorReport& report);

  Q_SIGNALS:
    void busyChanged(bool busy);

  private:
    // Files read at the same time share the status line.
    void begin(const std::filesystem::path& file);
    void end();

    FeatureContext context_;
    int reading_ = 0;
    std::shared_ptr<std::atomic<float>> progress_ = std::make_shared<std::atomic<float>>(0.0F);
    QString name_;
    QString lastProgressText_;  // last text in the status line
    QTimer progressTimer_;
};

}  // namespace threefold::ui
