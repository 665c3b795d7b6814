#include "ui/files/file_tasks.h"

#include "ui/style/path_text.h"

namespace threefold::ui {

FileTasks::FileTasks(const FeatureContext& context) : context_(context) {
    constexpr int kProgressInterval = 500;
    progressTimer_.setInterval(kProgressInterval);
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        lastProgressText_ =
            tr("Reading %1… %2 % · Esc cancels").arg(name_).arg(qRound(100 * progress_->load()));
        context_.status.showMessage(lastProgressText_);
    });
}

void FileTasks::reportFailure(const ErrorReport& report) {
    context_.banner.show(report);
    Q_EMIT context_.opener.requestFailed(report);
}

void FileTasks::begin(const std::filesystem::path& file) {
    ++running_;
    name_ = fileName(file);
    progress_->store(0);
    progressTimer_.start();
    Q_EMIT busyChanged(true);
}

void FileTasks::end() {
    if (--running_ > 0) return;
    progressTimer_.stop();
    if (!lastProgressText_.isEmpty() && context_.status.text() == lastProgressText_)
        context_.status.showMessage({});
    lastProgressText_.clear();
    Q_EMIT busyChanged(false);
}

}  // namespace threefold::ui
