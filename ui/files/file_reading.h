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
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Reads files in the background, with progress in the status line. The banner reports a file that
/// cannot be read; nothing else changes then.
class FileReading : public QObject {
    Q_OBJECT

  public:
    explicit FileReading(const WindowParts& parts) : parts_(parts) {
        constexpr int kProgressInterval = 500;
        progressTimer_.setInterval(kProgressInterval);
        connect(&progressTimer_, &QTimer::timeout, this, [this] {
            lastProgressText_ = tr("Reading %1… %2 % · Esc cancels")
                                    .arg(name_)
                                    .arg(qRound(100 * progress_->load()));
            parts_.status.say(lastProgressText_);
        });
    }

    bool busy() const { return reading_ > 0; }
    /// Calls `onValue` with the value of `work(MeshReading)`, unless a newer `request` has begun.
    /// `work` runs on another thread, `onValue` on the GUI thread.
    template <class Work, class OnValue>
    void read(const std::filesystem::path& file, RequestToken& request, Work work,
              OnValue onValue) {
        MeshReading reading;
        reading.cancel = request.restart();
        reading.progress = [progress = progress_](float fraction) { progress->store(fraction); };
        begin(file);
        using Value = std::invoke_result_t<Work, const MeshReading&>;
        tryInBackground(
            this, [reading, work = std::move(work)] { return work(reading); },
            [this, cancel = reading.cancel,
             onValue = std::move(onValue)](const TaskResult<Value>& outcome) {
                if (!cancel.stop_requested()) {
                    if (outcome.problem) refuse(*outcome.problem);
                    if (outcome.value) onValue(*outcome.value);
                }
                end();
            },
            file.string());
    }
    void refuse(const ErrorReport& report) {
        parts_.banner.show(report);
        Q_EMIT parts_.window.requestFailed(report);
    }

  Q_SIGNALS:
    void busyChanged(bool busy);

  private:
    // Files read at the same time share the status line.
    void begin(const std::filesystem::path& file) {
        ++reading_;
        name_ = fileName(file);
        progress_->store(0);
        progressTimer_.start();
        Q_EMIT busyChanged(true);
    }
    void end() {
        if (--reading_ > 0) return;
        progressTimer_.stop();
        if (!lastProgressText_.isEmpty() && parts_.status.text() == lastProgressText_)
            parts_.status.say({});
        lastProgressText_.clear();
        Q_EMIT busyChanged(false);
    }

    WindowParts parts_;
    int reading_ = 0;
    std::shared_ptr<std::atomic<float>> progress_ = std::make_shared<std::atomic<float>>(0.0F);
    QString name_;
    QString lastProgressText_;  // last text in the status line
    QTimer progressTimer_;
};

}  // namespace threefold::ui
