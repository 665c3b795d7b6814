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
#include "ui/document/newest_task.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

/// Runs work on files in the background, with progress in the status line. Work that fails is
/// reported in the banner and changes nothing else. GUI thread only.
class FileTasks : public QObject {
    Q_OBJECT

  public:
    explicit FileTasks(const FeatureContext& context);

    bool isBusy() const { return running_ > 0; }
    /// Runs `work(MeshReadOptions)` on another thread, then `onValue` with its value on the GUI
    /// thread, unless a newer `request` has begun by then. `file`: named in the status line and in
    /// messages.
    template <class Work, class OnValue>
    void run(const std::filesystem::path& file, NewestTask& request, Work work, OnValue onValue) {
        MeshReadOptions options;
        options.cancel = request.restart();
        options.onProgress = [progress = progress_](float fraction) { progress->store(fraction); };
        begin(file);
        using Value = std::invoke_result_t<Work, const MeshReadOptions&>;
        inBackground(
            this, [options, work = std::move(work)] { return work(options); },
            [this, cancel = options.cancel,
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
    void begin(const std::filesystem::path& file);
    void end();

    FeatureContext context_;
    int running_ = 0;
    std::shared_ptr<std::atomic<float>> progress_ = std::make_shared<std::atomic<float>>(0.0F);
    QString name_;  // of the newest file: files read at the same time share the status line
    QString lastProgressText_;
    QTimer progressTimer_;
};

}  // namespace threefold::ui
