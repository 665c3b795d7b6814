#include "ui/files/file_reading.h"

namespace threefold::ui {

FileReading::FileReading(const WindowParts& parts) : parts_(parts) {
    constexpr int kTellAfter = 500;
    tell_.setInterval(kTellAfter);
    connect(&tell_, &QTimer::timeout, this, [this] {
        parts_.status.say(
            tr("Reading %1… %2 % · Esc cancels").arg(name_).arg(qRound(100 * progress_->load())));
    });
}

void FileReading::refuse(const ErrorReport& report) {
    parts_.banner.show(report);
    Q_EMIT parts_.window.requestFailed(report);
}

// Two files read at once share the status line.
void FileReading::begin(const std::filesystem::path& file) {
    ++reading_;
    name_ = fileName(file);
    progress_->store(0);
    tell_.start();
    Q_EMIT busyChanged(true);
}

void FileReading::end() {
    if (--reading_ > 0) return;
    tell_.stop();
    Q_EMIT busyChanged(false);
}

}  // namespace threefold::ui
